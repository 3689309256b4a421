//! Names, and the shapes of what can be true.
//!
//! A shape is an atom without its constants: `(cell 1 1 b)` and `(cell 2 3 x)` have the shape `cell(_,_,_)` with
//! three slots. Functions inside are part of the shape, so that slots hold constants only.

use std::fmt::Write;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A constant of the rules, by its place among those of a [`Vocabulary`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConstantId(pub u32);

/// A shape, by its place in a [`Vocabulary`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ShapeId(pub u32);

/// What fills the slots of a shape.
pub type Constants = SmallVec<[ConstantId; 4]>;

/// Whether something is part of the state or follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// What `true` says.
    Fact,
    /// What the rules derive from that.
    Derived,
}

/// An argument of a relation or function: name, number of arguments, and which of them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The relation or function.
    pub name: String,
    /// How many arguments it has.
    pub arity: usize,
    /// Which of them, from 0.
    pub index: usize,
}

/// A term with a slot for each constant that is an argument.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Skeleton {
    /// A slot.
    Slot,
    /// A name that is no argument, or a function.
    Named(String, Vec<Skeleton>),
}

/// A shape.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Whether it is of facts.
    pub kind: Kind,
    /// The term.
    pub skeleton: Skeleton,
    /// Where its slots are, in order.
    pub positions: Vec<Position>,
}

/// All names and shapes that were met.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    names: Vec<String>,
    ids: FxHashMap<String, ConstantId>,
    shapes: Vec<Shape>,
    shape_ids: FxHashMap<(Kind, Skeleton), ShapeId>,
}

/// Terms nested deeper than this are not looked at.
const DEEPEST: usize = 64;

impl Vocabulary {
    /// The constant of a name, which is remembered.
    pub fn constant(&mut self, name: &str) -> ConstantId {
        if let Some(&known) = self.ids.get(name) {
            return known;
        }
        let id = ConstantId(self.names.len() as u32);
        self.names.push(name.to_owned());
        self.ids.insert(name.to_owned(), id);
        id
    }

    /// The constant of a name, if it is known.
    pub fn find(&self, name: &str) -> Option<ConstantId> {
        self.ids.get(name).copied()
    }

    /// The name of a constant.
    pub fn name(&self, constant: ConstantId) -> &str {
        self.names.get(constant.0 as usize).map_or("", String::as_str)
    }

    /// A shape.
    pub fn shape(&self, id: ShapeId) -> &Shape {
        &self.shapes[id.0 as usize]
    }

    /// All shapes.
    pub fn shapes(&self) -> impl Iterator<Item = (ShapeId, &Shape)> {
        (0..).map(ShapeId).zip(&self.shapes)
    }

    /// Reads an atom in canonical KIF: its shape and what fills the slots. `None` if it is nested too deep or is no
    /// term.
    pub fn read(&mut self, kind: Kind, text: &str) -> Option<(ShapeId, Constants)> {
        let (skeleton, names) = parse(text)?;
        let shape = match self.shape_ids.get(&(kind, skeleton.clone())) {
            Some(&known) => known,
            None => {
                let id = ShapeId(self.shapes.len() as u32);
                let mut positions = Vec::new();
                list_positions(&skeleton, &mut positions);
                self.shape_ids.insert((kind, skeleton.clone()), id);
                self.shapes.push(Shape { kind, skeleton, positions });
                id
            }
        };
        Some((shape, names.iter().map(|name| self.constant(name)).collect()))
    }

    /// As [`Vocabulary::read`], of shapes and names that are known; `None` for others.
    pub fn look_up(&self, kind: Kind, text: &str) -> Option<(ShapeId, Vec<Option<ConstantId>>)> {
        let (skeleton, names) = parse(text)?;
        let shape = *self.shape_ids.get(&(kind, skeleton))?;
        Some((shape, names.iter().map(|name| self.find(name)).collect()))
    }

    /// An expression of a shape as the paper writes it: `cell(?,?,wp)`.
    pub fn write(&self, shape: ShapeId, slots: &[Option<ConstantId>]) -> String {
        let mut out = String::new();
        let mut slots = slots.iter();
        let mut name = || match slots.next() {
            Some(Some(constant)) => self.name(*constant).to_owned(),
            _ => "?".to_owned(),
        };
        write_skeleton(&self.shape(shape).skeleton, &mut name, &mut out);
        out
    }
}

fn write_skeleton(skeleton: &Skeleton, slot: &mut impl FnMut() -> String, out: &mut String) {
    match skeleton {
        Skeleton::Slot => out.push_str(&slot()),
        Skeleton::Named(name, arguments) => {
            out.push_str(name);
            for (place, argument) in arguments.iter().enumerate() {
                // Writing to a string does not fail.
                let _ = out.write_char(if place == 0 { '(' } else { ',' });
                write_skeleton(argument, slot, out);
            }
            if !arguments.is_empty() {
                out.push(')');
            }
        }
    }
}

fn list_positions(skeleton: &Skeleton, out: &mut Vec<Position>) {
    let Skeleton::Named(name, arguments) = skeleton else { return };
    for (index, argument) in arguments.iter().enumerate() {
        match argument {
            Skeleton::Slot => {
                out.push(Position { name: name.clone(), arity: arguments.len(), index });
            }
            Skeleton::Named(..) => list_positions(argument, out),
        }
    }
}

/// A term in KIF as a skeleton and the names in its slots.
fn parse(text: &str) -> Option<(Skeleton, Vec<&str>)> {
    let mut names: Vec<&str> = Vec::new();
    let mut open: Vec<(Option<&str>, Vec<Skeleton>)> = Vec::new();
    let mut rest = text.trim();
    loop {
        rest = rest.trim_start();
        let end = rest.find(|letter: char| letter.is_whitespace() || letter == '(' || letter == ')');
        let done = match rest.chars().next()? {
            '(' => {
                rest = &rest[1..];
                // A list has a name before anything else.
                let is_named = open.last().is_none_or(|(name, _)| name.is_some());
                (is_named && open.len() < DEEPEST).then_some(())?;
                open.push((None, Vec::new()));
                continue;
            }
            ')' => {
                rest = &rest[1..];
                let (name, arguments) = open.pop()?;
                Skeleton::Named(name?.to_owned(), arguments)
            }
            _ => {
                let (token, after) = rest.split_at(end.unwrap_or(rest.len()));
                rest = after;
                match open.last_mut() {
                    Some((name @ None, _)) => {
                        *name = Some(token);
                        continue;
                    }
                    Some(_) => {
                        names.push(token);
                        Skeleton::Slot
                    }
                    None => Skeleton::Named(token.to_owned(), Vec::new()),
                }
            }
        };
        match open.last_mut() {
            Some((_, arguments)) => arguments.push(done),
            None => return rest.trim().is_empty().then_some((done, names)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atoms_are_read_and_written() {
        let mut words = Vocabulary::default();
        let (shape, constants) = words.read(Kind::Fact, "(at (pos 1 2) rook)").expect("a term");
        assert_eq!(constants.len(), 3);
        let slots: Vec<_> = constants.iter().map(|&id| Some(id)).collect();
        assert_eq!(words.write(shape, &slots), "at(pos(1,2),rook)");
        assert_eq!(words.write(shape, &[None, slots[1], None]), "at(pos(?,2),?)");
        let positions: Vec<_> = words.shape(shape).positions.iter().map(|p| (&p.name[..], p.index)).collect();
        assert_eq!(positions, [("pos", 0), ("pos", 1), ("at", 1)]);
        let (other, none) = words.read(Kind::Fact, "done").expect("a term");
        assert!(none.is_empty() && other != shape && words.write(other, &[]) == "done");
        // What is derived is something else than a fact of the same name.
        assert_ne!(words.read(Kind::Derived, "done").map(|read| read.0), Some(other));
    }

    #[test]
    fn what_is_no_term_is_not_read() {
        for text in ["", "(", ")", "()", "(a", "a b", "(a) b", "((a) b)"] {
            assert_eq!(parse(text), None, "{text}");
        }
        assert_eq!(parse(&"(f ".repeat(100)), None);
        let words = Vocabulary::default();
        assert!(words.look_up(Kind::Fact, "(cell 1 1)").is_none());
    }
}
