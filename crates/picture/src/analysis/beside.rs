//! What is told beside the boards: counters, tables, lists.

use super::fluent::Fluent;
use super::form::Form;
use crate::plan::BesidePlan;

/// A name as people write it.
pub(crate) fn label(name: &str) -> String {
    name.replace(['_', '-'], " ")
}

/// Whether a fluent is no part of a board by its form.
pub(crate) fn is_beside(form: &Form) -> bool {
    matches!(
        form,
        Form::Stacks { .. }
            | Form::Table { .. }
            | Form::Counter { .. }
            | Form::List { .. }
            | Form::Flag
            | Form::Other
    )
}

/// How a fluent is told; nothing for those that are told as they are.
pub(crate) fn beside(fluent: &Fluent, form: &Form) -> Option<BesidePlan> {
    let (name, arity, label) = (fluent.name.clone(), fluent.arity, label(&fluent.name));
    let path = |place: usize| fluent.slots[place].path.clone();
    Some(match form {
        Form::Stacks { above, below } => {
            BesidePlan::Stacks { name, above: path(*above), below: path(*below) }
        }
        Form::Table { key, value } => {
            let key = key.iter().map(|&place| path(place)).collect();
            BesidePlan::Table { name, arity, label, key, value: path(*value) }
        }
        Form::Counter { place } => {
            BesidePlan::Counter { name, arity, label, value: path(*place), fixed: Vec::new() }
        }
        Form::Track { place, content } => match content[..] {
            [] => BesidePlan::List { name, arity, label, value: path(*place) },
            [value, ..] => {
                BesidePlan::Table { name, arity, label, key: vec![path(*place)], value: path(value) }
            }
        },
        Form::List { place } => BesidePlan::List { name, arity, label, value: path(*place) },
        _ => return None,
    })
}
