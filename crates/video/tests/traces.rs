//! Games that the GVG-AI framework played, replayed tick by tick: every sprite must be where it was.

mod corpus;

use std::io::Read;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use vgdl::Game;
use video::trace::Agreement;

fn replay(folder: &Path, head: &Value, lines: &[Value]) -> Agreement {
    let file = |key: &str| {
        let path = head[key].as_str().expect("a path");
        folder.join("games").join(path.rsplit('/').next().expect("a name"))
    };
    let level = corpus::level(&file("game"), &file("level"));
    video::trace::replay(Game::new(level, head["seed"].as_i64().expect("a seed")), head, lines)
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
            all.push((name, replay(&folder, &lines[0], &lines[1..])));
        } else if name.ends_with(".json.gz") {
            let trace = unpack_gz(&path);
            all.push((name, replay(&folder, &trace, trace["ticks"].as_array().expect("ticks"))));
        }
    }
    let failed = all.iter().filter(|(_, one)| !one.is_full()).count();
    for (name, Agreement { ticks, agreed, fault }) in &all {
        println!("{name:42} {agreed:4} of {ticks:4} {}", fault.as_deref().unwrap_or_default());
    }
    println!("{} of {} traces agree", all.len() - failed, all.len());
    assert_eq!(failed, 0, "traces that do not agree");
}
