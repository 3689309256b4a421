//! A description to rules.

use std::collections::HashMap;

use crate::language::{Code, Description, Diagnostic, TerminationLine, nearest};
use crate::ontology::{EffectClass, GAME, SpriteClass, TERMINATION, TerminationClass};

use super::effects::Reader;
use super::interactions::Interactions;
use super::parameters::{self, Names, Parameters};
use super::sprites::Types;
use super::{Condition, KeyHandling, Physics, Rules, SpriteKind, Termination, TypeId, Updated};

/// Rules as far as they could be compiled, and every fault of meaning that was found.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The rules; what has an error is left out of them.
    pub rules: Rules,
    /// The faults, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

impl Checked {
    /// Whether a fault makes the description unplayable.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// The faults of a description beside those of its form.
pub fn check(description: &Description) -> Vec<Diagnostic> {
    compile(description).diagnostics
}

/// Compiles a description. Never fails: what cannot be compiled is reported and left out.
pub fn compile(description: &Description) -> Checked {
    let mut diagnostics = Vec::new();
    let game = Parameters::new(&description.parameters);
    let own: Vec<_> = description.parameters.iter().collect();
    let mut logged = description.logged + parameters::check(&own, &[GAME], "BasicGame", &mut diagnostics);
    let mut types = Types::read(description, &mut diagnostics);
    types.check(&mut diagnostics);
    logged += types.logged;
    let mut resources = Vec::new();
    let mut kinds = types.kinds(&mut resources);
    let counters = ranged(&game, "no_counters", 0, 0, 64, &mut diagnostics) as usize;
    let players = players(&game, &mut diagnostics);
    let mut reader = Reader {
        names: Names { names: &types.names },
        counters,
        resources: &mut resources,
        diagnostics: &mut diagnostics,
        logged: 0,
    };
    let interactions = Interactions::read(description, &mut reader);
    logged += reader.logged;
    let names = Names { names: &types.names };
    let terminations: Vec<Termination> = description
        .terminations
        .iter()
        .filter_map(|line| termination(line, &names, &mut logged, &mut diagnostics))
        .collect();
    let mapping = mapping(description, &names, &mut diagnostics);
    let obstacles = game.text("obs").map(|list| {
        names.check(&game, GAME, &mut diagnostics);
        list.split(',').filter_map(|name| names.find(name)).collect()
    });
    settle(&mut kinds, &interactions);
    super::check::sprites(
        description,
        &types,
        &interactions,
        &mapping,
        &mut kinds,
        &terminations,
        &mut diagnostics,
    );
    let resource_limits = resources
        .iter()
        .map(|id: &TypeId| {
            let mut holders = kinds.iter().filter(|kind| kind.class == Some(SpriteClass::Resource));
            let holds = |kind: &&SpriteKind| {
                kind.resource.is_some_and(|resource| resources[resource.0 as usize] == *id)
            };
            holders.rfind(holds).map_or(0, |kind| kind.limit)
        })
        .collect();
    let collisions = interactions.collisions(&kinds);
    let updated = types.order.iter().rev().filter_map(|&id| {
        let kind: &SpriteKind = &kinds[id.number()];
        let class = kind.class.filter(|class| !class.is_avatar())?;
        Some(Updated { id, class, inert: kind.inert })
    });
    let updated = updated.collect();
    diagnostics.sort_by_key(|found| (found.span, found.code));
    diagnostics.dedup();
    let rules = Rules {
        players,
        key_handling: key_handling(&game),
        counters,
        square_size: square_size(&game, &mut diagnostics),
        order: types.order.clone(),
        kinds,
        effects: interactions.effects,
        edge: interactions.edge,
        time: interactions.time,
        collisions,
        updated,
        terminations,
        resources,
        resource_limits,
        mapping,
        obstacles,
        logged,
    };
    Checked { rules, diagnostics }
}

/// `Pulse` has a name; whatever else is written, keys count as long as they are held.
fn key_handling(game: &Parameters<'_>) -> KeyHandling {
    let pulse = game.text("key_handler").is_some_and(|name| name.eq_ignore_ascii_case("Pulse"));
    if pulse { KeyHandling::Pulse } else { KeyHandling::Held }
}

fn ranged(
    game: &Parameters<'_>,
    name: &str,
    default: i32,
    least: i32,
    most: i32,
    diagnostics: &mut Vec<Diagnostic>,
) -> i32 {
    let value = game.integer(name).unwrap_or(default);
    if let Some(parameter) = game.find(name)
        && !(least..=most).contains(&value)
    {
        diagnostics.push(Diagnostic::new(
            Code::ValueOutOfRange,
            parameter.value.span,
            format!("`{name}` can be from {least} to {most}"),
        ));
    }
    value.clamp(least, most)
}

fn players(game: &Parameters<'_>, diagnostics: &mut Vec<Diagnostic>) -> usize {
    let players = game.integer("no_players").unwrap_or(1);
    if let Some(parameter) = game.find("no_players")
        && !(1..=2).contains(&players)
    {
        diagnostics.push(Diagnostic::new(
            Code::TooManyPlayers,
            parameter.value.span,
            format!("{players} players cannot play; one or two can"),
        ));
    }
    players.clamp(1, 2) as usize
}

/// The largest cell in pixels: coordinates stay far from the limits of their numbers.
const MAX_SQUARE: i32 = 1000;

fn square_size(game: &Parameters<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<i32> {
    game.integer("square_size").filter(|&size| size != -1)?;
    Some(ranged(game, "square_size", 1, 1, MAX_SQUARE, diagnostics))
}

/// What no class forbids but no sprite can be: sizes and marks that the engine relies on.
fn settle(kinds: &mut [SpriteKind], interactions: &Interactions) {
    use EffectClass::*;
    let speeds = interactions.has(&[IncreaseSpeedToAll, SetSpeedForAll, WallStop, WallReverse]);
    let turns = interactions
        .effects
        .iter()
        .any(|effect| effect.class == TransformToSingleton && effect.payload.switch);
    for kind in kinds {
        let plain = matches!(
            kind.class,
            Some(
                SpriteClass::Conveyor
                    | SpriteClass::Immovable
                    | SpriteClass::Passive
                    | SpriteClass::Resource
                    | SpriteClass::ResourcePack
                    | SpriteClass::Missile
                    | SpriteClass::ErraticMissile
                    | SpriteClass::Portal
                    | SpriteClass::SpriteProducer
                    | SpriteClass::Door
            )
        );
        let still = kind.is_static
            || kind.only_active
            || (kind.physics == Physics::Grid
                && ((!kind.is_oriented && !turns) || (kind.speed == 0.0 && !speeds)));
        kind.inert = plain && still && kind.time_to_live < 0;
    }
}

fn mapping(
    description: &Description,
    names: &Names<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> HashMap<char, Vec<TypeId>> {
    let mut mapping = HashMap::from([('w', vec![super::sprites::WALL]), ('A', vec![super::sprites::AVATAR])]);
    let mut seen: HashMap<char, gdl::Span> = HashMap::new();
    for line in &description.mappings {
        if let Some(first) = seen.insert(line.character, line.span) {
            diagnostics.push(
                Diagnostic::new(
                    Code::RepeatedMapping,
                    line.span,
                    format!("`{}` is mapped twice; the last line counts", line.character),
                )
                .with_label(first, "the first one"),
            );
        }
        let mut sprites = Vec::new();
        for word in &line.sprites {
            match names.find(&word.text) {
                Some(id) => sprites.push(id),
                None => names.undefined_as(Code::UndefinedMapping, &word.text, word.span, diagnostics),
            }
        }
        mapping.insert(line.character, sprites);
    }
    mapping
}

fn termination(
    line: &TerminationLine,
    names: &Names<'_>,
    logged: &mut u32,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Termination> {
    let Some(class) = TerminationClass::from_name(&line.class.text) else {
        let mut found = Diagnostic::new(
            Code::UnknownTermination,
            line.class.span,
            format!("there is no termination `{}`", line.class.text),
        );
        if let Some(near) = nearest(&line.class.text, TerminationClass::ALL.iter().map(|class| class.name()))
        {
            found = found.with_meant(near);
        }
        diagnostics.push(found);
        return None;
    };
    let own: Vec<_> = line.parameters.iter().collect();
    *logged += parameters::check(&own, &[TERMINATION, class.parameters()], class.name(), diagnostics);
    let parameters = Parameters::new(&line.parameters);
    names.check(&parameters, class.parameters(), diagnostics);
    let named = |name| parameters.text(name).and_then(|text| names.find(text));
    let of = named("stype").or(named("stype1"));
    let types: Vec<TypeId> = ["stype1", "stype2", "stype3"].into_iter().filter_map(named).collect();
    let more = parameters.truth("min").unwrap_or(false);
    if of.is_none() && !matches!(class, TerminationClass::Timeout) && parameters.find("stype").is_none() {
        let needed = match class {
            TerminationClass::SpriteCounter | TerminationClass::SpriteCounterMore => "stype",
            _ => "stype1",
        };
        if parameters.find(needed).is_none() && types.is_empty() {
            diagnostics.push(Diagnostic::new(
                Code::MissingParameter,
                line.class.span,
                format!("`{}` needs `{needed}`", class.name()),
            ));
            return None;
        }
    }
    let condition = match class {
        TerminationClass::SpriteCounter => Condition::AtMost(of),
        TerminationClass::SpriteCounterMore => Condition::AtLeast(of),
        TerminationClass::MultiSpriteCounter => Condition::Together { types, more },
        TerminationClass::MultiSpriteCounterSubTypes => {
            Condition::Kinds { of, kinds: parameters.integer("subTypesNum").unwrap_or(-1) }
        }
        TerminationClass::StopCounter => Condition::Stop { types, more },
        TerminationClass::Timeout => Condition::Timeout {
            counts: parameters.truth("use_counter").unwrap_or(false),
            compares: parameters.truth("compare").unwrap_or(false),
            limits: parameters
                .text("limits")
                .unwrap_or("0")
                .split(',')
                .map(|part| part.parse().ok())
                .collect(),
        },
    };
    let wins: Vec<bool> = parameters
        .text("win")
        .map_or(Vec::new(), |text| text.split(',').map(|part| part.eq_ignore_ascii_case("true")).collect());
    let win = |player: usize| wins.get(player).copied().unwrap_or(false);
    Some(Termination {
        condition,
        limit: parameters.integer("limit").unwrap_or(0),
        wins: [win(0), win(1)],
        by_score: parameters.truth("count_score").unwrap_or(false),
    })
}
