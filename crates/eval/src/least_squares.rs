//! Least squares with a ridge, for few columns.

use crate::statistics::mean;

/// The weights of some columns and a constant that come nearest to the targets, where the square of a weight costs
/// `ridge` times the number of rows.
pub(crate) fn least_squares(columns: &[&[f64]], targets: &[f64], ridge: f64) -> (Vec<f64>, f64) {
    let means: Vec<f64> = columns.iter().map(|column| mean(column)).collect();
    let centre = mean(targets);
    let count = columns.len();
    let mut system = vec![vec![0.0; count + 1]; count];
    for one in 0..count {
        let own = || columns[one].iter().map(|value| value - means[one]);
        for other in 0..count {
            let theirs = columns[other].iter().map(|value| value - means[other]);
            system[one][other] = own().zip(theirs).map(|(one, other)| one * other).sum();
        }
        system[one][one] += ridge * targets.len() as f64 + 1e-9;
        system[one][count] = own().zip(targets).map(|(value, target)| value * (target - centre)).sum();
    }
    let weights = solve(system);
    let constant = centre - weights.iter().zip(&means).map(|(weight, mean)| weight * mean).sum::<f64>();
    (weights, constant)
}

/// Solves a system of equations by elimination; the right side is the last column.
fn solve(mut system: Vec<Vec<f64>>) -> Vec<f64> {
    let count = system.len();
    for step in 0..count {
        let best = (step..count)
            .max_by(|&one, &other| system[one][step].abs().total_cmp(&system[other][step].abs()));
        system.swap(step, best.unwrap_or(step));
        let pivot = system[step].clone();
        if pivot[step].abs() < 1e-12 {
            continue;
        }
        for (place, row) in system.iter_mut().enumerate() {
            if place != step {
                let factor = row[step] / pivot[step];
                row.iter_mut().zip(&pivot).for_each(|(value, pivot)| *value -= factor * pivot);
            }
        }
    }
    let value = |row: usize| match system[row][row] {
        pivot if pivot.abs() < 1e-12 => 0.0,
        pivot => system[row][count] / pivot,
    };
    (0..count).map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_is_found() {
        let xs = [0.0, 1.0, 2.0, 3.0, 5.0];
        let ys = [1.0, 0.0, 4.0, 1.0, 2.0];
        let targets: Vec<f64> = xs.iter().zip(&ys).map(|(x, y)| 3.0 * x - 2.0 * y + 7.0).collect();
        let (weights, constant) = least_squares(&[&xs, &ys], &targets, 0.0);
        assert!((weights[0] - 3.0).abs() < 1e-6 && (weights[1] + 2.0).abs() < 1e-6);
        assert!((constant - 7.0).abs() < 1e-6);
        // Two columns that are the same share the weight.
        let (weights, _) = least_squares(&[&xs, &xs], &xs, 0.01);
        assert!((weights[0] - weights[1]).abs() < 1e-9 && weights[0] > 0.4 && weights[0] < 0.5);
        assert_eq!(least_squares(&[], &[1.0, 3.0], 0.0), (Vec::new(), 2.0));
    }
}
