//! The order of a tick.

use crate::ontology::SpriteClass;
use crate::rules::TypeId;

use super::{Action, NONE, Play, Slot};

impl Play<'_> {
    /// Plays one tick with the actions of the players.
    pub(crate) fn tick(&mut self, actions: &[Action]) {
        for (player, &action) in actions.iter().enumerate().take(self.rules.players) {
            self.act(player, action);
        }
        self.update_types();
        self.events();
        self.bury();
        self.end();
    }

    fn update_types(&mut self) {
        for updated in &self.rules.updated {
            let group = &mut self.state.groups[updated.id.number()];
            group.updates = group.updates.wrapping_add(1);
            if !updated.inert {
                let head = group.head;
                self.update_type(head, updated.class);
            } else if std::mem::take(&mut group.displaced) {
                self.settle(updated.id);
            }
        }
    }

    fn update_type(&mut self, head: Slot, class: SpriteClass) {
        let limit = self.state.next_id;
        let mut slot = head;
        while slot != NONE && self.state.sprites[slot as usize].id < limit {
            let sprite = &mut self.state.sprites[slot as usize];
            sprite.last = sprite.rect;
            self.update(slot, class);
            slot = self.state.sprites[slot as usize].next;
        }
    }

    /// Makes the places of a type that is left alone the places of the tick before.
    fn settle(&mut self, id: TypeId) {
        let mut slot = self.state.groups[id.number()].head;
        while slot != NONE {
            let sprite = &mut self.state.sprites[slot as usize];
            sprite.last = sprite.rect;
            slot = sprite.next;
        }
    }

    /// What sprites do that do nothing special.
    pub(crate) fn live(&mut self, slot: Slot) {
        self.drift(slot);
        let sprite = &mut self.state.sprites[slot as usize];
        if sprite.time_to_live > 0 {
            sprite.time_to_live -= 1;
        } else if sprite.time_to_live == 0 {
            self.kill(slot, false);
        }
    }

    fn update(&mut self, slot: Slot, class: SpriteClass) {
        use SpriteClass::*;
        match class {
            Flicker | OrientedFlicker => self.flicker(slot),
            Spreader => self.spread(slot),
            RandomMissile => self.random_missile(slot),
            Walker => self.walk(slot),
            WalkerJumper => self.walk_and_jump(slot),
            RandomNPC | RandomInertial => self.wander(slot),
            Chaser | Fleeing => self.chase(slot, false),
            LOSChaser => self.chase(slot, true),
            PathChaser => self.chase_by_path(slot),
            AlternateChaser => self.alternate(slot),
            RandomAltChaser => self.randomly(slot, Self::alternate),
            PathAltChaser => self.alternate_by_path(slot),
            RandomPathAltChaser => self.randomly(slot, Self::alternate_by_path),
            SpawnPoint | Bomber => self.produce(slot),
            RandomBomber => self.produce_and_wander(slot),
            BomberRandomMissile => self.produce_any(slot),
            SpawnPointMultiSprite => self.produce_all(slot),
            _ => self.live(slot),
        }
    }
}
