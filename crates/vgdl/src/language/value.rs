//! What a parameter's value is: tried as a constant, an integer, a number, a truth value, then text.

/// A value as it is understood.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A whole number, also the names of the kinds of physics.
    Integer(i32),
    /// A number that is not whole, or too large for an integer.
    Number(f64),
    /// `True` or `False`, in any case.
    Truth(bool),
    /// A direction of the constants, as `x` and `y`.
    Direction(f64, f64),
    /// A colour of the constants.
    Colour,
    /// Anything else.
    Text(String),
}

impl Value {
    /// Reads a value.
    ///
    /// ```
    /// use vgdl::Value;
    /// assert_eq!(Value::read("3"), Value::Integer(3));
    /// assert_eq!(Value::read("0.5"), Value::Number(0.5));
    /// assert_eq!(Value::read("UP"), Value::Direction(0.0, -1.0));
    /// assert_eq!(Value::read("TRUE"), Value::Truth(true));
    /// assert_eq!(Value::read("1,0"), Value::Text("1,0".into()));
    /// ```
    pub fn read(text: &str) -> Self {
        if let Some(value) = constant(text) {
            return value;
        }
        if let Ok(value) = text.parse() {
            return Self::Integer(value);
        }
        if let Some(value) = number(text) {
            return Self::Number(value);
        }
        if text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false") {
            return Self::Truth(text.eq_ignore_ascii_case("true"));
        }
        Self::Text(text.to_owned())
    }
}

fn constant(text: &str) -> Option<Value> {
    direction(text).or_else(|| direction(text.strip_prefix('D')?)).or_else(|| {
        Some(match text {
            "PHYSICS_NONE" => Value::Integer(-1),
            "GRID" => Value::Integer(0),
            "CONT" => Value::Integer(1),
            _ if COLOURS.contains(&text) => Value::Colour,
            _ => return None,
        })
    })
}

fn direction(text: &str) -> Option<Value> {
    Some(match text {
        "NIL" => Value::Direction(-1.0, -1.0),
        "NONE" => Value::Direction(0.0, 0.0),
        "RIGHT" => Value::Direction(1.0, 0.0),
        "LEFT" => Value::Direction(-1.0, 0.0),
        "UP" => Value::Direction(0.0, -1.0),
        "DOWN" => Value::Direction(0.0, 1.0),
        _ => return None,
    })
}

const COLOURS: [&str; 21] = [
    "GREEN",
    "BLUE",
    "RED",
    "GRAY",
    "WHITE",
    "BROWN",
    "BLACK",
    "ORANGE",
    "YELLOW",
    "PINK",
    "GOLD",
    "LIGHTRED",
    "LIGHTORANGE",
    "LIGHTBLUE",
    "LIGHTGREEN",
    "DARKGREEN",
    "LIGHTYELLOW",
    "LIGHTGRAY",
    "DARKGRAY",
    "DARKBLUE",
    "RANDOM",
];

/// A decimal number with an optional `f` or `d` behind it. Names such as `inf` are text.
fn number(text: &str) -> Option<f64> {
    let digits = text.strip_suffix(['f', 'F', 'd', 'D']).unwrap_or(text);
    let first = digits.strip_prefix(['+', '-']).unwrap_or(digits).chars().next()?;
    if first.is_ascii_digit() || first == '.' { digits.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_text_even_if_they_look_like_numbers_to_others() {
        for text in ["inf", "nan", "wall", "d", "-", "1,0", "infinity", "."] {
            assert_eq!(Value::read(text), Value::Text(text.into()), "{text}");
        }
        assert_eq!(Value::read("1.5f"), Value::Number(1.5));
        assert_eq!(Value::read("3000000000"), Value::Number(3e9));
        assert_eq!(Value::read("DLEFT"), Value::Direction(-1.0, 0.0));
        assert_eq!(Value::read("DOWN"), Value::Direction(0.0, 1.0));
    }
}
