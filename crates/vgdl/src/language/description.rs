//! A description as it is written: lines with their names, classes and parameters.

use gdl::Span;

/// A word and where it stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Word {
    /// The word.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// `name=value`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The name.
    pub name: Word,
    /// The value.
    pub value: Word,
}

/// A line of the sprite set with the lines below it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpriteLine {
    /// The name of the type.
    pub name: Word,
    /// The class, if the line names one.
    pub class: Option<Word>,
    /// The parameters of the line itself.
    pub parameters: Vec<Parameter>,
    /// The types below it.
    pub children: Vec<SpriteLine>,
}

/// A line of the level mapping.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MappingLine {
    /// The character and where it stands.
    pub character: char,
    /// Where the character stands.
    pub span: Span,
    /// The types that are put into a cell of this character, in this order.
    pub sprites: Vec<Word>,
}

/// A line of the interaction set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InteractionLine {
    /// The type that the effect is for, or `EOS` or `TIME`.
    pub first: Word,
    /// The types it meets, or `EOS` or `TIME`.
    pub second: Vec<Word>,
    /// The effect.
    pub effect: Word,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
}

/// A line of the termination set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TerminationLine {
    /// The class.
    pub class: Word,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
}

/// A whole description.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// The first word, e.g. `BasicGame`.
    pub class: Word,
    /// The parameters of the game's line.
    pub parameters: Vec<Parameter>,
    /// The sprite set.
    pub sprites: Vec<SpriteLine>,
    /// The level mapping.
    pub mappings: Vec<MappingLine>,
    /// The interaction set.
    pub interactions: Vec<InteractionLine>,
    /// The termination set.
    pub terminations: Vec<TerminationLine>,
    /// How many faults the reference framework would have noted in its log while reading the lines.
    pub(crate) logged: u32,
}
