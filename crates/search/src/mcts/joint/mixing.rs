//! Moves drawn by how likely they are.

/// The place of a move, given how likely each is and a number from 0 to 1.
pub(crate) fn draw(likelihoods: &[f64], unit: f64) -> usize {
    let mut rest = unit * likelihoods.iter().sum::<f64>();
    let mut last = 0;
    for (place, &likelihood) in likelihoods.iter().enumerate().filter(|(_, likelihood)| **likelihood > 0.0) {
        last = place;
        rest -= likelihood;
        if rest < 0.0 {
            break;
        }
    }
    last
}

/// Numbers in proportion that add up to 1; all the same if there is nothing to go by.
pub(crate) fn normalised(mut weights: Vec<f64>) -> Vec<f64> {
    let sum: f64 = weights.iter().sum();
    let same = 1.0 / weights.len().max(1) as f64;
    weights.iter_mut().for_each(|weight| *weight = if sum > 0.0 { *weight / sum } else { same });
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_drawn_as_likely_as_they_are() {
        let drawn = |unit| draw(&[0.25, 0.0, 0.5, 0.25], unit);
        assert_eq!([0.0, 0.24, 0.26, 0.74, 0.76, 0.999].map(drawn), [0, 0, 2, 2, 3, 3]);
        assert_eq!(draw(&[0.0, 1.0, 0.0], 1.0), 1, "what cannot be is never drawn");
        assert_eq!(draw(&[0.0, 0.0], 0.5), 0);
    }

    #[test]
    fn parts_add_up_to_one() {
        assert_eq!(normalised(vec![1.0, 3.0]), [0.25, 0.75]);
        assert_eq!(normalised(vec![0.0, 0.0]), [0.5, 0.5]);
    }
}
