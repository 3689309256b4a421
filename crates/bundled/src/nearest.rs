//! Names that are like a name.

/// How many names are suggested.
const SUGGESTIONS: usize = 3;

/// What counts in a name: its letters and digits, in lower case.
pub(crate) fn letters(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The names nearest to `wanted`, best first; none if all are far from it.
pub(crate) fn nearest<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    // Nobody's typing error is longer, and the distance takes time quadratic in the length.
    let wanted: Vec<char> = letters(wanted).chars().take(64).collect();
    let mut rated: Vec<(usize, &str)> = names
        .filter_map(|name| {
            let letters: Vec<char> = letters(name).chars().collect();
            let distance = distance(&wanted, &letters);
            let contained = wanted.len() >= 3 && letters.windows(wanted.len()).any(|part| part == wanted);
            let close = distance <= 1 + wanted.len().min(letters.len()) / 3;
            (close || contained).then_some((distance, name))
        })
        .collect();
    rated.sort();
    rated.into_iter().take(SUGGESTIONS).map(|(_, name)| name).collect()
}

/// The number of letters to insert, remove or change (Levenshtein's distance).
fn distance(left: &[char], right: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (index, letter) in left.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for (column, other) in right.iter().enumerate() {
            let change = diagonal + usize::from(letter != other);
            diagonal = row[column + 1];
            row[column + 1] = change.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        let distance = |left: &str, right: &str| {
            super::distance(&left.chars().collect::<Vec<_>>(), &right.chars().collect::<Vec<_>>())
        };
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
    }

    #[test]
    fn parts_of_a_name_suggest_it() {
        let names = ["connect-four", "connect-five", "chess"];
        assert_eq!(nearest("connect", names.into_iter()), ["connect-five", "connect-four"]);
        assert_eq!(nearest("ches", names.into_iter()), ["chess"]);
    }
}
