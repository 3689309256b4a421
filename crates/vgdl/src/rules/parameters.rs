//! Reading parameters: what a class knows, and what kind each value must have.

use gdl::Span;

use crate::language::{Code, Diagnostic, Parameter, Value, nearest};
use crate::ontology::Kind;

use super::TypeId;

/// The parameters of one line or of a sprite with all it inherits; the last of a name counts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parameters<'a> {
    list: Vec<&'a Parameter>,
}

impl<'a> Parameters<'a> {
    pub(crate) fn new(list: &'a [Parameter]) -> Self {
        let mut all = Self::default();
        all.extend(list);
        all
    }

    pub(crate) fn extend(&mut self, list: &'a [Parameter]) {
        for parameter in list {
            self.list.retain(|old| old.name.text != parameter.name.text);
            self.list.push(parameter);
        }
    }

    pub(crate) fn find(&self, name: &str) -> Option<&'a Parameter> {
        self.list.iter().copied().find(|parameter| parameter.name.text == name)
    }

    fn value(&self, name: &str) -> Option<Value> {
        self.find(name).map(|parameter| Value::read(&parameter.value.text))
    }

    pub(crate) fn integer(&self, name: &str) -> Option<i32> {
        match self.value(name)? {
            Value::Integer(value) => Some(value),
            _ => None,
        }
    }

    pub(crate) fn number(&self, name: &str) -> Option<f64> {
        match self.value(name)? {
            Value::Integer(value) => Some(f64::from(value)),
            Value::Number(value) => Some(value),
            _ => None,
        }
    }

    pub(crate) fn truth(&self, name: &str) -> Option<bool> {
        match self.value(name)? {
            Value::Truth(value) => Some(value),
            _ => None,
        }
    }

    /// Text that is not anything else. `win`, `hidden` and `invisible` may be truth values.
    pub(crate) fn text(&self, name: &str) -> Option<&'a str> {
        match self.value(name)? {
            Value::Text(_) => {}
            Value::Truth(_) if ["win", "hidden", "invisible"].contains(&name) => {}
            _ => return None,
        }
        self.find(name).map(|parameter| parameter.value.text.as_str())
    }

    /// Whole numbers, one per player, of which the first stands for those that are missing.
    pub(crate) fn scores(&self, name: &str) -> [i32; 2] {
        let text = self.find(name).map_or("0", |parameter| parameter.value.text.as_str());
        let parts: Vec<i32> = text.split(',').map(|part| part.parse().unwrap_or(0)).collect();
        [parts[0], parts.get(1).copied().unwrap_or(parts[0])]
    }

    /// Whole numbers with commas between. A single number is not read, as in the reference framework.
    pub(crate) fn counters(&self, name: &str, counters: usize) -> Vec<i32> {
        let parts: Vec<i32> =
            self.text(name).unwrap_or("0").split(',').map(|part| part.parse().unwrap_or(0)).collect();
        (0..counters).map(|index| parts.get(index).copied().unwrap_or(parts[0])).collect()
    }
}

/// Reports parameters that a class does not know and values of the wrong kind. Returns how many
/// parameters are unknown.
pub(crate) fn check(
    parameters: &[&Parameter],
    known: &[&[(&'static str, Kind)]],
    owner: &str,
    diagnostics: &mut Vec<Diagnostic>,
) -> u32 {
    let mut unknown = 0;
    for parameter in parameters {
        let name = parameter.name.text.as_str();
        let kind = known.iter().flat_map(|list| list.iter()).find(|(other, _)| *other == name);
        let Some(&(_, kind)) = kind else {
            unknown += 1;
            let mut found = Diagnostic::new(
                Code::UnknownParameter,
                parameter.name.span,
                format!("`{owner}` has no parameter `{name}`"),
            );
            if let Some(near) =
                nearest(name, known.iter().flat_map(|list| list.iter()).map(|(other, _)| *other))
            {
                found = found.with_meant(near);
            }
            diagnostics.push(found);
            continue;
        };
        if !fits(name, &parameter.value.text, kind) {
            diagnostics.push(
                Diagnostic::new(
                    Code::BadValue,
                    parameter.value.span,
                    format!("`{}` is no value of `{name}` and is not used", parameter.value.text),
                )
                .with_help(format!("it takes {}", wanted(kind))),
            );
        }
    }
    unknown
}

fn fits(name: &str, text: &str, kind: Kind) -> bool {
    let value = Value::read(text);
    match kind {
        Kind::Integer | Kind::Float => matches!(value, Value::Integer(_)),
        Kind::Number => matches!(value, Value::Integer(_) | Value::Number(_)),
        Kind::Truth => matches!(value, Value::Truth(_)),
        Kind::Text if ["win", "hidden", "invisible"].contains(&name) => {
            text.split(',').all(|part| ["true", "false"].contains(&part.to_ascii_lowercase().as_str()))
        }
        Kind::Text | Kind::Sprite | Kind::Sprites | Kind::Effect => matches!(value, Value::Text(_)),
        Kind::Score => text.split(',').all(|part| part.parse::<i32>().is_ok()),
        Kind::Direction => matches!(value, Value::Direction(..)),
        Kind::Colour => matches!(value, Value::Colour),
    }
}

fn wanted(kind: Kind) -> &'static str {
    match kind {
        Kind::Integer | Kind::Float => "a whole number",
        Kind::Number => "a number",
        Kind::Truth => "`True` or `False`",
        Kind::Text => "text that is no number and no constant",
        Kind::Score => "whole numbers, one per player, with commas between",
        Kind::Direction => "`UP`, `DOWN`, `LEFT` or `RIGHT`",
        Kind::Colour => "a colour in capitals",
        Kind::Sprite => "the name of a sprite",
        Kind::Sprites => "names of sprites with commas between",
        Kind::Effect => "the name of an effect",
    }
}

/// Names of types to types.
pub(crate) struct Names<'a> {
    pub(crate) names: &'a [String],
}

impl Names<'_> {
    pub(crate) fn find(&self, name: &str) -> Option<TypeId> {
        self.names.iter().position(|other| other == name).map(|index| TypeId(index as u16))
    }

    /// Reports every name of a type in `parameters` that is not defined.
    pub(crate) fn check(
        &self,
        parameters: &Parameters<'_>,
        known: &[(&'static str, Kind)],
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        for &(name, kind) in known {
            if !matches!(kind, Kind::Sprite | Kind::Sprites) {
                continue;
            }
            let (Some(parameter), Some(text)) = (parameters.find(name), parameters.text(name)) else {
                continue;
            };
            let mut start = parameter.value.span.start as usize;
            for part in text.split(',') {
                if self.find(part).is_none() {
                    self.undefined(part, Span::new(start, start + part.len()), diagnostics);
                }
                start += part.len() + 1;
            }
        }
    }

    pub(crate) fn undefined(&self, name: &str, span: Span, diagnostics: &mut Vec<Diagnostic>) {
        self.undefined_as(Code::UndefinedSprite, name, span, diagnostics);
    }

    pub(crate) fn undefined_as(&self, code: Code, name: &str, span: Span, diagnostics: &mut Vec<Diagnostic>) {
        let mut found = Diagnostic::new(code, span, format!("no sprite `{name}` is defined"));
        if let Some(near) = nearest(name, self.names.iter().map(String::as_str)) {
            found = found.with_meant(near);
        }
        diagnostics.push(found);
    }
}
