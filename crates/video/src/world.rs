//! A game as its players see it.

use game::Dice;
use vgdl::{Action, Avatar, Category, Event, Game, Model, Observation, Outcome, TypeId};

/// A type of sprite, as players see it: a number without a name.
pub type KindId = TypeId;

/// A copy of a game in which a player can see what is where and try things out. The rules stay hidden.
///
/// Two players: the other one is taken to do anything, so that whoever plays alone can play this too.
#[derive(Clone, Debug)]
pub struct World {
    model: Model,
    player: usize,
    /// What the other player does.
    others: Dice,
}

impl World {
    /// What a player sees of a game now.
    pub fn new(game: &Game, player: usize, seed: u64) -> Self {
        Self { model: game.model(seed as i64), player, others: Dice::new(seed) }
    }

    /// A copy in which chance falls differently.
    pub fn fork(&self, dice: &mut Dice) -> Self {
        let mut copy = self.clone();
        copy.reseed(dice);
        copy
    }

    /// Becomes a copy of another world in which chance falls differently.
    pub fn restart(&mut self, from: &World, dice: &mut Dice) {
        self.repeat(from);
        self.reseed(dice);
    }

    /// Becomes a copy of another world in which chance falls as it would there.
    pub fn repeat(&mut self, from: &World) {
        self.model.clone_from(&from.model);
        self.player = from.player;
        self.others = from.others.clone();
    }

    fn reseed(&mut self, dice: &mut Dice) {
        let seed = dice.bits();
        self.model.reseed(seed as i64);
        if self.players() > 1 {
            self.others = Dice::new(seed);
        }
    }

    /// Plays one tick.
    pub fn advance(&mut self, action: Action) {
        if self.players() == 1 {
            self.model.advance(&[action]);
            return;
        }
        let theirs = self.model.state().actions(self.model.level(), 1 - self.player);
        let other = if theirs.is_empty() { Action::Nil } else { theirs[self.others.below(theirs.len())] };
        let both = if self.player == 0 { [action, other] } else { [other, action] };
        self.model.advance(&both);
    }

    /// How many play.
    pub fn players(&self) -> usize {
        self.model.level().rules.players
    }

    /// What can be done, [`Action::Nil`] left out unless there is nothing else.
    pub fn actions(&self) -> &'static [Action] {
        match self.model.state().actions(self.model.level(), self.player) {
            [] => &[Action::Nil],
            actions => actions,
        }
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.model.state().is_over()
    }

    /// What the game is for the player.
    pub fn outcome(&self) -> Outcome {
        self.model.state().outcome(self.player)
    }

    /// The player's score.
    pub fn score(&self) -> f64 {
        self.model.state().score(self.player)
    }

    /// The tick that is played next.
    pub fn tick(&self) -> i32 {
        self.model.state().tick()
    }

    /// The player's own sprite and what it holds, if it is still there.
    pub fn avatar(&self) -> Option<Avatar> {
        self.model.state().avatar(self.model.level(), self.player)
    }

    /// The player's own sprite, if it is still there.
    pub fn avatar_sprite(&self) -> Option<Observation> {
        self.model.state().avatar_sprite(self.model.level(), self.player)
    }

    /// The cell of the middle of the player's own sprite, if it is still there.
    pub fn avatar_cell(&self) -> Option<(i32, i32)> {
        self.avatar_sprite().map(|sprite| self.cell(&sprite))
    }

    /// A number that is the same as long as the player's own sprite is of the same type and holds the same.
    pub fn hands(&self) -> u64 {
        let Some(avatar) = self.avatar() else { return 0 };
        let held = avatar.resources.iter().filter(|(_, amount)| *amount != 0);
        held.fold(avatar.sprite.kind.number() as u64 + 1, |sum, &(kind, amount)| {
            (sum.rotate_left(7) ^ kind.number() as u64 ^ (amount as u64) << 16)
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        })
    }

    /// All sprites that the player can see, type by type.
    pub fn sprites(&self) -> impl Iterator<Item = Observation> + '_ {
        self.model.state().visible(self.model.level(), self.player)
    }

    /// All sprites of a type; none of a type that the player cannot see.
    pub fn sprites_of(&self, kind: KindId) -> impl Iterator<Item = Observation> + '_ {
        let seen = self.sees(kind).then(|| self.model.state().sprites_of(self.model.level(), kind));
        seen.into_iter().flatten()
    }

    /// Whether the player can see sprites of a type.
    pub fn sees(&self, kind: KindId) -> bool {
        !self.model.level().rules.kind(kind).hidden[self.player.min(1)]
    }

    /// The types that the player can see.
    pub fn kinds(&self) -> impl Iterator<Item = KindId> + '_ {
        self.model.level().rules.types().filter(|&kind| self.sees(kind))
    }

    /// The number of all types; those of [`KindId::number`] are below it.
    pub fn kind_count(&self) -> usize {
        self.model.level().rules.kinds.len()
    }

    /// What the player, and what it made, met so far.
    pub fn history(&self) -> impl Iterator<Item = &Event> {
        self.model.history()
    }

    /// What the player, and what it made, met since the copy was made.
    pub fn news(&self) -> &[Event] {
        self.model.news()
    }

    /// Cells in a row, rows.
    pub fn size(&self) -> (i32, i32) {
        (self.model.level().width, self.model.level().height)
    }

    /// Pixels of a cell's side.
    pub fn block(&self) -> i32 {
        self.model.level().block
    }

    /// The cell of the middle of a sprite; it may lie outside.
    pub fn cell(&self, sprite: &Observation) -> (i32, i32) {
        let block = self.block();
        let middle = |from: i32, side: i32| from.saturating_add(side / 2).div_euclid(block);
        (middle(sprite.rect.x, sprite.rect.w), middle(sprite.rect.y, sprite.rect.h))
    }

    /// A number that is the same for worlds that look the same to the player, and in which its avatar is and
    /// holds the same.
    pub fn fingerprint(&self) -> u64 {
        self.model.state().fingerprint(self.model.level(), self.player)
    }

    /// What a copy takes in memory, about.
    pub fn bytes(&self) -> usize {
        self.model.state().bytes()
    }

    /// The sprites of a category.
    pub fn sprites_in(&self, category: Category) -> impl Iterator<Item = Observation> + '_ {
        self.sprites().filter(move |sprite| sprite.category == category)
    }
}
