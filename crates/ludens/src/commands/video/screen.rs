//! A state of a video game drawn in a terminal: two characters a cell.

use vgdl::{Category, Game, Observation};

use super::game_match::word;

/// What is drawn in a cell: two letters, a colour of the background, and one of the letters.
struct Look {
    letters: [char; 2],
    style: String,
}

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

/// The colour of a sprite.
pub(super) fn background(sprite: &Observation) -> u8 {
    let palette = palette(sprite.category);
    palette[sprite.kind.number() % palette.len()]
}

/// The types that a player sees, from the bottom to the top, without what fills the ground.
pub(super) fn seen(game: &Game, player: usize) -> Vec<vgdl::TypeId> {
    let rules = &game.level().rules;
    let shown = |id: &vgdl::TypeId| !rules.kind(*id).hidden[player.min(1)] && !is_ground(game, *id);
    rules.order.iter().copied().filter(shown).collect()
}

fn look(game: &Game, sprite: &Observation) -> Look {
    let name = &game.level().rules.kind(sprite.kind).name;
    let mut letters = name.chars();
    let first = letters.next().unwrap_or('?');
    let letters = match (sprite.category, name.as_str()) {
        (_, "wall") => [' ', ' '],
        (Category::Avatar, _) => match (sprite.direction.x > 0.5, sprite.direction.x < -0.5) {
            (true, _) => ['@', '>'],
            (_, true) => ['<', '@'],
            _ => ['@', '@'],
        },
        _ => [first, letters.next().unwrap_or(' ')],
    };
    let background = background(sprite);
    let dark = matches!(background, 24 | 28 | 34 | 58 | 94 | 97 | 124 | 133 | 160 | 161 | 237 | 240);
    let style = format!("48;5;{background};38;5;{}", if dark { 255 } else { 16 });
    Look { letters, style }
}

/// Whether a type fills the ground of a level: it is everywhere and says nothing.
fn is_ground(game: &Game, kind: vgdl::TypeId) -> bool {
    let level = game.level();
    let cells = level.width * level.height;
    let mut sprites = game.state().sprites_of(level, kind).peekable();
    let still = sprites.peek().is_some_and(|sprite| sprite.category == Category::Static);
    let name = &level.rules.kind(kind).name;
    still && name != "wall" && sprites.count() as i32 * 2 > cells
}

/// The state as lines of text. With colours each cell has one, without them its letters.
pub(super) fn draw(game: &Game, player: usize, colour: bool) -> String {
    let level = game.level();
    let (width, height) = (level.width.max(1) as usize, level.height.max(1) as usize);
    let mut cells: Vec<Option<Look>> = (0..width * height).map(|_| None).collect();
    for kind in seen(game, player) {
        for sprite in game.state().sprites_of(level, kind).filter(|sprite| !sprite.disabled) {
            let middle = |from: i32, side: i32| from.saturating_add(side / 2).div_euclid(level.block);
            let (x, y) = (middle(sprite.rect.x, sprite.rect.w), middle(sprite.rect.y, sprite.rect.h));
            let inside = (0..level.width).contains(&x) && (0..level.height).contains(&y);
            if inside && let Some(cell) = cells.get_mut(y as usize * width + x as usize) {
                *cell = Some(look(game, &sprite));
            }
        }
    }
    let mut text = String::new();
    for row in cells.chunks(width) {
        for cell in row {
            match cell {
                None if colour => text.push_str("\x1b[48;5;233m  \x1b[0m"),
                None => text.push_str(" ."),
                Some(look) => {
                    let letters: String = look.letters.iter().collect();
                    if colour {
                        text.push_str(&format!("\x1b[{}m{letters}\x1b[0m", look.style));
                    } else if letters.trim().is_empty() {
                        text.push_str("##");
                    } else {
                        text.push_str(&letters);
                    }
                }
            }
        }
        text.push('\n');
    }
    text
}

/// Tick, score, health and resources, and how the game ended.
pub(super) fn status(game: &Game, player: usize) -> String {
    let state = game.state();
    let mut text = format!("tick {}  score {}", state.tick().max(0), state.score(player));
    if let Some(avatar) = state.avatar(game.level(), player) {
        if avatar.sprite.health > 0 {
            text.push_str(&format!("  health {}", avatar.sprite.health));
        }
        for (kind, amount) in avatar.resources.iter().filter(|(_, amount)| *amount != 0) {
            text.push_str(&format!("  {} {amount}", game.level().rules.kind(*kind).name));
        }
    }
    if state.is_over() {
        text.push_str(&format!("  {}", word(state.outcome(player))));
    }
    text
}
