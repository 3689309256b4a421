//! Terms of the rules as other languages write them.

/// A term as canonical KIF with functions before their parentheses and names in quotes: `(cell 1 b)` is
/// `'cell'('1','b')`.
pub(crate) fn quoted(term: &str, quote: char) -> String {
    let mut out = String::with_capacity(term.len() + 16);
    // Whether a name that comes now is the function of its list.
    let mut is_function = false;
    let mut is_first = true;
    for token in tokens(term) {
        match token {
            "(" => {
                comma(&mut out, &mut is_first);
                is_function = true;
            }
            ")" => {
                out.push(')');
                is_first = false;
            }
            name => {
                if is_function {
                    quote_name(&mut out, name, quote);
                    out.push('(');
                    is_function = false;
                    is_first = true;
                } else {
                    comma(&mut out, &mut is_first);
                    quote_name(&mut out, name, quote);
                }
            }
        }
    }
    out
}

fn comma(out: &mut String, is_first: &mut bool) {
    if !*is_first {
        out.push(',');
    }
    *is_first = false;
}

fn quote_name(out: &mut String, name: &str, quote: char) {
    out.push(quote);
    for character in name.chars() {
        if character == quote || character == '\\' {
            out.push('\\');
        }
        out.push(character);
    }
    out.push(quote);
}

/// A term as one word of letters, digits, `-` and `_`: `(cell 1 b)` is `cell_1_b`, with a number in front where a word has to
/// begin with a letter or could be that of another term.
pub(crate) fn word(prefix: &str, number: usize, term: &str) -> String {
    let plain = |character: char| if character.is_ascii_alphanumeric() { character } else { '_' };
    let names: Vec<String> = tokens(term)
        .filter(|token| !["(", ")"].contains(token))
        .map(|name| name.chars().map(plain).collect())
        .collect();
    format!("{prefix}{number}_{}", names.join("_"))
}

/// Parentheses and names.
fn tokens(term: &str) -> impl Iterator<Item = &str> {
    let mut rest = term;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let first = rest.chars().next()?;
        let length =
            if first == '(' || first == ')' { 1 } else { rest.find([' ', '(', ')']).unwrap_or(rest.len()) };
        let (token, left) = rest.split_at(length);
        rest = left;
        Some(token)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_written_as_others_write_them() {
        assert_eq!(quoted("(cell 1 (pair a b) x)", '\''), "'cell'('1','pair'('a','b'),'x')");
        assert_eq!(quoted("noop", '\''), "'noop'");
        assert_eq!(quoted("(mark 1 2)", '"'), "\"mark\"(\"1\",\"2\")");
        assert_eq!(quoted("don't", '\''), "'don\\'t'");
        assert_eq!(word("f", 3, "(cell 1 b+)"), "f3_cell_1_b_");
    }
}
