//! The values of some parameters.

use crate::parameter::{Parameter, Read, Typed, Value};

/// A value that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParameterError {
    /// There is no such parameter.
    #[error("there is no parameter `{name}`{hint}; `ludens agents` lists them", hint = hint(.near.as_deref()))]
    Unknown {
        /// What was given.
        name: String,
        /// What may have been meant.
        near: Option<String>,
    },
    /// The value does not fit.
    #[error("`{value}` is no value for `{name}`: {expected}")]
    Value {
        /// The parameter.
        name: &'static str,
        /// What was given.
        value: String,
        /// What is wanted.
        expected: String,
    },
}

/// What to ask about a name that may have been meant.
pub(crate) fn hint(near: Option<&str>) -> String {
    near.map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default()
}

/// The name that is nearest to what was written, if one is near.
pub(crate) fn nearest<'a>(written: &str, names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    /// Below this, names have nothing to do with each other.
    const NEAR: f64 = 0.75;
    let rated = names.into_iter().map(|name| (strsim::jaro_winkler(written, name), name));
    let best = rated.max_by(|one, other| one.0.total_cmp(&other.0));
    best.filter(|(likeness, _)| *likeness >= NEAR).map(|(_, name)| name.to_owned())
}

/// The values of some parameters, and which of them were given by someone.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    entries: Vec<Entry>,
}

#[derive(Clone, Debug)]
struct Entry {
    row: Parameter,
    value: Value,
    is_given: bool,
}

impl Settings {
    /// The defaults of some parameters; of several with one name the first counts.
    pub fn new(rows: impl IntoIterator<Item = Parameter>) -> Self {
        let mut entries: Vec<Entry> = Vec::new();
        for row in rows {
            if entries.iter().all(|entry| entry.row.name != row.name) {
                entries.push(Entry { value: row.default, row, is_given: false });
            }
        }
        Self { entries }
    }

    /// Whether there are no parameters.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// All parameters and their values.
    pub fn iter(&self) -> impl Iterator<Item = (&Parameter, Value)> {
        self.entries.iter().map(|entry| (&entry.row, entry.value))
    }

    fn find(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.row.is_called(name))
    }

    fn find_mut(&mut self, name: &str) -> Result<&mut Entry, ParameterError> {
        let near = || nearest(name, self.entries.iter().map(|entry| entry.row.name));
        match self.entries.iter().position(|entry| entry.row.is_called(name)) {
            Some(place) => Ok(&mut self.entries[place]),
            None => Err(ParameterError::Unknown { near: near(), name: name.to_owned() }),
        }
    }

    /// Gives a parameter a value, as it is written.
    pub fn set(&mut self, name: &str, text: &str) -> Result<(), ParameterError> {
        let entry = self.find_mut(name)?;
        entry.value = entry.row.range.read(text).ok_or_else(|| ParameterError::Value {
            name: entry.row.name,
            value: text.to_owned(),
            expected: entry.row.range.to_string(),
        })?;
        entry.is_given = true;
        Ok(())
    }

    /// Says what is not default but was not asked for either: someone may still say otherwise.
    pub fn preset(&mut self, name: &str, text: &str) -> Result<(), ParameterError> {
        self.set(name, text)?;
        self.find_mut(name)?.is_given = false;
        Ok(())
    }

    /// Offers a value for a parameter: taken within its range, unless there is no such parameter or it was
    /// given a value.
    pub fn offer(&mut self, row: &Typed<u32>, value: u32) {
        if let Ok(entry) = self.find_mut(row.name())
            && !entry.is_given
            && let crate::Range::Whole { least, most } = entry.row.range
        {
            entry.value = Value::Whole(u64::from(value).clamp(least, most));
        }
    }

    /// Whether somebody gave a parameter a value.
    pub fn is_given(&self, name: &str) -> bool {
        self.find(name).is_some_and(|entry| entry.is_given)
    }

    /// A value by its name.
    pub fn get(&self, name: &str) -> Option<Value> {
        self.find(name).map(|entry| entry.value)
    }

    /// The value of a row; its default if these settings have no such row.
    pub fn of<T: Read + Clone>(&self, row: &Typed<T>) -> T {
        self.get(row.name()).and_then(T::read).unwrap_or_else(|| row.default())
    }

    /// What differs from the defaults, by name.
    pub fn differences(&self) -> Vec<(&'static str, Value)> {
        let differing = self.entries.iter().filter(|entry| entry.value != entry.row.default);
        let mut all: Vec<_> = differing.map(|entry| (entry.row.name, entry.value)).collect();
        all.sort_by_key(|(name, _)| *name);
        all
    }
}

/// Equal if all values are, whoever gave them.
impl PartialEq for Settings {
    fn eq(&self, other: &Self) -> bool {
        let values = |settings: &Self| -> Vec<(&'static str, Value)> {
            settings.iter().map(|(row, value)| (row.name, value)).collect()
        };
        values(self) == values(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MEMORY, THREADS};

    fn settings() -> Settings {
        let mut renamed = Typed::<f64>::real("final", 0.5, 0.0, 1.0, "", "").row();
        renamed.aliases = &["finally"];
        Settings::new([THREADS.row(), MEMORY.row(), renamed, THREADS.row()])
    }

    #[test]
    fn values_are_read_by_name_and_alias() {
        let mut settings = settings();
        assert_eq!(settings.iter().count(), 3, "one row a name");
        settings.set("finally", "0.25").expect("an old name");
        assert_eq!(settings.get("final"), Some(Value::Real(0.25)));
        assert_eq!(settings.differences(), [("final", Value::Real(0.25))]);
        assert_eq!(settings.of(&THREADS), 1);
    }

    #[test]
    fn faults_say_what_to_do() {
        let mut settings = settings();
        let error = settings.set("thread", "2").expect_err("no such name").to_string();
        assert!(error.contains("did you mean `threads`?"), "{error}");
        let error = settings.set("threads", "0").expect_err("no such value").to_string();
        assert_eq!(error, "`0` is no value for `threads`: 1 to 256");
        assert!(!settings.set("xyz", "0").expect_err("no such name").to_string().contains("mean"));
    }

    #[test]
    fn offers_are_taken_where_nothing_was_given() {
        let mut settings = settings();
        settings.preset("memory", "64").expect("a value");
        settings.set("threads", "3").expect("a value");
        settings.offer(&THREADS, 2);
        settings.offer(&MEMORY, 1);
        assert_eq!((settings.of(&THREADS), settings.of(&MEMORY)), (3, 16));
        let mut none = Settings::default();
        none.offer(&THREADS, 2);
        assert!(none.is_empty());
    }
}
