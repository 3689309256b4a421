//! Embeds the pages of `docs/gdl` and `docs/vgdl`, for `ludens explain`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let variable = |name| env::var_os(name).ok_or_else(|| io::Error::other(format!("{name} is not set")));
    let docs = Path::new(&variable("CARGO_MANIFEST_DIR")?).join("../../docs").canonicalize()?;
    let mut table = String::from("&[\n");
    for kind in ["gdl", "vgdl"] {
        let folder = docs.join(kind);
        println!("cargo::rerun-if-changed={}", folder.display());
        let mut pages: Vec<PathBuf> =
            fs::read_dir(&folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
        pages.retain(|page| page.extension().is_some_and(|extension| extension == "md"));
        pages.sort();
        for page in pages {
            let name = page.file_stem().and_then(|name| name.to_str());
            let Some(name) = name.filter(|name| *name != "README") else { continue };
            writeln!(table, "    ({kind:?}, {name:?}, include_str!({page:?})),").map_err(io::Error::other)?;
        }
    }
    table.push_str("]\n");
    fs::write(Path::new(&variable("OUT_DIR")?).join("pages.rs"), table)
}
