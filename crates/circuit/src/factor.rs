//! An "or" of "and"s with what is common pulled out: the most frequent literal first.

use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use crate::nary::Builder;
use crate::{Edge, Gate, Gates};

/// A set of conjunctions, each a range of literals in ascending order.
#[derive(Debug, Default)]
pub(crate) struct Products {
    literals: Vec<Edge>,
    ranges: Vec<(u32, u32)>,
    open: usize,
}

impl Products {
    pub(crate) fn clear(&mut self) {
        self.literals.clear();
        self.ranges.clear();
        self.open = 0;
    }

    /// Adds a literal to the conjunction at work.
    pub(crate) fn push(&mut self, edge: Edge) {
        self.literals.push(edge);
    }

    /// Gives up the conjunction at work: it never holds.
    pub(crate) fn drop_open(&mut self) {
        self.literals.truncate(self.open);
    }

    /// Ends the conjunction at work. What another literal implies is left out.
    pub(crate) fn end(&mut self, gates: &Gates) {
        let operands = self.literals[self.open..].iter().filter(|edge| !edge.is_inverted());
        let implied: Vec<Edge> = operands
            .filter_map(|edge| match gates.get(edge.gate()) {
                Gate::And(left, right) => Some([left, right]),
                _ => None,
            })
            .flatten()
            .collect();
        for edge in implied {
            if let Some(place) = self.literals[self.open..].iter().position(|&other| other == edge) {
                self.literals.remove(self.open + place);
            }
        }
        let open = &mut self.literals[self.open..];
        open.sort_unstable();
        let mut kept = 0;
        for place in 0..open.len() {
            let edge = open[place];
            if edge == Edge::FALSE || (kept > 0 && open[kept - 1] == !edge) {
                self.drop_open();
                return;
            }
            if edge != Edge::TRUE && (kept == 0 || open[kept - 1] != edge) {
                open[kept] = edge;
                kept += 1;
            }
        }
        self.literals.truncate(self.open + kept);
        self.ranges.push((self.open as u32, (self.open + kept) as u32));
        self.open += kept;
    }

    fn get(&self, range: (u32, u32)) -> &[Edge] {
        &self.literals[range.0 as usize..range.1 as usize]
    }

    /// The logic of at least one of them.
    pub(crate) fn build(&mut self, builder: &mut Builder) -> Edge {
        let mut ranges = std::mem::take(&mut self.ranges);
        ranges.sort_unstable_by(|&a, &b| self.get(a).cmp(self.get(b)));
        ranges.dedup_by(|a, b| self.get(*a) == self.get(*b));
        let edge = self.factor(&mut ranges, builder);
        self.clear();
        edge
    }

    fn factor(&mut self, ranges: &mut [(u32, u32)], builder: &mut Builder) -> Edge {
        if ranges.iter().any(|range| range.0 == range.1) {
            return Edge::TRUE;
        }
        let mut terms = Vec::new();
        if let [range] = ranges {
            return builder.and_all(&mut self.get(*range).to_vec());
        }
        if ranges.iter().all(|range| range.1 - range.0 == 1) {
            terms.extend(ranges.iter().map(|&range| self.get(range)[0]));
            return builder.or_all(&mut terms);
        }
        let mut counts: FxHashMap<Edge, u32> = FxHashMap::default();
        for &range in ranges.iter() {
            for &edge in self.get(range) {
                *counts.entry(edge).or_default() += 1;
            }
        }
        // Among equals inputs come last: left together they can be complemented.
        let rank = |edge: Edge, count: u32, builder: &Builder| (count, !builder.is_input(edge), edge);
        let mut heap: BinaryHeap<(u32, bool, Edge)> = counts
            .iter()
            .filter(|&(_, &count)| count > 1)
            .map(|(&edge, &count)| rank(edge, count, builder))
            .collect();
        let mut rest = ranges;
        while let Some((count, _, edge)) = heap.pop() {
            let current = counts.get(&edge).copied().unwrap_or(0);
            if current != count {
                if current > 1 {
                    heap.push(rank(edge, current, builder));
                }
                continue;
            }
            let with = self.partition(rest, edge);
            let (chosen, others) = rest.split_at_mut(with);
            for range in chosen.iter_mut() {
                for &other in self.get(*range) {
                    if let Some(count) = counts.get_mut(&other) {
                        *count -= 1;
                    }
                }
                self.remove(range, edge);
            }
            let quotient = self.factor(chosen, builder);
            terms.push(builder.gates.and(edge, quotient));
            rest = others;
        }
        for &range in rest.iter() {
            terms.push(builder.and_all(&mut self.get(range).to_vec()));
        }
        builder.or_all(&mut terms)
    }

    /// Moves the conjunctions with this literal to the front, in order; returns how many there are.
    fn partition(&self, ranges: &mut [(u32, u32)], edge: Edge) -> usize {
        let mut others = Vec::new();
        let mut with = 0;
        for place in 0..ranges.len() {
            let range = ranges[place];
            if self.get(range).binary_search(&edge).is_ok() {
                ranges[with] = range;
                with += 1;
            } else {
                others.push(range);
            }
        }
        ranges[with..].copy_from_slice(&others);
        with
    }

    fn remove(&mut self, range: &mut (u32, u32), edge: Edge) {
        let (start, end) = (range.0 as usize, range.1 as usize);
        if let Ok(place) = self.literals[start..end].binary_search(&edge) {
            self.literals.copy_within(start + place + 1..end, start + place);
            range.1 -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::{evaluate, read};

    #[test]
    fn factoring_keeps_the_meaning() {
        let mut seed = 12345u32;
        let mut dice = |below: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 16) % below
        };
        for _ in 0..200 {
            let mut gates = Gates::new();
            let bases: Vec<Edge> = (0..4).map(|number| gates.base(number)).collect();
            let inputs: Vec<Edge> = (0..4).map(|number| gates.does(0, number)).collect();
            let mut builder = Builder::new(gates, vec![inputs.clone()]);
            let bodies: Vec<Vec<Edge>> = (0..dice(9))
                .map(|_| {
                    (0..dice(4))
                        .map(|_| {
                            let edge =
                                if dice(2) == 0 { bases[dice(4) as usize] } else { inputs[dice(4) as usize] };
                            if dice(3) == 0 { !edge } else { edge }
                        })
                        .collect()
                })
                .collect();
            let mut products = Products::default();
            for body in &bodies {
                body.iter().for_each(|&edge| products.push(edge));
                products.end(&builder.gates);
            }
            let edge = products.build(&mut builder);
            // One of the inputs is always on: factoring may count on it.
            for state in 0..64u32 {
                let values = evaluate(&builder.gates, |gate| match gate {
                    Gate::Base(number) => state >> number & 1 != 0,
                    Gate::Does(_, number) => state >> 4 == number,
                    _ => false,
                });
                let expected = bodies.iter().any(|body| body.iter().all(|&edge| read(&values, edge)));
                assert_eq!(read(&values, edge), expected, "{bodies:?} in state {state:06b}");
            }
        }
    }
}
