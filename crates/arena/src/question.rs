//! What a contestant plays in a given position, and what it expects there.

use std::sync::Arc;

use game::{Describe, Expansion, RoleId, RuleFault, Simulator};
use machine::Visitor;
use player::{Decision, Limit, Player, PlayerError, Setup};

use crate::{ArenaError, Contestant, Ground, Thinking};

/// The joint moves that lead to a position, as texts, and the role that chooses there.
type Path = (Vec<Vec<String>>, usize);

impl Ground {
    /// Asks a contestant what it would do after some moves; `None` if it had no thought in time. The moves are those
    /// of whoever had a choice; where several roles choose at once, or none does, there is no question.
    pub fn ask_after(
        &self,
        line: &[String],
        contestant: &Contestant,
        seed: u64,
    ) -> Result<Option<Decision>, ArenaError> {
        let (joints, role) = self.machine.visit(Follow { ground: self, line })?;
        self.ask_in(&joints, role, contestant, seed)
    }

    /// Asks a contestant what it would do for a role after some joint moves; `None` if it had no thought in time.
    pub fn ask_in(
        &self,
        joints: &[Vec<String>],
        role: usize,
        contestant: &Contestant,
        seed: u64,
    ) -> Result<Option<Decision>, ArenaError> {
        let mut player = Player::new(Setup {
            machines: Arc::clone(&self.machines),
            role,
            agent: contestant.agent.clone(),
            seed,
            ponder: false,
            clock: Arc::clone(&self.clock.0),
        })?;
        joints.iter().try_for_each(|joint| player.advance(joint))?;
        if let Thinking::Time(_) = contestant.thinking {
            // As in a match, it is ready and has followed the moves when its clock starts.
            player.choose(Limit::simulations(0))?;
        }
        match player.choose(self.limit(contestant.thinking)) {
            Ok(decision) => Ok((player.fallbacks() == 0).then_some(decision)),
            Err(PlayerError::TooLate) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

struct Follow<'a> {
    ground: &'a Ground,
    line: &'a [String],
}

impl Visitor<'_> for Follow<'_> {
    type Answer = Result<Path, ArenaError>;

    fn visit<G: Simulator + Describe + 'static>(self, game: &Arc<G>) -> Self::Answer {
        let broken = |fault: RuleFault| ArenaError::Rules { game: self.ground.name().to_owned(), fault };
        let no_position = || ArenaError::NoPosition { game: self.ground.name().to_owned() };
        let mut workspace = game.workspace();
        let mut state = game.initial();
        let mut expansion = Expansion::new();
        let mut joints = Vec::new();
        let mut texts = self.line.iter();
        loop {
            game.expand(&mut workspace, &state, &mut expansion).map_err(broken)?;
            let mut free = (0..).zip(expansion.by_role()).filter(|(_, legal)| legal.len() > 1);
            let chooser = free.next().map(|(role, _)| role);
            if expansion.is_terminal() || free.next().is_some() {
                return Err(no_position());
            }
            let mut joint: Vec<_> = expansion.by_role().map(|legal| legal[0]).collect();
            if let Some(role) = chooser {
                let Some(text) = texts.next() else { return Ok((joints, usize::from(role))) };
                let found = game.find_move(RoleId(role), text).ok_or_else(no_position)?;
                joint[usize::from(role)] = found;
            }
            joints.push(joint.iter().map(|&id| game.move_text(id)).collect());
            state = game.apply(&mut workspace, &state, &joint).map_err(broken)?;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_win_in_one_is_answered_after_a_line() {
        let rules = gdl::normal::read(bundled::find("tic-tac-toe").expect("bundled").rules);
        let ground =
            Ground::build("tic-tac-toe", rules, Duration::from_secs(60), 1 << 30).expect("a machine");
        let player = Contestant::read("ludens", Thinking::Simulations(500)).expect("an agent");
        let line = ["(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 2)"].map(str::to_owned);
        let decision = ground.ask_after(&line, &player, 1).expect("a position").expect("in time");
        assert_eq!((decision.text.as_str(), decision.proven), ("(mark 1 3)", true));
        let wrong = ["(mark 9 9)".to_owned()];
        assert!(matches!(ground.ask_after(&wrong, &player, 1), Err(ArenaError::NoPosition { .. })));
        // Without any time there is at best the first answer, and no fault.
        let hurried = Contestant::read("ludens", Thinking::Time(Duration::ZERO)).expect("an agent");
        let decision = ground.ask_after(&line, &hurried, 1).expect("a position");
        assert!(decision.is_none_or(|decision| decision.text.starts_with("(mark")));
    }
}
