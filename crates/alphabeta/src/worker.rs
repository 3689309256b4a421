//! Alpha-beta with memory, fail-soft, for a role against all others who know its move.

use std::sync::Arc;

use engine::Evaluator;
use game::{Choices, Dice, Goal, RoleId, Simulator};

use crate::Options;
use crate::children::{Children, Interrupted, LOST, WON, best_of};
use crate::frontier::{Bundle, Estimator, leaves};
use crate::guard::Guard;
use crate::order::Order;
use crate::table::{Entry, Key, Table};
use crate::value::{EVEN, Found, Proven};

/// Steps without a choice may not count as depth: no path is longer than this.
pub(crate) const MOST_DISTANCE: usize = 400;

/// What was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Positions that were looked at.
    pub positions: u64,
    /// Positions whose moves were followed.
    pub nodes: u64,
    /// Positions that were estimated, in how many calls of the evaluator.
    pub estimates: u64,
    /// Calls of the evaluator.
    pub calls: u64,
}

/// What is known of a move at the root.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RootMove {
    pub(crate) value: Option<f64>,
    pub(crate) proven: Proven,
    /// Positions looked at behind it.
    pub(crate) positions: u64,
}

/// Searches in one thread.
pub(crate) struct Worker<G: Simulator> {
    game: Arc<G>,
    workspace: G::Workspace,
    pub(crate) role: RoleId,
    pub(crate) table: Arc<Table<G::State>>,
    pub(crate) options: Options,
    estimator: Estimator<G::State>,
    /// By distance from the root.
    children: Vec<Children<G::State>>,
    bundle: Bundle<G::State>,
    pub(crate) order: Order,
    /// A little chance in the order: at the root, and everywhere in threads that help.
    pub(crate) dice: Dice,
    pub(crate) helps: bool,
    work: Work,
    pub(crate) root: Vec<RootMove>,
    pub(crate) root_best: usize,
}

impl<G: Simulator> Worker<G> {
    pub(crate) fn new(
        game: &Arc<G>,
        table: &Arc<Table<G::State>>,
        evaluator: Arc<dyn Evaluator<G::State>>,
        options: Options,
        (seed, number): (u64, usize),
    ) -> Self {
        Self {
            workspace: game.workspace(),
            game: Arc::clone(game),
            role: RoleId(0),
            table: Arc::clone(table),
            options,
            estimator: Estimator::new(evaluator),
            children: Vec::new(),
            bundle: Bundle::default(),
            order: Order::new(),
            dice: Dice::stream(seed, number as u64),
            helps: number > 0,
            work: Work::default(),
            root: Vec::new(),
            root_best: 0,
        }
    }

    /// What was done so far.
    pub(crate) fn work(&self) -> Work {
        Work { estimates: self.estimator.states, calls: self.estimator.calls, ..self.work }
    }

    pub(crate) fn set_evaluator(&mut self, evaluator: Arc<dyn Evaluator<G::State>>) {
        self.estimator.evaluator = evaluator;
    }

    /// The root is another one.
    pub(crate) fn begin(&mut self, role: RoleId) {
        self.role = role;
        self.root.clear();
        self.root_best = 0;
        self.order.grow_old();
        self.order.forget_killers();
        self.children.iter_mut().for_each(|children| children.of = None);
    }

    /// Looks into the root.
    pub(crate) fn look_into_root(
        &mut self,
        guard: &Guard<'_>,
        state: &G::State,
        choices: Choices<'_>,
        depth: u16,
        window: (f64, f64),
    ) -> Result<Found, Interrupted> {
        self.look(guard, 0, state, choices, depth, window)
    }

    /// What a position is worth to a depth, if that is in the window; else a bound.
    fn look(
        &mut self,
        guard: &Guard<'_>,
        distance: usize,
        state: &G::State,
        choices: Choices<'_>,
        depth: u16,
        mut window: (f64, f64),
    ) -> Result<Found, Interrupted> {
        if guard.stops(self.work) {
            return Err(Interrupted::Stopped);
        }
        let table = Arc::clone(&self.table);
        let key = table.key(state, self.role);
        let known = if self.options.remember { table.get(key) } else { None };
        if distance > 0
            && let Some(entry) = &known
            && let Some(found) = self.known(entry, depth, &mut window)
        {
            return Ok(found);
        }
        if self.children.len() <= distance {
            self.children.resize_with(distance + 1, Children::default);
        }
        let mut children = std::mem::take(&mut self.children[distance]);
        let result = self
            .open(guard, distance, state, choices, &mut children)
            .and_then(|()| self.weigh(guard, distance, &mut children, known, depth, window, key));
        self.children[distance] = children;
        match result {
            // What cannot be worked out is no reason not to think about the rest.
            Err(Interrupted::Fault(_)) if distance > 0 => Ok(Found { value: EVEN, proven: Proven::NOTHING }),
            result => result,
        }
    }

    /// Follows the moves of a position, unless that was done before.
    fn open(
        &mut self,
        guard: &Guard<'_>,
        distance: usize,
        state: &G::State,
        choices: Choices<'_>,
        children: &mut Children<G::State>,
    ) -> Result<(), Interrupted> {
        if children.of.as_ref() == Some(state) {
            return Ok(());
        }
        let mut of = children.of.take();
        children.joints.list(choices, self.role);
        let from = std::iter::once((state, &children.joints));
        let is_over = &mut || guard.stops_within();
        children.positions.follow(&*self.game, &mut self.workspace, from, self.role, is_over)?;
        self.work.positions += children.joints.len() as u64;
        self.work.nodes += 1;
        match &mut of {
            Some(of) => of.clone_from(state),
            None => of = Some(state.clone()),
        }
        children.of = of;
        if distance == 0 {
            let nothing = RootMove { value: None, proven: Proven::NOTHING, positions: 0 };
            self.root.clear();
            self.root.resize(children.joints.own_count(), nothing);
        }
        Ok(())
    }

    /// What a position is worth whose moves were followed.
    #[allow(clippy::too_many_arguments)] // All of it is needed, and nothing of it belongs together.
    fn weigh(
        &mut self,
        guard: &Guard<'_>,
        distance: usize,
        children: &mut Children<G::State>,
        known: Option<Entry>,
        depth: u16,
        (alpha, beta): (f64, f64),
        key: Key<'_, G::State>,
    ) -> Result<Found, Interrupted> {
        // A step without a choice may be free.
        let is_free = self.options.extend && children.joints.len() == 1 && distance < MOST_DISTANCE;
        let rest = if is_free { depth } else { depth - 1 };
        // At the root it has to be known which move is proven to be best.
        let proven = known.filter(|_| distance > 0).map_or(Proven::NOTHING, |entry| entry.proven);
        // Without lanes it is cheaper to leave out what does not matter.
        let has_lanes = self.game.lanes() > 1;
        let is_bundle =
            has_lanes && rest == 1 && depth == 2 && leaves(children) <= self.options.bundle as u64;
        if rest == 0 || is_bundle {
            let (roles, discount) = (self.game.role_count(), self.options.discount);
            if rest == 0 {
                self.estimator.estimate_children(children, roles, self.role)?;
            } else {
                let is_over = &mut || guard.stops_within();
                let (game, workspace) = (&*self.game, &mut self.workspace);
                let view = (self.role, discount);
                let count =
                    self.bundle.judge(game, workspace, &mut self.estimator, children, view, is_over)?;
                self.work.positions += count;
            }
            children.found.iter_mut().for_each(|found| found.value = discount.before(found.value));
            let (found, best) = best_of(&children.joints, &children.found);
            if distance == 0 {
                self.note_all(children);
            }
            let found = self.settled(Found { proven: found.proven.both(proven), ..found }, depth);
            self.remember(key, found, (f64::NEG_INFINITY, f64::INFINITY), depth, best);
            return Ok(found);
        }
        if self.options.probe
            && distance > 0
            && let Some(found) = self.probe(children, rest, (alpha, beta))
        {
            let found = self.settled(Found { proven: found.proven.both(proven), ..found }, depth);
            self.remember(key, found, (alpha, beta), depth, known.map_or((0, 0), |entry| entry.best));
            return Ok(found);
        }
        if self.options.sort {
            self.estimator.estimate_children(children, self.game.role_count(), self.role)?;
        }
        let hint = known.map(|entry| entry.best);
        self.order_own(distance, children, hint);
        let mut best = Found { value: f64::NEG_INFINITY, proven: LOST };
        let mut best_at = (0, 0);
        let mut looked_at = 0;
        for nth in 0..children.own_order.len() {
            let own = children.own_order[nth].1;
            let floor = alpha.max(best.value);
            let before = self.work.positions;
            let (worst, reply) = self.refute(guard, distance, children, own, hint, rest, (floor, beta))?;
            looked_at += 1;
            best.proven = best.proven.or(worst.proven);
            if distance == 0 {
                let note = &mut self.root[usize::from(own)];
                note.value = Some(worst.value);
                note.proven = note.proven.both(worst.proven);
                note.positions += self.work.positions - before;
            }
            if worst.value > best.value {
                best.value = worst.value;
                best_at = (own, reply);
            }
            if best.value >= beta {
                break;
            }
        }
        if best.value > alpha && children.joints.own_count() > 1 {
            let id = children.joints.own(usize::from(best_at.0));
            self.praise(distance, [(self.role, id)], depth, best.value >= beta);
        }
        if looked_at < children.joints.own_count() || !children.joints.has_all_own {
            best.proven.most = Goal::MOST;
        }
        if distance == 0 {
            self.root_best = usize::from(best_at.0);
        }
        let best = self.settled(Found { proven: best.proven.both(proven), ..best }, depth);
        self.remember(key, best, (alpha, beta), depth, best_at);
        Ok(best)
    }

    /// What a move is worth when the others know it, and their best reply.
    #[allow(clippy::too_many_arguments)]
    fn refute(
        &mut self,
        guard: &Guard<'_>,
        distance: usize,
        children: &mut Children<G::State>,
        own: u16,
        hint: Option<(u16, u16)>,
        rest: u16,
        (floor, beta): (f64, f64),
    ) -> Result<(Found, u16), Interrupted> {
        self.order_replies(distance, children, own, hint);
        let discount = self.options.discount;
        let mut worst = Found { value: f64::INFINITY, proven: WON };
        let mut worst_at = 0;
        let mut looked_at = 0;
        for nth in 0..children.reply_order.len() {
            let reply = children.reply_order[nth].1;
            let place = children.place(usize::from(own), usize::from(reply));
            let positions = &children.positions;
            let (found, value) = match positions.outlooks[place].found() {
                Some(found) => (found, discount.before(found.value)),
                None => {
                    let bounds = (floor, beta.min(worst.value));
                    let window = (discount.after(bounds.0), discount.after(bounds.1));
                    let (state, choices) = (&positions.states[place], positions.expansions.get(place));
                    let found = self.look(guard, distance + 1, state, choices, rest, window)?;
                    (found, discount.before_in(found.value, window, bounds))
                }
            };
            looked_at += 1;
            worst.proven = worst.proven.and(found.proven);
            if value < worst.value {
                (worst.value, worst_at) = (value, reply);
            }
            if worst.value <= floor {
                break;
            }
        }
        if looked_at < children.joints.reply_count() || !children.joints.is_complete {
            worst.proven.least = Goal(0);
        }
        if children.joints.reply_count() > 1 && worst.value < beta {
            let is_cut = worst.value <= floor;
            let moves = children.joints.reply(usize::from(worst_at));
            self.praise(distance, moves, rest + 1, is_cut);
        }
        Ok((worst, worst_at))
    }

    /// Notes what is known of every move of the root.
    fn note_all(&mut self, children: &Children<G::State>) {
        let mut best = f64::NEG_INFINITY;
        let replies = children.joints.reply_count().max(1);
        for (own, found) in children.found.chunks(replies).enumerate() {
            let value = found.iter().map(|found| found.value).fold(f64::INFINITY, f64::min);
            let mut proven = found.iter().fold(WON, |proven, found| proven.and(found.proven));
            if !children.joints.is_complete {
                proven.least = Goal(0);
            }
            if value > best {
                (best, self.root_best) = (value, own);
            }
            let note = &mut self.root[own];
            note.value = Some(value);
            note.proven = note.proven.both(proven);
            note.positions += found.len() as u64;
        }
    }
}
