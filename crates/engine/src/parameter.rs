//! A parameter as data: its name, what it may be, what it is unless told otherwise, where it comes from.

use std::borrow::Cow;
use std::fmt;

/// A row of a table of parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Names it had before; they are still understood.
    pub aliases: &'static [&'static str],
    /// What it does.
    pub help: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// What it may be.
    pub range: Range,
    /// What it is unless told otherwise.
    pub default: Value,
}

/// What a parameter may be.
#[derive(Clone, Debug, PartialEq)]
pub enum Range {
    /// True or false.
    Flag,
    /// A whole number.
    Whole {
        /// The least.
        least: u64,
        /// The most.
        most: u64,
    },
    /// A number.
    Real {
        /// The least.
        least: f64,
        /// The most.
        most: f64,
    },
    /// One of some words.
    Word(Cow<'static, [&'static str]>),
}

/// The value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// True or false.
    Flag(bool),
    /// A whole number.
    Whole(u64),
    /// A number.
    Real(f64),
    /// A word.
    Word(&'static str),
}

impl Parameter {
    /// Whether it goes by a name.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.aliases.contains(&name)
    }
}

impl Range {
    /// The value that a text means, if it may be that.
    pub fn read(&self, text: &str) -> Option<Value> {
        match self {
            Range::Flag => text.parse().ok().map(Value::Flag),
            Range::Whole { least, most } => {
                text.parse().ok().filter(|value| (least..=most).contains(&value)).map(Value::Whole)
            }
            Range::Real { least, most } => {
                text.parse().ok().filter(|value| (least..=most).contains(&value)).map(Value::Real)
            }
            Range::Word(words) => words.iter().find(|word| **word == text).map(|word| Value::Word(word)),
        }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Range::Flag => out.write_str("true or false"),
            Range::Whole { least, most } => write!(out, "{least} to {most}"),
            Range::Real { least, most } => write!(out, "{least} to {most}"),
            Range::Word(words) => match &words[..] {
                [] => out.write_str("nothing"),
                [one] => out.write_str(one),
                [first @ .., last] => write!(out, "{} or {last}", first.join(", ")),
            },
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Flag(value) => value.fmt(out),
            Value::Whole(value) => value.fmt(out),
            Value::Real(value) => value.fmt(out),
            Value::Word(value) => out.write_str(value),
        }
    }
}

/// A type that a parameter can have.
pub trait Read: Sized {
    /// What a value means; `None` if it is of another kind.
    fn read(value: Value) -> Option<Self>;
    /// As a value.
    fn value(self) -> Value;
}

macro_rules! read {
    ($($kind:ty, $variant:ident: $base:ty;)*) => { $(
        impl Read for $kind {
            fn read(value: Value) -> Option<Self> {
                match value {
                    Value::$variant(value) => value.try_into().ok(),
                    _ => None,
                }
            }

            fn value(self) -> Value {
                Value::$variant(<$base>::from(self))
            }
        }
    )* };
}

read! {
    bool, Flag: bool;
    u32, Whole: u64;
    u64, Whole: u64;
    f64, Real: f64;
    &'static str, Word: &'static str;
}

/// A row whose values have a type, so that who reads it cannot ask for another one.
#[derive(Clone, Debug)]
pub struct Typed<T> {
    row: Parameter,
    default: T,
}

impl<T: Clone> Typed<T> {
    /// The row.
    pub fn row(&self) -> Parameter {
        self.row.clone()
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.row.name
    }

    /// What it is unless told otherwise.
    pub fn default(&self) -> T {
        self.default.clone()
    }
}

/// Rows of which nothing but the range differs by type.
macro_rules! typed {
    ($($make:ident($kind:ty, $($bound:ident: $type:ty),*) => $variant:ident, $range:expr;)*) => { $(
        impl Typed<$kind> {
            /// A row; what it does is said last, where it comes from before that.
            pub const fn $make(
                name: &'static str,
                default: $kind,
                $($bound: $type,)*
                source: &'static str,
                help: &'static str,
            ) -> Self {
                #[allow(clippy::unnecessary_cast)]
                let value = Value::$variant(default as _);
                Self { row: Parameter { name, aliases: &[], help, source, range: $range, default: value }, default }
            }
        }
    )* };
}

typed! {
    flag(bool,) => Flag, Range::Flag;
    whole(u32, least: u32, most: u32) => Whole, Range::Whole { least: least as u64, most: most as u64 };
    real(f64, least: f64, most: f64) => Real, Range::Real { least, most };
    word(&'static str, words: &'static [&'static str]) => Word, Range::Word(Cow::Borrowed(words));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_say_what_they_take() {
        let word = Range::Word(Cow::Borrowed(&["one", "two", "three"]));
        for (range, text, good, bad) in [
            (Range::Flag, "true or false", "true", "yes"),
            (Range::Whole { least: 1, most: 9 }, "1 to 9", "9", "10"),
            (Range::Real { least: 0.01, most: 10_000.0 }, "0.01 to 10000", "0.5", "NaN"),
            (word, "one, two or three", "two", "four"),
        ] {
            assert_eq!(range.to_string(), text);
            assert_eq!(range.read(good).map(|value| value.to_string()).as_deref(), Some(good));
            assert_eq!(range.read(bad), None, "{text}");
        }
    }
}
