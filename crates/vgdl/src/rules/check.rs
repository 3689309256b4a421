//! Which types are used, and by what: faults of types that are used without a class, notes for
//! types that nobody uses, and the mark of those that are only scenery.

use std::collections::HashMap;

use crate::language::{Code, Description, Diagnostic};

use super::interactions::Interactions;
use super::sprites::{AVATAR, Types, WALL};
use super::{Condition, SpriteKind, Termination, TypeId, TypeSet};

#[allow(clippy::too_many_arguments)]
pub(super) fn sprites(
    description: &Description,
    types: &Types<'_>,
    interactions: &Interactions,
    mapping: &HashMap<char, Vec<TypeId>>,
    kinds: &mut [SpriteKind],
    terminations: &[Termination],
    diagnostics: &mut Vec<Diagnostic>,
) {
    let placed: TypeSet = set(mapping.values().flatten().copied());
    let made = made(interactions, kinds);
    let named = named(description, types);
    let mut touched = TypeSet::default();
    let mut touch = |id: TypeId| kinds[id.number()].family.iter().for_each(|&member| touched.insert(member));
    interactions.pairs.iter().for_each(|((first, second), _)| {
        touch(*first);
        touch(*second);
    });
    interactions.edge.iter().for_each(|(id, _)| touch(*id));
    for effect in &interactions.effects {
        let payload = &effect.payload;
        [effect.subject, payload.target, payload.other, payload.counted]
            .into_iter()
            .flatten()
            .for_each(&mut touch);
    }
    for termination in terminations {
        match &termination.condition {
            Condition::AtMost(of) | Condition::AtLeast(of) | Condition::Kinds { of, .. } => {
                of.iter().copied().for_each(&mut touch);
            }
            Condition::Together { types, .. } | Condition::Stop { types, .. } => {
                types.iter().copied().for_each(&mut touch);
            }
            Condition::Timeout { .. } => {}
        }
    }
    let targets: Vec<TypeId> =
        kinds.iter().flat_map(|kind| kind.targets.iter().copied().flatten().chain(kind.target)).collect();
    targets.into_iter().for_each(&mut touch);
    for (index, definition) in types.definitions.iter().enumerate() {
        let id = TypeId(index as u16);
        let kind = &mut kinds[index];
        kind.scenery = kind.inert && !kind.is_avatar && !touched.contains(id);
        let Some(line) = definition.line else { continue };
        if definition.class.is_none() && line.class.is_none() && (placed.contains(id) || made.contains(id)) {
            diagnostics.push(
                Diagnostic::new(
                    Code::MissingClass,
                    line.name.span,
                    format!("`{}` is created and has no class", line.name.text),
                )
                .with_help("write a class after the `>`, here or in a block around it"),
            );
        }
        let used = placed.contains(id) || made.contains(id) || named.contains(id);
        if line.children.is_empty() && !used && id != WALL && id != AVATAR {
            diagnostics.push(Diagnostic::new(
                Code::UnusedSprite,
                line.name.span,
                format!("`{}` is never created", line.name.text),
            ));
        }
    }
}

fn set(ids: impl Iterator<Item = TypeId>) -> TypeSet {
    let mut set = TypeSet::default();
    ids.for_each(|id| set.insert(id));
    set
}

/// Types that sprites or effects make.
fn made(interactions: &Interactions, kinds: &[SpriteKind]) -> TypeSet {
    use crate::ontology::EffectClass::*;
    let effects = interactions.effects.iter().flat_map(|effect| match effect.class {
        Spawn | SpawnIfHasMore | SpawnIfHasLess | SpawnBehind | SpawnAbove | SpawnBelow | SpawnLeft
        | SpawnRight | TransformTo => vec![effect.payload.target],
        TransformIfCount | SpawnIfCounterSubTypes | TransformToSingleton => {
            vec![effect.payload.target, effect.payload.other]
        }
        TransformToAll => vec![effect.payload.other],
        TransformToRandomChild => {
            // A lineage ends with the type itself.
            let is_child = |kind: &SpriteKind| {
                let above = kind.lineage.split_last().map_or(&[][..], |(_, above)| above);
                effect.payload.target.is_some_and(|id| above.contains(&id))
            };
            let children = kinds.iter().enumerate().filter(|(_, kind)| is_child(kind));
            children.map(|(place, _)| Some(TypeId(place as u16))).collect()
        }
        _ => Vec::new(),
    });
    use crate::ontology::SpriteClass;
    let makers = kinds.iter().filter(|kind| {
        kind.class.is_some_and(|class| {
            class.is_avatar()
                || matches!(
                    class,
                    SpriteClass::SpawnPoint
                        | SpriteClass::SpawnPointMultiSprite
                        | SpriteClass::Bomber
                        | SpriteClass::RandomBomber
                        | SpriteClass::BomberRandomMissile
                        | SpriteClass::Spreader
                )
        })
    });
    let sprites = makers.flat_map(|kind| kind.targets.iter().copied().chain([kind.target]));
    set(effects.chain(sprites).flatten())
}

/// Types below which or beside which something is said: they may be there for their names.
fn named(description: &Description, types: &Types<'_>) -> TypeSet {
    let words = description
        .interactions
        .iter()
        .flat_map(|line| line.parameters.iter().flat_map(|parameter| parameter.value.text.split(',')));
    let find =
        |name: &str| types.names.iter().position(|other| other == name).map(|index| TypeId(index as u16));
    set(words.filter_map(find))
}
