//! What agrees with everything, where it was not found at once: what was answered may not have been made, and positions may take
//! longer to find than a step has time.

use game::{Describe, MoveId, PerceptId, RuleFault, Simulator};

use crate::belief::{Belief, Particle, RECOVERIES};
use crate::view::{Own, Step};

impl<G: Simulator + Describe> Belief<G> {
    /// Whether the positions held for possible agree with all that was told.
    pub fn agrees(&self) -> bool {
        self.agrees
    }

    /// Whether it is worth while to look on for positions that do.
    pub fn may_recover(&self) -> bool {
        !self.agrees && self.recoveries > 0
    }

    /// Positions that agree if what was answered was not made: in this step, or else in any so far.
    pub(crate) fn doubt(
        &mut self,
        before: &[Particle<G::State>],
        told: Option<&[PerceptId]>,
    ) -> Result<Vec<Particle<G::State>>, RuleFault> {
        if !self.doubt_answers() {
            return Ok(Vec::new());
        }
        let mut found = match self.agrees && self.doubted == self.steps.len() {
            true => self.carry_on(before, None, told)?,
            false => Vec::new(),
        };
        found = self.look_further(found, false)?;
        self.counts.replaced += u64::from(!found.is_empty());
        Ok(found)
    }

    /// From now on no answer so far is taken for made; whether one was that nobody has confirmed.
    pub(crate) fn doubt_answers(&mut self) -> bool {
        let is_answered = |step: &Step| matches!(step.own, Own::Answered(_));
        let last = self.steps.iter().rposition(is_answered).filter(|&last| last >= self.doubted);
        if let Some(last) = last {
            self.doubted = last + 1;
            self.is_exact = false;
            // It has tried what was answered alone.
            self.descent = None;
        }
        last.is_some()
    }

    /// Looks on for positions where none was found that agrees with all that was told; whether there is one now.
    pub fn recover(&mut self) -> Result<bool, RuleFault> {
        if !self.may_recover() {
            return Ok(self.agrees);
        }
        self.recoveries -= 1;
        let mut found = self.look_further(Vec::new(), false)?;
        // Who is in haste has not looked long before.
        if found.is_empty() && self.recoveries < RECOVERIES / 2 {
            found = self.doubt(&[], None)?;
        }
        if !found.is_empty() {
            self.agrees = true;
            self.is_open = false;
            self.keep(found);
        }
        Ok(self.agrees)
    }

    /// The move that the role has to have made in a step.
    pub(crate) fn own(&self, step: usize) -> Option<MoveId> {
        match self.steps[step].own {
            Own::Answered(_) if step < self.doubted => None,
            own => own.likely(),
        }
    }
}
