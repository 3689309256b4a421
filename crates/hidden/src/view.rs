//! What a role knows: its own moves and what it was told.

use game::{Describe, MoveId, PerceptId, RoleId, RuleFault};
use rustc_hash::FxHashMap;

/// All that a role did and was told, as a number: what looks the same to it has the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct View(pub u32);

/// The own move of a step, as far as it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Own {
    /// This one was made.
    Made(MoveId),
    /// This one was answered, and nobody has said what was made. Hosts make another one if an answer is late.
    Answered(MoveId),
    /// Nothing is known of it.
    #[default]
    Unknown,
}

impl Own {
    /// The move that was made if all went well.
    pub fn likely(self) -> Option<MoveId> {
        match self {
            Own::Made(id) | Own::Answered(id) => Some(id),
            Own::Unknown => None,
        }
    }
}

/// What is known of a step: the own move and what was told. Of a step that was missed nothing need be known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// The own move.
    pub own: Own,
    /// What was told of it.
    pub told: Option<Vec<PerceptId>>,
}

/// What no machine knows: a percept that cannot be.
pub(crate) const UNKNOWN: PerceptId = PerceptId(u32::MAX);

/// What the texts of a step say to a role: its own move and what it saw or, where the rules do not say what is seen,
/// the joint move. Nothing at all stands for a step that was missed, [`engine::UNSEEN`] for what is not known, and before an own
/// move that was answered and may not have been made.
pub fn read_step<G: Describe>(game: &G, role: RoleId, told: &[String]) -> Step {
    let Some((own, percepts)) = told.split_first() else { return Step::default() };
    if !game.has_percepts() {
        let moves = game.role_ids().zip(told).map(|(role, text)| game.find_move(role, text));
        let ids: Option<Vec<MoveId>> = moves.collect();
        let own = ids.as_ref().and_then(|ids| ids.get(usize::from(role.0)).copied());
        let own = own.map_or(Own::Unknown, Own::Made);
        return Step { own, told: ids.map(|ids| ids.iter().map(|id| PerceptId(id.0)).collect()) };
    }
    let find = |text: &str| game.find_move(role, text.trim());
    let own = match own.strip_prefix(engine::UNSEEN) {
        Some(answered) => find(answered).map_or(Own::Unknown, Own::Answered),
        None => find(own).map_or(Own::Unknown, Own::Made),
    };
    if matches!(percepts, [only] if only == engine::UNSEEN) {
        return Step { own, told: None };
    }
    let find = |text: &String| game.find_percept(role, text).unwrap_or(UNKNOWN);
    let mut percepts: Vec<PerceptId> = percepts.iter().map(find).collect();
    percepts.sort_unstable();
    percepts.dedup();
    Step { own, told: Some(percepts) }
}

/// What a role is told of a joint move. Where the rules do not say what is seen, that is the joint move itself.
pub fn tell<G: Describe>(
    game: &G,
    workspace: &mut G::Workspace,
    state: &G::State,
    joint: &[MoveId],
    role: RoleId,
    out: &mut Vec<PerceptId>,
) -> Result<(), RuleFault> {
    if game.has_percepts() {
        return game.observe(workspace, state, joint, role, out);
    }
    out.clear();
    out.extend(joint.iter().map(|id| PerceptId(id.0)));
    Ok(())
}

/// Numbers for views. Equal views have equal numbers, and nothing else has.
#[derive(Clone, Debug, Default)]
pub struct Views {
    known: FxHashMap<(View, MoveId, Box<[PerceptId]>), View>,
    count: u32,
}

impl Views {
    /// The views of so many roles before anything has happened.
    pub fn begin(&mut self, roles: usize) -> Vec<View> {
        (0..roles).map(|_| self.fresh()).collect()
    }

    /// The view after an own move and what was told of the step.
    pub fn after(&mut self, view: View, own: MoveId, told: &[PerceptId]) -> View {
        // Looked for by a key of its own: views that are met again are most of them.
        let key = (view, own, Box::from(told));
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let fresh = self.fresh();
        self.known.insert(key, fresh);
        fresh
    }

    /// The same, if it was met before.
    pub fn find(&self, view: View, own: MoveId, told: &[PerceptId]) -> Option<View> {
        self.known.get(&(view, own, Box::from(told))).copied()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.count as usize
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// A view like no other.
    pub(crate) fn fresh(&mut self) -> View {
        self.count += 1;
        View(self.count - 1)
    }
}

/// The views of all roles after a joint move.
pub(crate) fn advance_views<G: Describe>(
    game: &G,
    workspace: &mut G::Workspace,
    state: &G::State,
    joint: &[MoveId],
    views: &mut Views,
    now: &mut [View],
) -> Result<(), RuleFault> {
    let mut told = Vec::new();
    let chance = game.chance();
    for ((role, view), &own) in game.role_ids().zip(now).zip(joint) {
        // Nobody asks what chance knows.
        if chance != Some(role) {
            tell(game, workspace, state, joint, role, &mut told)?;
            *view = views.after(*view, own, &told);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_are_equal_where_all_that_was_done_and_told_is() {
        let mut views = Views::default();
        let [one, two] = views.begin(2)[..] else { panic!("two roles") };
        assert_ne!(one, two);
        let (left, right) = (MoveId(0), MoveId(1));
        let told = [PerceptId(4)];
        let after = views.after(one, left, &told);
        assert_eq!(views.after(one, left, &told), after);
        assert_eq!(views.find(one, left, &told), Some(after));
        for other in
            [views.after(one, right, &told), views.after(one, left, &[]), views.after(two, left, &told)]
        {
            assert_ne!(other, after);
        }
        assert_eq!(views.find(after, left, &told), None);
        assert_eq!(views.len(), 6);
    }
}
