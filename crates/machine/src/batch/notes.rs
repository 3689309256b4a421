//! What is noted of playouts while they run, when every lane has only one.
//!
//! Then nothing needs to be looked at lane by lane before all are through: lanes that end are masked
//! out, and their lengths and goals are read together.

use game::{Goal, Outcomes};

use super::play::Stop;
use super::run::{Active, MOST_WORDS, Run};
use super::set_lanes;
use super::step::MOVED;
use crate::circuit::CircuitState;

/// Lanes that have ended, and what events they ended with.
#[derive(Clone, Debug, Default)]
pub(super) struct Notes {
    ended: Active,
    /// Event after event, the lanes in which it came with the end.
    events: Vec<u64>,
}

impl Notes {
    pub(super) fn reset(&mut self, events: usize, words: usize) {
        self.ended = [0; MOST_WORDS];
        self.events.clear();
        self.events.resize(events * words, 0);
    }
}

impl Run<'_, '_> {
    /// Notes what has ended in a sweep.
    pub(super) fn note(
        &mut self,
        due: &[(usize, CircuitState)],
        active: &mut Active,
        out: &mut Outcomes,
    ) -> Result<(), Stop> {
        let (words, busy) = (self.batch.words, self.busy);
        let (ended, mut moved) = self.ended_and_moved(active);
        if ended.iter().any(|&word| word != 0) {
            let (notes, row) = (&mut self.scratch.notes, &self.scratch.row);
            let events = notes.events.chunks_exact_mut(words).zip(row.chunks_exact(words));
            // Finished and moved are no goals.
            for (noted, event) in events.skip(MOVED + 1) {
                for word in 0..busy {
                    noted[word] |= event[word] & ended[word];
                }
            }
            for word in 0..busy {
                notes.ended[word] |= ended[word];
                active[word] &= !ended[word];
            }
        }
        if !due.is_empty() {
            self.cut(due, &ended, active, out)?;
        }
        for word in 0..busy {
            moved[word] &= active[word];
        }
        self.note_settled(&moved, out);
        self.scratch.lengths.add(&moved[..words]);
        Ok(())
    }

    /// Says how the playouts ended that have ended so far.
    pub(super) fn read_notes(&mut self, out: &mut Outcomes) {
        let words = self.batch.words;
        let ended = std::mem::take(&mut self.scratch.notes.ended);
        for (word, lanes) in ended.into_iter().enumerate().filter(|&(_, lanes)| lanes != 0) {
            let lengths = self.scratch.lengths.word(word);
            for lane in set_lanes(&[lanes]) {
                out.set_length(self.first_lane + word * 64 + lane, lengths[lane], false);
            }
        }
        if self.batch.goals_apart {
            for lane in set_lanes(&ended) {
                self.scratch.kept[lane] = (self.first_lane + lane) as u32;
            }
        } else {
            for goal in self.goals() {
                let event = &self.scratch.notes.events[goal.event * words..(goal.event + 1) * words];
                for lane in set_lanes(event) {
                    out.raise(self.first_lane + lane, goal.role, Goal(goal.value));
                }
            }
        }
        if self.options.record_moves {
            let done = set_lanes(&ended).map(|lane| (lane, (self.first_lane + lane) as u32));
            self.scratch.done.extend(done);
        }
    }
}
