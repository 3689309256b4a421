//! Games of one step in which two choose at once: their values and equilibria, by the simplex method.

/// A solved matrix game.
#[derive(Clone, Debug, PartialEq)]
pub struct Equilibrium {
    /// What the one who chooses rows can be sure of.
    pub value: f64,
    /// How it mixes its rows for that.
    pub rows: Vec<f64>,
    /// How the other mixes its columns, so that it gets no more.
    pub columns: Vec<f64>,
}

/// Numbers below this are rounding errors.
const TINY: f64 = 1e-9;

/// Solves a matrix of what the one who chooses rows gets. All rows have as many columns, and at least one.
pub fn solve(matrix: &[Vec<f64>]) -> Equilibrium {
    let (rows, columns) = (matrix.len(), matrix.first().map_or(0, Vec::len));
    let least = matrix.iter().flatten().copied().fold(f64::INFINITY, f64::min);
    // With all entries at least 1 the largest sum of y with A y <= 1 is one over the value, and y in proportion is
    // how columns are mixed. The duals are how rows are.
    let shift = 1.0 - least;
    let width = columns + rows + 1;
    let mut table: Vec<Vec<f64>> = (0..rows)
        .map(|row| {
            let mut line = vec![0.0; width];
            (0..columns).for_each(|column| line[column] = matrix[row][column] + shift);
            line[columns + row] = 1.0;
            line[width - 1] = 1.0;
            line
        })
        .collect();
    let mut aim = vec![0.0; width];
    aim[..columns].fill(-1.0);
    let mut basis: Vec<usize> = (columns..columns + rows).collect();
    // The lowest number that helps enters, of equal ones the lowest leaves: so it cannot go in circles.
    while let Some(enters) = (0..width - 1).find(|&place| aim[place] < -TINY) {
        let ratio = |row: usize| table[row][width - 1] / table[row][enters];
        let leaves = (0..rows)
            .filter(|&row| table[row][enters] > TINY)
            .min_by(|&one, &other| ratio(one).total_cmp(&ratio(other)).then(basis[one].cmp(&basis[other])));
        // Entries are positive, so the sum is bounded.
        let Some(leaves) = leaves else { break };
        let pivot = table[leaves][enters];
        table[leaves].iter_mut().for_each(|entry| *entry /= pivot);
        let line = table[leaves].clone();
        let clear = |other: &mut Vec<f64>| {
            let factor = other[enters];
            other.iter_mut().zip(&line).for_each(|(entry, own)| *entry -= factor * own);
        };
        (0..rows).filter(|&row| row != leaves).for_each(|row| clear(&mut table[row]));
        clear(&mut aim);
        basis[leaves] = enters;
    }
    let sum = aim[width - 1];
    let mut mixed = vec![0.0; columns];
    for (row, &place) in basis.iter().enumerate() {
        if place < columns {
            mixed[place] = table[row][width - 1] / sum;
        }
    }
    Equilibrium {
        value: 1.0 / sum - shift,
        rows: (0..rows).map(|row| (aim[columns + row] / sum).max(0.0)).collect(),
        columns: mixed,
    }
}

/// The least that a mix of rows gets, whatever column the other takes.
pub fn security(matrix: &[Vec<f64>], rows: &[f64]) -> f64 {
    let columns = matrix.first().map_or(0, Vec::len);
    let against =
        |column: usize| matrix.iter().zip(rows).map(|(line, part)| line[column] * part).sum::<f64>();
    (0..columns).map(against).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use game::Dice;

    use super::*;

    fn near(one: &[f64], other: &[f64]) -> bool {
        one.iter().zip(other).all(|(one, other)| (one - other).abs() < 1e-6)
    }

    #[test]
    fn known_games_have_their_equilibria() {
        let pennies = solve(&[vec![100.0, 0.0], vec![0.0, 100.0]]);
        assert!(near(&[pennies.value], &[50.0]) && near(&pennies.rows, &[0.5, 0.5]), "{pennies:?}");
        // 100 p + 20 (1 - p) = 60 (1 - p), so p = 2/7; 100 q = 20 q + 60 (1 - q), so q = 3/7.
        let biased = solve(&[vec![100.0, 0.0], vec![20.0, 60.0]]);
        assert!(near(&[biased.value], &[300.0 / 7.0]), "{biased:?}");
        assert!(near(&biased.rows, &[2.0 / 7.0, 5.0 / 7.0]), "{biased:?}");
        assert!(near(&biased.columns, &[3.0 / 7.0, 4.0 / 7.0]), "{biased:?}");
        // The second row is better whatever happens, and against it the first column is.
        let sure = solve(&[vec![10.0, 20.0, 0.0], vec![30.0, 40.0, 50.0]]);
        assert!(near(&[sure.value], &[30.0]) && near(&sure.rows, &[0.0, 1.0]), "{sure:?}");
    }

    #[test]
    fn no_side_can_do_better() {
        let mut dice = Dice::new(1);
        for round in 0..500 {
            let (rows, columns) = (1 + dice.below(5), 1 + dice.below(5));
            let matrix: Vec<Vec<f64>> =
                (0..rows).map(|_| (0..columns).map(|_| 50.0 * dice.below(3) as f64).collect()).collect();
            let solved = solve(&matrix);
            let turned: Vec<Vec<f64>> =
                (0..columns).map(|column| matrix.iter().map(|line| -line[column]).collect()).collect();
            assert!((solved.rows.iter().sum::<f64>() - 1.0).abs() < 1e-6, "round {round}: {solved:?}");
            assert!(
                (security(&matrix, &solved.rows) - solved.value).abs() < 1e-6,
                "round {round}: {solved:?}"
            );
            assert!((-security(&turned, &solved.columns) - solved.value).abs() < 1e-6, "round {round}");
        }
    }
}
