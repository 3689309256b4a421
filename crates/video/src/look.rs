//! What is drawn of a game, and in which colours: the same in terminals, in pictures and in the browser.

use vgdl::{Category, Game, Observation, TypeId};

/// Colours of the 256 that terminals have; types of a category take turns.
fn palette(category: Category) -> &'static [u8] {
    match category {
        Category::Avatar => &[226],
        Category::Resource => &[214, 220, 178],
        Category::Portal => &[40, 34, 28],
        Category::Npc => &[160, 196, 124, 161],
        Category::Static => &[240, 94, 24, 58, 237],
        Category::FromAvatar => &[51, 45],
        Category::Movable => &[133, 97, 169, 67],
    }
}

/// The colour of a sprite: one of the 256 of terminals.
pub fn number(sprite: &Observation) -> u8 {
    let palette = palette(sprite.category);
    palette[sprite.kind.number() % palette.len()]
}

/// One of the 256 colours of terminals, as pages and pictures write it.
pub fn colour(number: u8) -> String {
    let part = |level: u8| if level == 0 { 0 } else { 55 + 40 * level };
    match number {
        232.. => {
            let grey = 8 + 10 * (number - 232);
            format!("#{grey:02x}{grey:02x}{grey:02x}")
        }
        16.. => {
            let cube = number - 16;
            format!("#{:02x}{:02x}{:02x}", part(cube / 36), part(cube / 6 % 6), part(cube % 6))
        }
        _ => "#808080".to_owned(),
    }
}

/// The types that are drawn for a player, from the bottom to the top, without what fills the ground.
pub fn drawn(game: &Game, player: usize) -> Vec<TypeId> {
    let rules = &game.level().rules;
    let shown = |id: &TypeId| {
        let kind = rules.kind(*id);
        !kind.hidden[player.min(1)] && !kind.invisible[player.min(1)] && !is_ground(game, *id)
    };
    rules.order.iter().copied().filter(shown).collect()
}

/// The sprites of a type that are drawn.
pub fn sprites(game: &Game, kind: TypeId) -> impl Iterator<Item = Observation> + '_ {
    game.state().sprites_of(game.level(), kind).filter(|sprite| !sprite.disabled)
}

/// Whether a type fills the ground of a level: it is everywhere and says nothing.
fn is_ground(game: &Game, kind: TypeId) -> bool {
    let level = game.level();
    let cells = level.width * level.height;
    let mut sprites = game.state().sprites_of(level, kind).peekable();
    let still = sprites.peek().is_some_and(|sprite| sprite.category == Category::Static);
    let name = &level.rules.kind(kind).name;
    still && name != "wall" && sprites.count() as i32 * 2 > cells
}

/// Health and what an avatar holds, in words.
pub fn belongings(game: &Game, player: usize) -> Vec<String> {
    let Some(avatar) = game.state().avatar(game.level(), player) else { return Vec::new() };
    let health = avatar.sprite.health;
    let health = (health > 0).then(|| format!("health {health}"));
    let held = avatar.resources.iter().filter(|(_, amount)| *amount != 0);
    let held = held.map(|(kind, amount)| format!("{} {amount}", game.level().rules.kind(*kind).name));
    health.into_iter().chain(held).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_those_of_terminals() {
        assert_eq!(colour(16), "#000000");
        assert_eq!(colour(226), "#ffff00");
        assert_eq!(colour(160), "#d70000");
        assert_eq!(colour(240), "#585858");
    }
}
