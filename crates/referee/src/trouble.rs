//! What can come of a request, and how trouble is recorded.

/// What came of a PLAY.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The player answered this in time.
    Reply(String),
    /// It did not answer in time.
    Late,
    /// It could not be reached, or what it sent is no HTTP. Says why.
    Unreachable(String),
    /// The host plays this role itself.
    Hosted,
}

/// Trouble with a player, as hosts record it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// No answer in time.
    TimeOut,
    /// The answer is no legal move. Holds it.
    Illegal(String),
    /// No connection. Says why.
    Connection(String),
}

impl Trouble {
    /// The two letters that hosts use.
    pub fn code(&self) -> &'static str {
        match self {
            Trouble::TimeOut => "TO",
            Trouble::Illegal(_) => "IL",
            Trouble::Connection(_) => "CE",
        }
    }
}

/// How much of a foreign text is recorded.
const RECORDED_CHARACTERS: usize = 200;

/// The entry in the record: the letters, and what there is to say.
impl std::fmt::Display for Trouble {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(self.code())?;
        let detail = match self {
            Trouble::TimeOut => return Ok(()),
            Trouble::Illegal(text) | Trouble::Connection(text) => text,
        };
        let shown: String = detail.chars().take(RECORDED_CHARACTERS).collect();
        if shown.is_empty() { Ok(()) } else { write!(out, " {shown}") }
    }
}
