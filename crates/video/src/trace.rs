//! Video games that another engine played, replayed tick by tick: every sprite must be where it was.

use serde_json::Value;
use sha1::{Digest, Sha1};
use vgdl::{Action, Game, Observation, Outcome};

/// How far a trace agrees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agreement {
    /// Ticks of the trace, the state before the first included.
    pub ticks: usize,
    /// Those that agree, from the first on.
    pub agreed: usize,
    /// What differs in the next one.
    pub fault: Option<String>,
}

impl Agreement {
    /// Whether everything agrees.
    pub fn is_full(&self) -> bool {
        self.fault.is_none() && self.agreed == self.ticks
    }
}

fn action(name: Option<&str>) -> Action {
    match name {
        Some("ACTION_UP") => Action::Up,
        Some("ACTION_LEFT") => Action::Left,
        Some("ACTION_DOWN") => Action::Down,
        Some("ACTION_RIGHT") => Action::Right,
        Some("ACTION_USE") => Action::Use,
        _ => Action::Nil,
    }
}

fn winner(outcome: Outcome) -> i8 {
    match outcome {
        Outcome::Open => -1,
        Outcome::Lost => 0,
        Outcome::Won => 1,
    }
}

/// Replays a trace: `head` tells the block size and the order of types, each of `lines` is a tick. The
/// game is at its start.
pub fn replay(mut game: Game, head: &Value, lines: &[Value]) -> Agreement {
    let mut agreement = Agreement { ticks: lines.len(), agreed: 0, fault: start_difference(&game, head) };
    if agreement.fault.is_some() {
        return agreement;
    }
    for line in lines {
        if line["t"].as_i64() != Some(-1) {
            game.advance(&[action(line["a"].as_str())]);
        }
        if let Some(fault) = difference(&game, line) {
            agreement.fault = Some(format!("tick {}: {fault}", line["t"]));
            break;
        }
        agreement.agreed += 1;
    }
    agreement
}

fn start_difference(game: &Game, head: &Value) -> Option<String> {
    let block = i64::from(game.level().block);
    if head["block"].as_i64().is_some_and(|theirs| theirs != block) {
        return Some(format!("cells of {block} pixels for {}", head["block"]));
    }
    let order = head["order"].as_array()?;
    let rules = &game.level().rules;
    let own: Vec<&str> = rules.order.iter().map(|id| rules.kind(*id).name.as_str()).collect();
    let theirs: Vec<&str> = order.iter().filter_map(Value::as_str).collect();
    (own != theirs).then(|| format!("order {own:?} for {theirs:?}"))
}

/// The first difference between a game and a line of a trace.
fn difference(game: &Game, line: &Value) -> Option<String> {
    let state = game.state();
    let same = |name: &str, own: f64| {
        let theirs = line[name].as_f64().unwrap_or(f64::NAN);
        (own != theirs).then(|| format!("{name}: {own} for {theirs}"))
    };
    if line["s"].is_object()
        && let Some(found) = sprite_difference(game, &line["s"])
    {
        return Some(found);
    }
    if line["rng"].as_u64().is_some_and(|theirs| theirs != state.random_state()) {
        return Some("random numbers".to_owned());
    }
    if line["sha1"].as_str().is_some_and(|theirs| theirs != checksum(game)) {
        return Some("checksum of sprites".to_owned());
    }
    if line["end"].as_bool() != Some(state.is_over()) {
        return Some(format!("end: {}", state.is_over()));
    }
    same("score", state.score(0))
        .or_else(|| same("win", f64::from(winner(state.outcome(0)))))
        .or_else(|| same("n", f64::from(state.sprite_count())))
        .or_else(|| same("next", f64::from(state.next_id())))
}

fn sprite_difference(game: &Game, types: &Value) -> Option<String> {
    let (state, rules) = (game.state(), &game.level().rules);
    for id in rules.types() {
        let name = &rules.kind(id).name;
        let theirs = types[name].as_array().map_or(&[] as &[Value], Vec::as_slice);
        let own: Vec<Observation> = state.sprites_of(game.level(), id).collect();
        for (index, theirs) in theirs.iter().enumerate() {
            let Some(own) = own.get(index) else { return Some(format!("{name} {theirs} is missing")) };
            let fields = fields(own);
            if fields.iter().enumerate().any(|(place, &field)| theirs[place].as_f64() != Some(field)) {
                return Some(format!("{name} {fields:?} for {theirs}"));
            }
            let held = state.resources_of(game.level(), own.id);
            let theirs = theirs[11].as_object();
            let amount = |id| theirs.and_then(|map| map.get(&rules.kind(id).name)).and_then(Value::as_i64);
            let agree = held.len() == theirs.map_or(0, serde_json::Map::len)
                && held.iter().all(|&(id, own)| amount(id) == Some(i64::from(own)));
            if !agree {
                return Some(format!("{name} {} holds {held:?} for {theirs:?}", own.id));
            }
        }
        if let Some(surplus) = own.get(theirs.len()) {
            return Some(format!("{name} {surplus:?} is too many"));
        }
    }
    None
}

/// A sprite as traces have it.
fn fields(own: &Observation) -> [f64; 11] {
    [
        f64::from(own.id),
        f64::from(own.rect.x),
        f64::from(own.rect.y),
        f64::from(own.rect.w),
        f64::from(own.rect.h),
        own.direction.x,
        own.direction.y,
        own.speed,
        f64::from(own.last_move),
        f64::from(own.health),
        f64::from(u8::from(own.disabled)),
    ]
}

/// A number as the checksums have it: whole numbers in decimal, others by their bits.
fn printed(value: f64) -> String {
    if value == value.trunc() && value.abs() < 1e15 {
        format!("{}", value as i64)
    } else {
        format!("x{:016x}", value.to_bits())
    }
}

fn checksum(game: &Game) -> String {
    let (state, rules) = (game.state(), &game.level().rules);
    let mut lines = Vec::new();
    for id in rules.types() {
        for own in state.sprites_of(game.level(), id) {
            let numbers: Vec<String> = fields(&own).into_iter().map(printed).collect();
            lines.push(format!("{} {}", rules.kind(id).name, numbers.join(" ")));
        }
    }
    lines.sort_by(|left, right| left.as_bytes().cmp(right.as_bytes()));
    let digest = Sha1::digest(lines.join("\n").as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;
    use vgdl::{Level, SourceFile};

    use super::*;

    fn game() -> Game {
        let text = "BasicGame square_size=10\n SpriteSet\n  avatar > MovingAvatar\n InteractionSet\n  \
                    avatar wall > stepBack\n TerminationSet\n  Timeout limit=9 win=True\n";
        let rules = vgdl::compile(&vgdl::parse(&SourceFile::new("game", text)).description).rules;
        let level = Level::load(Arc::new(rules), &SourceFile::new("level", "wA w\n")).level;
        Game::new(Arc::new(level), 1)
    }

    fn line(tick: i32, x: i32) -> Value {
        json!({
            "t": tick, "a": "ACTION_RIGHT", "score": 0.0, "win": -1, "end": false, "n": 3, "next": 3,
            "s": {
                "wall": [[0, 0, 0, 10, 10, 0, 0, 0, tick.max(0), 0, 0], [2, 30, 0, 10, 10, 0, 0, 0, tick.max(0), 0, 0]],
                "avatar": [[1, x, 0, 10, 10, 0, 0, 1, 0, 0, 0]],
            },
        })
    }

    #[test]
    fn what_differs_is_told() {
        let head = json!({"block": 11});
        assert_eq!(replay(game(), &head, &[]).fault.as_deref(), Some("cells of 10 pixels for 11"));
        let head = json!({"block": 10});
        let full = replay(game(), &head, &[]);
        assert!(full.is_full(), "{full:?}");
        let moved = replay(game(), &head, &[line(-1, 20)]);
        assert!(!moved.is_full());
        assert!(moved.fault.as_deref().is_some_and(|fault| fault.starts_with("tick -1:")), "{moved:?}");
        let bare = json!({"t": -1, "score": 1.0, "end": false, "win": -1, "n": 3, "next": 3});
        assert_eq!(replay(game(), &head, &[bare]).fault.as_deref(), Some("tick -1: score: 0 for 1"));
    }
}
