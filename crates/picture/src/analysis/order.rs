//! Which values have an order: numbers, letters, chains of successors.

/// Values in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    /// From the first to the last.
    pub(crate) values: Vec<String>,
    /// Whether the first follows the last.
    pub(crate) cyclic: bool,
}

/// The letters before a number and the number.
pub(crate) fn numbered(name: &str) -> Option<(&str, u64)> {
    let digits = name.trim_start_matches(|letter: char| !letter.is_ascii_digit());
    let prefix = &name[..name.len() - digits.len()];
    if digits.len() > 9 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some((prefix, digits.parse().ok()?))
}

/// A letter and a number, as squares are named: `e4`. The number comes second in what is returned.
pub(crate) fn square(name: &str) -> Option<(&str, u64)> {
    let (letters, number) = numbered(name)?;
    let letters_only = letters.len() == 1 && letters.bytes().all(|byte| byte.is_ascii_lowercase());
    letters_only.then_some((letters, number))
}

/// The order that people read off the names: numbers, a word with numbers, letters of the alphabet in
/// a row.
pub(crate) fn natural(values: &[String]) -> Option<Vec<String>> {
    let mut sorted = values.to_vec();
    if let Some((prefix, _)) = values.first().and_then(|value| numbered(value)) {
        let same = |value: &String| numbered(value).is_some_and(|(other, _)| other == prefix);
        if values.iter().all(same) {
            sorted.sort_by_key(|value| numbered(value).map(|(_, number)| number));
            return Some(sorted);
        }
    }
    sorted.sort();
    let letter = |value: &String| match value.as_bytes() {
        [letter] if letter.is_ascii_lowercase() => Some(*letter),
        _ => None,
    };
    let in_a_row = |letters: Option<Vec<u8>>| {
        letters.is_some_and(|letters| letters.windows(2).all(|pair| pair[1] == pair[0] + 1))
    };
    if in_a_row(sorted.iter().map(letter).collect()) {
        return Some(sorted);
    }
    // Digits, and then letters from `a` on, where one digit is not enough.
    let digits =
        sorted.iter().filter(|value| value.len() == 1 && value.as_bytes()[0].is_ascii_digit()).count();
    let (digits, letters) = sorted.split_at(digits);
    let mixed = digits.len() >= 3 && letters.first().is_some_and(|first| first == "a");
    (mixed && in_a_row(letters.iter().map(letter).collect())).then_some(sorted)
}

/// Any order at all that looks sorted, for a list.
pub(crate) fn sorted(mut values: Vec<String>) -> Vec<String> {
    values.sort_by(|left, right| match (numbered(left), numbered(right)) {
        (Some(left), Some(right)) => left.cmp(&right),
        _ => left.cmp(right),
    });
    values
}

/// The order by a relation of pairs, if it leads from one value through all the others.
pub(crate) fn chain(values: &[String], pairs: &[(String, String)]) -> Option<Order> {
    let place = |name: &String| values.iter().position(|value| value == name);
    let mut next = vec![None; values.len()];
    let mut has_one_before = vec![false; values.len()];
    let mut links = 0;
    for (from, to) in pairs {
        let (Some(from), Some(to)) = (place(from), place(to)) else { continue };
        if from == to || next[from].is_some() || has_one_before[to] {
            return None;
        }
        next[from] = Some(to);
        has_one_before[to] = true;
        links += 1;
    }
    let cyclic = links == values.len();
    if values.len() < 3 || !(cyclic || links + 1 == values.len()) {
        return None;
    }
    let first = if cyclic { 0 } else { has_one_before.iter().position(|before| !before)? };
    let mut order = vec![first];
    while let Some(at) = order.last().and_then(|&at| next[at]).filter(|&at| at != first) {
        if order.len() == values.len() {
            return None;
        }
        order.push(at);
    }
    (order.len() == values.len())
        .then(|| Order { values: order.into_iter().map(|at| values[at].clone()).collect(), cyclic })
}

/// Where a name of the compass points: to the right and down.
pub(crate) fn compass(name: &str) -> Option<(i8, i8)> {
    Some(match name {
        "n" | "north" => (0, -1),
        "ne" | "northeast" => (1, -1),
        "e" | "east" => (1, 0),
        "se" | "southeast" => (1, 1),
        "s" | "south" => (0, 1),
        "sw" | "southwest" => (-1, 1),
        "w" | "west" => (-1, 0),
        "nw" | "northwest" => (-1, -1),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    fn order(text: &str) -> Option<String> {
        natural(&words(text)).map(|sorted| sorted.join(" "))
    }

    #[test]
    fn natural_orders() {
        assert_eq!(order("10 9 1").as_deref(), Some("1 9 10"));
        assert_eq!(order("c10 c2").as_deref(), Some("c2 c10"));
        assert_eq!(order("b a c").as_deref(), Some("a b c"));
        assert_eq!(order("b 9 a 8 7").as_deref(), Some("7 8 9 a b"));
        for unordered in ["x o b", "1 2 b", "a1 b1", "red blue", "wp bp"] {
            assert_eq!(order(unordered), None, "{unordered}");
        }
    }

    #[test]
    fn chains() {
        let pair = |pair: &str| (pair[..1].to_owned(), pair[1..].to_owned());
        let pairs = ["up", "pt", "zz"].map(pair).to_vec();
        assert_eq!(chain(&words("p t u"), &pairs[..2]).map(|order| order.values), Some(words("u p t")));
        assert_eq!(chain(&words("p t u w"), &pairs), None);
        let ring = chain(&words("p t u"), &["up", "pt", "tu"].map(pair)).expect("a ring");
        assert!(ring.cyclic);
        assert_eq!(chain(&words("p t u"), &["up", "ut", "pt"].map(pair)), None);
    }

    #[test]
    fn squares() {
        assert_eq!(square("e4"), Some(("e", 4)));
        assert_eq!(square("gun1"), None);
        assert_eq!(square("e"), None);
    }
}
