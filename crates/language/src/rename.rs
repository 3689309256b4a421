//! Giving a name another spelling everywhere.

use gdl::{Edit, TokenKind, keyword, tokenize};

use crate::Document;
use crate::words::{Name, Word};

/// Why a name stays as it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RenameError {
    /// The place holds blanks, a parenthesis, a comment, or a rule that cannot be read.
    #[error("there is no name here that can be changed")]
    NoName,
    /// The language gives it its meaning.
    #[error("`{0}` is a keyword of the language")]
    Keyword(String),
    /// The new name is not one word.
    #[error("`{0}` is not a name: write one word without blanks, parentheses and `;`")]
    NotAWord(String),
    /// A variable needs its `?`, and nothing else may have it.
    #[error("names of variables begin with `?`, other names do not")]
    QuestionMark,
    /// Two names would become one.
    #[error("`{0}` stands for something else already")]
    Taken(String),
    /// Some of its places are in rules that cannot be read.
    #[error("`{0}` also stands in a rule that cannot be read; mend its syntax first")]
    Unread(String),
}

impl Document {
    /// The name at a place that can be changed, and where it stands.
    pub fn renamable(&self, at: u32) -> Result<Word, RenameError> {
        let word = self.word(at).ok_or(RenameError::NoName)?;
        let (symbols, symbol) = (&self.parsed.sheet.symbols, word.name.symbol());
        // `random` is a role as well.
        if matches!(word.name, Name::Keyword(_)) || keyword::is_keyword(symbol) {
            return Err(RenameError::Keyword(symbols.name(symbol).to_owned()));
        }
        if self.parsed.unread.contains(&symbol) {
            return Err(RenameError::Unread(symbols.spelling(symbol).to_owned()));
        }
        Ok(word)
    }

    /// What has to be written to give the name at a place another spelling.
    pub fn rename(&self, at: u32, new: &str) -> Result<Vec<Edit>, RenameError> {
        let word = self.renamable(at)?;
        let mut tokens = tokenize(new);
        let is_word =
            tokens.next().is_some_and(|token| token.kind == TokenKind::Word && token.span.len() == new.len());
        if !is_word {
            return Err(RenameError::NotAWord(new.to_owned()));
        }
        if new.starts_with('?') != matches!(word.name, Name::Variable(..)) {
            return Err(RenameError::QuestionMark);
        }
        if let Some(symbol) = self.parsed.sheet.symbols.get(new)
            && symbol != word.name.symbol()
        {
            let same_kind = match word.name {
                Name::Variable(rule, _) => Name::Variable(rule, symbol),
                Name::Term(_) => Name::Term(symbol),
                Name::Relation(_) | Name::Keyword(_) => Name::Relation(symbol),
            };
            let is_taken = self.named(same_kind).next().is_some()
                || keyword::is_keyword(symbol)
                || self.parsed.unread.contains(&symbol);
            if is_taken {
                return Err(RenameError::Taken(new.to_owned()));
            }
        }
        Ok(self.named(word.name).map(|word| Edit::new(word.span, new)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gdl::Fix;

    const TEXT: &str = "(role me)\n(init (at 1))\n(<= (next (at ?y)) (true (at ?x)) (at ?x ?y))\n(at 1 2)\n";

    fn renamed(needle: &str, new: &str) -> Result<String, RenameError> {
        let document = Document::new("t", TEXT);
        let at = TEXT.find(needle).expect("it is there") as u32 + 1;
        Ok(Fix::new("", document.rename(at, new)?).apply(TEXT))
    }

    #[test]
    fn a_name_changes_wherever_it_means_the_same() {
        let facts = renamed("at 1))", "place").expect("it can");
        assert_eq!(
            facts,
            TEXT.replace("(at 1))", "(place 1))")
                .replace("(at ?y))", "(place ?y))")
                .replace("(at ?x))", "(place ?x))")
        );
        let relation = renamed("at 1 2", "leads").expect("it can");
        assert_eq!(relation, TEXT.replace("(at 1 2)", "(leads 1 2)").replace("(at ?x ?y)", "(leads ?x ?y)"));
        assert_eq!(renamed("?x", "?here"), Ok(TEXT.replace("?x", "?here")));
        // Another spelling of the same name is one.
        assert_eq!(renamed("me", "ME"), Ok(TEXT.replace("(role me)", "(role ME)")));
    }

    #[test]
    fn what_would_change_the_meaning_is_refused() {
        assert_eq!(renamed("?x", "?y"), Err(RenameError::Taken("?y".to_owned())));
        assert_eq!(renamed("?x", "y"), Err(RenameError::QuestionMark));
        assert_eq!(renamed("at 1))", "me"), Err(RenameError::Taken("me".to_owned())));
        assert_eq!(renamed("at 1 2", "true"), Err(RenameError::Taken("true".to_owned())));
        assert_eq!(renamed("at 1 2", "two words"), Err(RenameError::NotAWord("two words".to_owned())));
        assert_eq!(renamed("at 1 2", ""), Err(RenameError::NotAWord(String::new())));
        assert_eq!(renamed("init", "x"), Err(RenameError::Keyword("init".to_owned())));
        assert_eq!(renamed(")\n(init", "x"), Err(RenameError::NoName));
        let broken = Document::new("t", "(p a)\n(<= q (not) (p b))");
        assert_eq!(broken.rename(1, "x"), Err(RenameError::Unread("p".to_owned())));
    }
}
