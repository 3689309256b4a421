//! What roles cannot know by what they are told: their legal moves, and that the game is over.

use std::collections::HashMap;

use game::{Describe, Expansion, MoveId, PerceptId, RoleId, RuleFault};
use gdl::{Code, Diagnostic};

use super::{Inspector, Path};

/// All that a role did and was told so far, as a number: what looks the same to it has the same.
type View = usize;

/// What looked the same to roles, and what was legal there.
#[derive(Debug, Default)]
pub(super) struct Views {
    /// A view, and the own move and percepts that come next.
    known: HashMap<(View, MoveId, Vec<PerceptId>), View>,
    /// Whether it was over and, if not, the legal moves of the role, where a view was met first.
    met: HashMap<View, Option<Vec<MoveId>>>,
    count: usize,
}

impl Views {
    /// The views of the roles at the beginning: they differ, as roles do.
    pub(super) fn begin(&mut self, roles: usize) -> Vec<View> {
        self.count = self.count.max(roles);
        (0..roles).collect()
    }

    fn after(&mut self, view: View, own: MoveId, told: Vec<PerceptId>) -> View {
        *self.known.entry((view, own, told)).or_insert_with(|| {
            self.count += 1;
            self.count - 1
        })
    }
}

impl<G: Describe, GoOn: FnMut() -> bool> Inspector<'_, G, GoOn> {
    /// Roles are told of a joint move. Where the rules do not say what is seen, nothing is hidden.
    pub(super) fn tell_roles(
        &mut self,
        views: &mut [View],
        state: &G::State,
        joint: &[MoveId],
    ) -> Result<(), RuleFault> {
        if !self.game.has_percepts() {
            return Ok(());
        }
        for ((role, view), &own) in self.game.role_ids().zip(views).zip(joint) {
            let mut told = Vec::new();
            self.game.observe(&mut self.workspace, state, joint, role, &mut told)?;
            *view = self.views.after(*view, own, told);
        }
        Ok(())
    }

    /// Compares a position with others that look the same.
    pub(super) fn hidden(&mut self, views: &[View], expansion: &Expansion, path: &Path) {
        if !self.game.has_percepts() {
            return;
        }
        for (role, &view) in self.game.role_ids().zip(views) {
            if self.game.chance() == Some(role) {
                continue;
            }
            let now = (!expansion.is_terminal()).then(|| expansion.legal(role).to_vec());
            let met = self.views.met.entry(view).or_insert_with(|| now.clone());
            match (&*met, &now) {
                (Some(before), Some(now)) if before != now => self.hidden_legal(role, path),
                (Some(_), None) | (None, Some(_)) => self.hidden_end(role, path),
                _ => {}
            }
        }
    }

    fn hidden_legal(&mut self, role: RoleId, path: &Path) {
        let name = self.role(usize::from(role.0));
        self.tell(Code::HiddenLegal, &name, |this| {
            let message = format!(
                "`{name}` cannot tell its legal moves {}: other moves were legal where all looked the same to it",
                this.told_path(path)
            );
            let help = "let `sees` tell what its legal moves depend on, or make them depend on what it knows";
            let finding =
                Diagnostic::new(Code::HiddenLegal, this.places.role(&name), message).with_help(help);
            this.labelled(finding, this.places.legal(&name), "its legal moves come from here")
        });
    }

    fn hidden_end(&mut self, role: RoleId, path: &Path) {
        let name = self.role(usize::from(role.0));
        self.tell(Code::HiddenEnd, &name, |this| {
            let message = format!(
                "`{name}` cannot tell whether the game is over {}: it was otherwise where all looked the same to it",
                this.told_path(path)
            );
            Diagnostic::new(Code::HiddenEnd, this.places.role(&name), message)
                .with_help("let `sees` tell every role what ends the game")
        });
    }
}
