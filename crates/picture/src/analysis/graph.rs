//! Nodes of a graph laid out so that neighbours are near: springs along edges, everything else repels.

/// Rounds of pulling and pushing; by then nothing moves much.
const ROUNDS: usize = 300;
/// The length of an edge at rest, in widths of a cell.
const REST: f32 = 1.8;

/// Moves nodes to where their edges have about the same length. The same graph always looks the same.
pub(crate) fn settle(places: &mut [[f32; 2]], edges: &[(usize, usize)]) {
    for round in 0..ROUNDS {
        let heat = 0.3 * (1.0 - round as f32 / ROUNDS as f32);
        let mut pushes = vec![[0.0f32; 2]; places.len()];
        let mut push = |from: usize, to: usize, force: f32| {
            let x = places[to][0] - places[from][0];
            let y = places[to][1] - places[from][1];
            let far = (x * x + y * y).sqrt().max(0.01);
            let force = force / far;
            pushes[to][0] += x * force;
            pushes[to][1] += y * force;
            pushes[from][0] -= x * force;
            pushes[from][1] -= y * force;
        };
        let distance = |from: usize, to: usize| {
            let (x, y) = (places[to][0] - places[from][0], places[to][1] - places[from][1]);
            (x * x + y * y).sqrt().max(0.01)
        };
        for from in 0..places.len() {
            for to in from + 1..places.len() {
                push(from, to, REST * REST / distance(from, to));
            }
        }
        for &(from, to) in edges {
            let far = distance(from, to);
            push(from, to, -far * far / REST);
        }
        for (place, push) in places.iter_mut().zip(pushes) {
            let strength = (push[0] * push[0] + push[1] * push[1]).sqrt().max(0.01);
            let step = strength.min(heat) / strength;
            place[0] += push[0] * step;
            place[1] += push[1] * step;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_end_up_nearer_than_others() {
        let mut places: Vec<[f32; 2]> =
            (0..6).map(|at| [(at as f32).cos() * 2.0, (at as f32).sin() * 2.0]).collect();
        let edges = [(0, 3), (3, 1), (1, 4), (4, 2), (2, 5)];
        settle(&mut places, &edges);
        let far = |from: usize, to: usize| {
            ((places[from][0] - places[to][0]).powi(2) + (places[from][1] - places[to][1]).powi(2)).sqrt()
        };
        assert!(edges.iter().all(|&(from, to)| far(from, to) < far(0, 5)));
        assert!(places.iter().flatten().all(|value| value.is_finite()));
    }
}
