//! What tells one build from another.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;

use sha1::{Digest, Sha1};

/// Digits of a fingerprint: enough that no two builds have the same by chance.
const DIGITS: usize = 16;
/// Bytes that are read at once.
const PART: usize = 1 << 16;

/// What tells this build from others: a version, and a fingerprint of the file that runs. Two builds of a version may
/// play otherwise. The whole file is read: to be asked once.
pub fn this_build(version: &str) -> io::Result<String> {
    let mut file = File::open(running_file()?)?;
    let (mut digest, mut part) = (Sha1::new(), vec![0; PART]);
    loop {
        match file.read(&mut part)? {
            0 => break,
            read => digest.update(&part[..read]),
        }
    }
    Ok(format!("{version}-{}", &hexadecimal(&digest.finalize())[..DIGITS]))
}

/// Linux shows the file that runs although another one may have taken its name since.
fn running_file() -> io::Result<PathBuf> {
    if cfg!(target_os = "linux") { Ok(PathBuf::from("/proc/self/exe")) } else { std::env::current_exe() }
}

/// In hexadecimal digits.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_is_known_by_its_version_and_its_file() {
        let build = this_build("1.2").expect("this runs");
        let whole = std::fs::read(std::env::current_exe().expect("this runs")).expect("a file");
        assert_eq!(build, format!("1.2-{}", &hexadecimal(&Sha1::digest(whole))[..16]));
    }
}
