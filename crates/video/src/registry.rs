//! All players by name.

use engine::{ParameterError, Settings, UnknownName};

use crate::{Player, PlayerRow};

/// A player cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum MakeError {
    /// There is no such player.
    #[error(transparent)]
    Unknown(#[from] UnknownName),
    /// A parameter cannot be understood.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// A parameter has no value.
    #[error("`{0}` is no parameter with a value; write NAME=VALUE")]
    Incomplete(String),
}

/// A player's row and the values of its parameters.
#[derive(Clone, Debug)]
pub struct Made {
    /// The row.
    pub row: PlayerRow,
    /// The values.
    pub settings: Settings,
}

impl Made {
    /// A new player.
    pub fn player(&self, seed: u64) -> Box<dyn Player> {
        (self.row.make)(&self.settings, seed)
    }

    /// The name with what differs from the defaults.
    pub fn name(&self) -> String {
        let differences = self.settings.differences();
        let values: Vec<String> = differences.iter().map(|(name, value)| format!("{name}={value}")).collect();
        match &values[..] {
            [] => self.row.name.to_owned(),
            _ => format!("{}:{}", self.row.name, values.join(",")),
        }
    }
}

/// The table of players.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    rows: Vec<PlayerRow>,
}

impl Registry {
    /// A table of players.
    pub fn new(rows: Vec<PlayerRow>) -> Self {
        Self { rows }
    }

    /// All rows.
    pub fn rows(&self) -> &[PlayerRow] {
        &self.rows
    }

    /// The row of a name.
    pub fn row(&self, name: &str) -> Result<&PlayerRow, UnknownName> {
        let names = || self.rows.iter().map(|row| row.name);
        let found = self.rows.iter().find(|row| row.name == name);
        found.ok_or_else(|| UnknownName::new("player", name, names()))
    }

    /// A player as it is written: `NAME` or `NAME:PARAMETER=VALUE,..`.
    ///
    /// ```
    /// let registry = video::players::registry();
    /// let mcts = registry.read("mcts:depth=12")?;
    /// assert_eq!(mcts.name(), "mcts:depth=12");
    /// assert!(registry.read("mtcs").unwrap_err().to_string().contains("did you mean `mcts`?"));
    /// # Ok::<(), video::MakeError>(())
    /// ```
    pub fn read(&self, text: &str) -> Result<Made, MakeError> {
        let (name, values) = text.split_once(':').unwrap_or((text, ""));
        let row = *self.row(name)?;
        let mut settings = Settings::new((row.parameters)());
        for pair in values.split(',').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').ok_or_else(|| MakeError::Incomplete(pair.to_owned()))?;
            settings.set(name, value)?;
        }
        Ok(Made { row, settings })
    }
}
