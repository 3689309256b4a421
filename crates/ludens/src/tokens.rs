//! Words that only some know, by which players and hosts trust each other.

use anyhow::bail;

/// Where a token is looked for that is not given: others on this computer can read what commands were given.
pub(crate) const VARIABLE: &str = "LUDENS_TOKEN";

/// Shorter words are guessed.
const LEAST: usize = 12;

/// A token that can be sent in a header and in an address.
pub(crate) fn token(text: &str) -> Result<String, String> {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-._~".contains(letter);
    if text.len() >= LEAST && text.chars().all(is_plain) {
        return Ok(text.to_owned());
    }
    Err(format!("write at least {LEAST} letters, digits and any of - . _ ~"))
}

/// The token in a variable of the environment, if it is set.
pub(crate) fn from_environment(variable: &str) -> anyhow::Result<Option<String>> {
    match std::env::var(variable) {
        Ok(text) => match token(&text) {
            Ok(token) => Ok(Some(token)),
            Err(why) => bail!("{variable}: {why}"),
        },
        Err(_) => Ok(None),
    }
}

/// The same where there has to be one.
pub(crate) fn required(variable: &str) -> anyhow::Result<String> {
    match from_environment(variable)? {
        Some(token) => Ok(token),
        None => {
            bail!("the token is looked for in {variable}, which is not set; set it to the player's token")
        }
    }
}
