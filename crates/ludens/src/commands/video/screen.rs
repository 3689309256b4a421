//! A state of a video game drawn in a terminal: two characters a cell.

use vgdl::{Category, Game, Observation};
use video::look as looks;
use video::record::word;

/// What is drawn in a cell: two letters, a colour of the background, and one of the letters.
struct Look {
    letters: [char; 2],
    style: String,
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
    let background = looks::number(sprite);
    let dark = matches!(background, 24 | 28 | 34 | 58 | 94 | 97 | 124 | 133 | 160 | 161 | 237 | 240);
    let style = format!("48;5;{background};38;5;{}", if dark { 255 } else { 16 });
    Look { letters, style }
}

/// The state as lines of text. With colours each cell has one, without them its letters.
pub(super) fn draw(game: &Game, player: usize, colour: bool) -> String {
    let level = game.level();
    let (width, height) = (level.width.max(1) as usize, level.height.max(1) as usize);
    let mut cells: Vec<Option<Look>> = (0..width * height).map(|_| None).collect();
    for kind in looks::drawn(game, player) {
        for sprite in looks::sprites(game, kind) {
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
    for belonging in looks::belongings(game, player) {
        text.push_str(&format!("  {belonging}"));
    }
    if state.is_over() {
        text.push_str(&format!("  {}", word(state.outcome(player))));
    }
    text
}
