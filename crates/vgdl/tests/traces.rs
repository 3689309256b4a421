//! Games that the GVG-AI framework played, replayed tick by tick: every sprite must be where it was.

mod corpus;

use std::io::Read;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use sha1::{Digest, Sha1};
use vgdl::{Action, Game, Observation, Outcome};

/// How far a trace agrees.
struct Agreement {
    name: String,
    ticks: usize,
    agreed: usize,
    fault: String,
}

fn action(name: &str) -> Action {
    match name {
        "ACTION_UP" => Action::Up,
        "ACTION_LEFT" => Action::Left,
        "ACTION_DOWN" => Action::Down,
        "ACTION_RIGHT" => Action::Right,
        "ACTION_USE" => Action::Use,
        _ => Action::Nil,
    }
}

fn winner(outcome: Outcome) -> i64 {
    match outcome {
        Outcome::Open => -1,
        Outcome::Lost => 0,
        Outcome::Won => 1,
    }
}

fn start(folder: &Path, head: &Value) -> Game {
    let file = |key: &str| {
        let path = head[key].as_str().expect("a path");
        folder.join("games").join(path.rsplit('/').next().expect("a name"))
    };
    let rules = corpus::rules(&file("game"));
    let level = corpus::level(&rules, &file("level"));
    assert_eq!(i64::from(level.block), head["block"].as_i64().expect("a size"), "block");
    Game::new(level, head["seed"].as_i64().expect("a seed"))
}

/// The first difference between a game and a line of a trace.
fn difference(game: &Game, line: &Value, sprites: bool) -> Option<String> {
    let state = game.state();
    let same = |name: &str, own: f64| {
        let theirs = line[name].as_f64().unwrap_or(f64::NAN);
        (own != theirs).then(|| format!("{name}: {own} for {theirs}"))
    };
    if sprites && let Some(found) = sprite_difference(game, &line["s"]) {
        return Some(found);
    }
    if let Some(theirs) = line["rng"].as_u64()
        && theirs != state.random_state()
    {
        return Some("random numbers".into());
    }
    if let Some(theirs) = line["sha1"].as_str()
        && theirs != checksum(game)
    {
        return Some("checksum of sprites".into());
    }
    if line["end"].as_bool() != Some(state.is_over()) {
        return Some(format!("end: {}", state.is_over()));
    }
    same("score", state.score(0))
        .or_else(|| same("win", winner(state.outcome(0)) as f64))
        .or_else(|| same("n", f64::from(state.sprite_count())))
        .or_else(|| same("next", f64::from(state.next_id())))
}

fn sprite_difference(game: &Game, types: &Value) -> Option<String> {
    let (state, rules) = (game.state(), &game.level().rules);
    for kind in &rules.kinds {
        let id = rules.type_named(&kind.name).expect("its own name");
        let theirs = types[&kind.name].as_array().map_or(&[] as &[Value], Vec::as_slice);
        let own: Vec<Observation> = state.sprites_of(game.level(), id).collect();
        for (index, theirs) in theirs.iter().enumerate() {
            let Some(own) = own.get(index) else { return Some(format!("{} {theirs} is missing", kind.name)) };
            let fields = [
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
            ];
            if fields.iter().enumerate().any(|(place, &field)| theirs[place].as_f64() != Some(field)) {
                return Some(format!("{} {fields:?} for {theirs}", kind.name));
            }
            let held = state.resources_of(game.level(), own.id);
            let theirs = theirs[11].as_object();
            let agree = held.len() == theirs.map_or(0, |map| map.len())
                && held.iter().all(|(id, amount)| {
                    theirs.and_then(|map| map.get(&rules.kind(*id).name)).and_then(Value::as_i64)
                        == Some(i64::from(*amount))
                });
            if !agree {
                return Some(format!("{} {} holds {held:?} for {theirs:?}", kind.name, own.id));
            }
        }
        if own.len() > theirs.len() {
            return Some(format!("{} {:?} is too many", kind.name, own[theirs.len()]));
        }
    }
    None
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
    for kind in &rules.kinds {
        let id = rules.type_named(&kind.name).expect("its own name");
        for own in state.sprites_of(game.level(), id) {
            lines.push(format!(
                "{} {} {} {} {} {} {} {} {} {} {} {}",
                kind.name,
                own.id,
                own.rect.x,
                own.rect.y,
                own.rect.w,
                own.rect.h,
                printed(own.direction.x),
                printed(own.direction.y),
                printed(own.speed),
                own.last_move,
                own.health,
                u8::from(own.disabled)
            ));
        }
    }
    lines.sort_by(|left, right| left.as_bytes().cmp(right.as_bytes()));
    let digest = Sha1::digest(lines.join("\n").as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn replay(name: String, folder: &Path, head: &Value, lines: &[Value]) -> Agreement {
    let mut game = start(folder, head);
    let mut agreement = Agreement { name, ticks: lines.len(), agreed: 0, fault: String::new() };
    if let Some(order) = head["order"].as_array() {
        let rules = &game.level().rules;
        let own: Vec<&str> = rules.order.iter().map(|id| rules.kind(*id).name.as_str()).collect();
        let theirs: Vec<&str> = order.iter().filter_map(Value::as_str).collect();
        if own != theirs {
            agreement.fault = format!("order {own:?} for {theirs:?}");
            return agreement;
        }
    }
    for line in lines {
        if line["t"].as_i64() != Some(-1) {
            game.advance(&[action(line["a"].as_str().expect("an action"))]);
        }
        if let Some(fault) = difference(&game, line, line["s"].is_object()) {
            agreement.fault = format!("tick {}: {fault}", line["t"]);
            break;
        }
        agreement.agreed += 1;
    }
    agreement
}

fn unpack_xz(path: &Path) -> Vec<Value> {
    let output = Command::new("xz").arg("-dc").arg(path).output().expect("xz is installed");
    assert!(output.status.success(), "{}", path.display());
    let text = String::from_utf8(output.stdout).expect("text");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn unpack_gz(path: &Path) -> Value {
    let file = std::fs::File::open(path).expect("a file");
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).expect("gzip");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn every_trace_of_the_framework_is_replayed_exactly() {
    let Some(folder) = corpus::folder() else { return };
    let mut paths: Vec<_> = std::fs::read_dir(folder.join("traces"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    let only = std::env::var("VGDL_TRACE").unwrap_or_default();
    let mut all = Vec::new();
    for path in paths {
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
        if !name.contains(&only) {
            continue;
        }
        if name.ends_with(".jsonl.xz") {
            let lines = unpack_xz(&path);
            all.push(replay(name, &folder, &lines[0], &lines[1..]));
        } else if name.ends_with(".json.gz") {
            let trace = unpack_gz(&path);
            all.push(replay(name, &folder, &trace, trace["ticks"].as_array().expect("ticks")));
        }
    }
    let failed = all.iter().filter(|one| one.agreed < one.ticks).count();
    for one in &all {
        println!("{:42} {:4} of {:4} {}", one.name, one.agreed, one.ticks, one.fault);
    }
    println!("{} of {} traces agree", all.len() - failed, all.len());
    assert_eq!(failed, 0, "traces that do not agree");
}
