//! The canonical order of moves: bytewise by their texts, without comparing texts every time.

use datalog::TermId;

/// Gives every move a label; labels compare as the texts do. A new move gets a label between
/// those of its neighbours, and all are labelled anew when there is no room.
#[derive(Clone, Debug, Default)]
pub(super) struct MoveOrder {
    /// By term; 0 for terms that were never asked for.
    labels: Vec<u64>,
    sorted: Vec<(Box<str>, TermId)>,
}

impl MoveOrder {
    /// The label of a move, whose text is asked for only once.
    #[inline]
    pub(super) fn label(&self, term: TermId) -> Option<u64> {
        self.labels.get(term.0 as usize).copied().filter(|&label| label != 0)
    }

    /// Adds a move that has no label yet.
    pub(super) fn add(&mut self, term: TermId, text: &str) {
        let at = term.0 as usize;
        if at >= self.labels.len() {
            self.labels.resize(at + 1, 0);
        }
        let place = self.sorted.partition_point(|(known, _)| known[..] < *text);
        let before = place.checked_sub(1).map_or(0, |before| self.labels[self.sorted[before].1.0 as usize]);
        let after = self.sorted.get(place).map_or(u64::MAX, |(_, next)| self.labels[next.0 as usize]);
        self.sorted.insert(place, (text.into(), term));
        let label = before + (after - before) / 2;
        if label > before && label < after {
            self.labels[at] = label;
        } else {
            let gap = u64::MAX / (self.sorted.len() as u64 + 1);
            for (index, (_, term)) in self.sorted.iter().enumerate() {
                self.labels[term.0 as usize] = gap * (index as u64 + 1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_compare_as_texts() {
        let mut order = MoveOrder::default();
        // Each new text falls right before the last: the room between labels is used up fast.
        let texts: Vec<String> = (0..300).map(|index| format!("m{:03}", 299 - index)).collect();
        for (index, text) in texts.iter().enumerate() {
            order.add(TermId(index as u32), text);
        }
        let mut terms: Vec<u32> = (0..300).collect();
        terms.sort_by_key(|&term| order.label(TermId(term)));
        assert_eq!(terms, (0..300).rev().collect::<Vec<_>>());
        assert_eq!(order.label(TermId(300)), None);
    }
}
