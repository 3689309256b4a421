//! Rules as trees of words.

/// A word, or a list of trees.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Tree {
    Word(String),
    List(Vec<Tree>),
}

impl Tree {
    /// The rules of a sheet; comments are left out.
    pub(crate) fn read(text: &str) -> Vec<Tree> {
        let mut open: Vec<Vec<Tree>> = vec![Vec::new()];
        let spaced: String =
            text.lines().map(|line| line.split(';').next().unwrap_or("").to_owned() + "\n").collect();
        for token in spaced.replace('(', " ( ").replace(')', " ) ").split_whitespace() {
            let done = match token {
                "(" => {
                    open.push(Vec::new());
                    continue;
                }
                ")" => match open.pop() {
                    Some(list) if !open.is_empty() => Tree::List(list),
                    _ => return Vec::new(),
                },
                word => Tree::Word(word.to_owned()),
            };
            if let Some(last) = open.last_mut() {
                last.push(done);
            }
        }
        open.pop().unwrap_or_default()
    }

    /// Whether it begins with this word.
    pub(crate) fn is(&self, word: &str) -> bool {
        matches!(self, Tree::List(list) if list.first() == Some(&Tree::Word(word.to_owned())))
    }

    /// How many trees there are in it, itself included.
    pub(crate) fn size(&self) -> usize {
        match self {
            Tree::Word(_) => 1,
            Tree::List(list) => 1 + list.iter().map(Tree::size).sum::<usize>(),
        }
    }

    /// The tree at a place, counted from the outside in.
    pub(crate) fn at(&mut self, place: usize) -> Option<&mut Tree> {
        if place == 0 {
            return Some(self);
        }
        let Tree::List(list) = self else { return None };
        let mut rest = place - 1;
        for tree in list {
            let size = tree.size();
            if rest < size {
                return tree.at(rest);
            }
            rest -= size;
        }
        None
    }
}

impl std::fmt::Display for Tree {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Tree::Word(word) => out.write_str(word),
            Tree::List(list) => {
                out.write_str("(")?;
                for (index, tree) in list.iter().enumerate() {
                    let blank = if index > 0 { " " } else { "" };
                    write!(out, "{blank}{tree}")?;
                }
                out.write_str(")")
            }
        }
    }
}
