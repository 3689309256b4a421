//! The archive that `dist/pack` makes has all that belongs to an installation.

#![cfg(unix)]

use std::path::Path;
use std::process::Command;

#[test]
fn a_release_is_packed_with_pages_and_completions() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let has = |program: &str| Command::new(program).arg("--version").output().is_ok();
    if !["bash", "tar", "gzip", "sha256sum", "rustc"].iter().all(|program| has(program)) {
        eprintln!("skipped: bash, tar, gzip, sha256sum and rustc are needed to pack");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let packed = Command::new("bash")
        .arg(root.join("dist/pack"))
        .arg(folder.path())
        .env("LUDENS", env!("CARGO_BIN_EXE_ludens"))
        .output()
        .expect("it runs");
    assert!(packed.status.success(), "{}", String::from_utf8_lossy(&packed.stderr));
    let files: Vec<_> = std::fs::read_dir(folder.path())
        .expect("the folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    let archive = files.iter().find(|name| name.ends_with(".tar.gz")).expect("an archive");
    assert!(files.contains(&format!("{archive}.sha256")), "{files:?}");
    let list = Command::new("tar").arg("-tzf").arg(folder.path().join(archive)).output().expect("it runs");
    let list = String::from_utf8_lossy(&list.stdout);
    for file in [
        "/bin/ludens",
        "/share/man/man1/ludens.1",
        "/share/man/man1/ludens-play.1",
        "/share/bash-completion/completions/ludens",
        "/share/zsh/site-functions/_ludens",
        "/share/fish/vendor_completions.d/ludens.fish",
        "/share/doc/ludens/LICENSE-MIT",
        "/share/doc/ludens/LICENSE-APACHE",
        "/share/doc/ludens/docs/cli.md",
    ] {
        assert!(list.lines().any(|line| line.ends_with(file)), "{file}:\n{list}");
    }
}
