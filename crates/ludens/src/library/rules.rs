//! The rules of a game.

use gdl::normal::{NormalRules, normalize};
use gdl::{Diagnostic, Mode, SourceFile};

use crate::Error;

/// Rules that were read.
#[derive(Clone, Debug)]
pub struct Rules {
    name: String,
    roles: Vec<String>,
    diagnostics: Vec<Diagnostic>,
    normal: NormalRules,
}

impl Rules {
    /// Reads rules as leniently as a player must: what breaks the specification is mended where practice agrees
    /// on the meaning, and told by [`Rules::diagnostics`]. Without a role there is no game.
    pub fn read(name: &str, text: &str) -> Result<Self, Error> {
        let source = SourceFile::new(name, text);
        let parsed = gdl::parse(&source);
        let diagnostics = gdl::check(&source, &parsed, Mode::Lenient);
        let normal = normalize(&parsed.sheet);
        let roles = normal
            .roles
            .iter()
            .map(|&role| normal.symbols.spelling(role).to_owned())
            .collect::<Vec<String>>();
        if roles.is_empty() {
            let first = diagnostics.iter().find(|finding| finding.is_error());
            return Err(Error::Rules {
                first: first.map_or_else(|| "no role".to_owned(), |finding| finding.message.clone()),
                line: first.map_or(1, |finding| source.line_column(finding.span.start).line),
                count: diagnostics.iter().filter(|finding| finding.is_error()).count().max(1),
            });
        }
        Ok(Self { name: name.to_owned(), roles, diagnostics, normal })
    }

    /// The rules of a game that comes with the library; case, blanks and hyphens do not matter.
    pub fn bundled(name: &str) -> Result<Self, Error> {
        let game = bundled::find(name)?;
        Self::read(game.name, game.rules)
    }

    /// The names of all games that come with the library.
    pub fn all_bundled() -> impl Iterator<Item = &'static str> {
        bundled::all().iter().map(|game| game.name)
    }

    /// The name they were read by.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The names of the roles, in the order of joint moves.
    pub fn roles(&self) -> &[String] {
        &self.roles
    }

    /// What is to be said about the rules.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    pub(crate) fn normal(&self) -> &NormalRules {
        &self.normal
    }
}
