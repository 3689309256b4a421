//! Weights that evolve while a search runs: one parent and one child, (1+1), by the reward of playouts that
//! they bias.

use game::Dice;
use vgdl::Action;

use crate::KindId;

/// How much each action is preferred by the distance to the nearest sprite of a type, for each type.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Weights(Vec<[f64; Action::ALL.len()]>);

impl Weights {
    /// How much each action is preferred by the distance to a type.
    pub(crate) fn of(&self, kind: KindId) -> [f64; Action::ALL.len()] {
        self.0.get(kind.number()).copied().unwrap_or_default()
    }

    /// The weights of some types with a little noise; those of others stay as they are.
    fn mutated(&self, kinds: &[KindId], spread: f64, dice: &mut Dice) -> Self {
        let mut weights = self.clone();
        // The sum of a few uniform numbers is near enough to a normal one.
        let mut noise = || spread * ((0..6).map(|_| dice.unit()).sum::<f64>() - 3.0);
        for kind in kinds {
            if weights.0.len() <= kind.number() {
                weights.0.resize(kind.number() + 1, Default::default());
            }
            weights.0[kind.number()].iter_mut().for_each(|weight| *weight += noise());
        }
        weights
    }
}

/// The best weights so far, and what they were worth in this tick.
#[derive(Clone, Debug, Default)]
pub(crate) struct Evolution {
    best: Weights,
    worth: Option<f64>,
}

impl Evolution {
    /// Rewards of another tick cannot be compared with those of this one: the best weights have to show again
    /// what they are worth.
    pub(crate) fn begin(&mut self) {
        self.worth = None;
    }

    /// The weights that are tried next: the best ones until it is known what they are worth, then children.
    pub(crate) fn candidate(&self, kinds: &[KindId], spread: f64, dice: &mut Dice) -> Weights {
        match self.worth {
            None => self.best.clone(),
            Some(_) => self.best.mutated(kinds, spread, dice),
        }
    }

    /// Hears what a candidate was worth; the better one stays.
    pub(crate) fn judge(&mut self, candidate: Weights, worth: f64) {
        if self.worth.is_none_or(|best| worth > best) {
            (self.best, self.worth) = (candidate, Some(worth));
        }
    }
}

#[cfg(test)]
mod tests {
    use vgdl::SourceFile;

    use super::*;

    /// The types of a small game.
    fn kinds() -> Vec<KindId> {
        let rules =
            "BasicGame\n  SpriteSet\n    coin > Resource\n    fly > RandomNPC\n    avatar > MovingAvatar\n";
        vgdl::compile(&vgdl::parse(&SourceFile::new("game", rules)).description).rules.types().collect()
    }

    #[test]
    fn weights_stay_with_their_type_when_another_one_vanishes() {
        let (mut dice, kinds) = (Dice::new(1), kinds());
        let (gone, stays) = (kinds[2], kinds[3]);
        let both = Weights::default().mutated(&[gone, stays], 0.5, &mut dice);
        assert!(both.of(gone) != both.of(stays) && both.of(gone).iter().all(|weight| *weight != 0.0));
        let later = both.mutated(&[stays], 0.5, &mut dice);
        assert_eq!(later.of(gone), both.of(gone));
        let near = |one: f64, other: f64| (one - other).abs() < 1.5;
        assert!(later.of(stays) != both.of(stays));
        assert!(later.of(stays).iter().zip(both.of(stays)).all(|(&one, other)| near(one, other)));
        assert_eq!(both.of(kinds[0]), [0.0; Action::ALL.len()]);
    }

    #[test]
    fn the_best_weights_are_judged_first_in_every_tick() {
        let (mut dice, kinds) = (Dice::new(1), kinds());
        let mut evolution = Evolution::default();
        let first = evolution.candidate(&kinds, 0.5, &mut dice);
        assert_eq!(first, Weights::default());
        evolution.judge(first, 1.0);
        let child = evolution.candidate(&kinds, 0.5, &mut dice);
        assert_ne!(child, Weights::default());
        evolution.judge(child.clone(), 2.0);
        evolution.begin();
        assert_eq!(evolution.candidate(&kinds, 0.5, &mut dice), child);
        evolution.judge(child.clone(), 0.5);
        let worse = evolution.candidate(&kinds, 0.5, &mut dice);
        evolution.judge(worse, 0.5);
        assert_eq!(evolution.best, child);
    }
}
