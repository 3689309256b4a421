//! One interaction line to an effect.

use crate::language::{Code, Diagnostic, InteractionLine, Parameter, nearest};
use crate::ontology::{EFFECT, EffectClass, Kind, TIME};

use super::parameters::{self, Names, Parameters};
use super::sprites::resource;
use super::{Effect, Payload, TypeId};

/// What effects are read with.
pub(super) struct Reader<'a> {
    pub(super) names: Names<'a>,
    pub(super) counters: usize,
    pub(super) resources: &'a mut Vec<TypeId>,
    pub(super) diagnostics: &'a mut Vec<Diagnostic>,
    pub(super) logged: u32,
}

impl Reader<'_> {
    /// The effect of a line, and the effect it triggers later if it is a timer.
    pub(super) fn effect(&mut self, line: &InteractionLine) -> Option<(Effect, Option<Effect>)> {
        let class = self.class(&line.effect.text, line.effect.span)?;
        let timed = line.first.text.eq_ignore_ascii_case("TIME")
            || line.second.iter().any(|word| word.text.eq_ignore_ascii_case("TIME"));
        let parameters = Parameters::new(&line.parameters);
        let delegate = if class == EffectClass::AddTimer {
            let found = parameters.find("ftype");
            let Some(name) = found else {
                self.missing(line, "ftype");
                return None;
            };
            Some(self.class(&name.value.text, name.value.span)?)
        } else {
            None
        };
        let time: &[(&str, Kind)] = if timed || delegate.is_some() { TIME } else { &[] };
        let inner = delegate.map_or(&[] as &[_], EffectClass::parameters);
        let own: Vec<_> = line.parameters.iter().collect();
        self.logged += parameters::check(
            &own,
            &[EFFECT, time, class.parameters(), inner],
            class.name(),
            self.diagnostics,
        );
        for known in [class.parameters(), inner] {
            self.names.check(&parameters, known, self.diagnostics);
        }
        self.ignored(class, &own);
        let delegate = match delegate {
            Some(inner) => Some(self.read(line, inner, &parameters)?),
            None => None,
        };
        Some((self.read(line, class, &parameters)?, delegate))
    }

    /// Reports parameters that are known and change nothing.
    fn ignored(&mut self, class: EffectClass, own: &[&Parameter]) {
        for parameter in own {
            let name = parameter.name.text.as_str();
            let why = match name {
                "sequential" | "inBatch" | "is_kill_effect" | "is_stochastic" => "no effect reads it",
                _ if decided(class).contains(&name) => "the effect decides that by its own condition",
                _ => continue,
            };
            let told = format!("`{name}` changes nothing in `{}`", class.name());
            let found = Diagnostic::new(Code::IgnoredParameter, parameter.name.span, told);
            self.diagnostics.push(found.with_help(why));
        }
    }

    fn class(&mut self, name: &str, span: gdl::Span) -> Option<EffectClass> {
        let class = EffectClass::from_name(name);
        if class.is_none() {
            let mut found =
                Diagnostic::new(Code::UnknownEffect, span, format!("there is no effect `{name}`"));
            if let Some(near) = nearest(name, EffectClass::ALL.iter().map(|class| class.name())) {
                found = found.with_meant(near);
            }
            self.diagnostics.push(found);
        }
        class
    }

    fn read(
        &mut self,
        line: &InteractionLine,
        class: EffectClass,
        parameters: &Parameters<'_>,
    ) -> Option<Effect> {
        for &name in needed(class) {
            if parameters.text(name).is_none() {
                self.missing(line, name);
                return None;
            }
        }
        // Classes that decide by their condition overwrite what is given.
        let flag = |name, class| decided(class).contains(&name) || parameters.truth(name).unwrap_or(true);
        Some(Effect {
            class,
            payload: self.payload(class, parameters)?,
            score: parameters.scores("scoreChange"),
            counter: parameters.counters("counter", self.counters),
            counter_else: parameters.counters("counterElse", self.counters),
            scores: flag("applyScore", class),
            counts: flag("count", class),
            counts_else: flag("countElse", class),
            probability: parameters.number("prob").unwrap_or(1.0),
            enabled: parameters.truth("enabled").unwrap_or(true),
            timer: parameters.integer("timer").unwrap_or(-1),
            next: -1,
            repeats: parameters.truth("repeating").unwrap_or(false),
            subject: None,
        })
    }

    fn payload(&mut self, class: EffectClass, parameters: &Parameters<'_>) -> Option<Payload> {
        use EffectClass::*;
        let knows = |name: &str| class.parameters().iter().any(|(other, _)| *other == name);
        let text = |name| parameters.text(name).filter(|_| knows(name));
        let integer = |name| parameters.integer(name).filter(|_| knows(name));
        let truth = |name| parameters.truth(name).filter(|_| knows(name));
        let named = |name| text(name).and_then(|name| self.names.find(name));
        // A name that is not defined is reported already; without it there is no effect.
        for &name in needed(class) {
            if name != "ftype" && named(name).is_none() {
                return None;
            }
        }
        let held = named("resource").or(named("heldResource"));
        let mut payload = Payload {
            target: named("stype"),
            other: named("stypeTo").or(named("estype")).or(named("stype_other")).or(named("spawnPoint")),
            counted: named("stypeCount"),
            spared: text("notStype").map_or(Vec::new(), |list| {
                list.split(',').filter_map(|name| self.names.find(name)).collect()
            }),
            shielded: text("ftype").and_then(EffectClass::from_name),
            limit: integer("limit").or(integer("geq")).unwrap_or(0),
            value: integer("value").unwrap_or(1),
            number: parameters.number("value").filter(|_| knows("value")).unwrap_or(0.1),
            kills: truth("killSecond").or(truth("killResource")).or(truth("subtract")).unwrap_or(false),
            score_if_killed: parameters.scores("scoreChangeIfKilled"),
            ..Payload::default()
        };
        payload.switch = ["pixelPerfect", "forceOrientation", "takeOrientation", "align", "stepBack"]
            .into_iter()
            .find_map(truth)
            .unwrap_or(false);
        payload.bound = match class {
            TransformIfCount => integer("leq").unwrap_or(crate::engine::MAX_SPRITES),
            SpawnIfHasMore => integer("spend").unwrap_or(0),
            _ => integer("subTypesNum").unwrap_or(-1),
        };
        match class {
            Align => payload.switch = truth("orient").unwrap_or(true),
            CollectResource | CollectResourceIfHeld => {
                payload.kills = truth("killResource").unwrap_or(true);
            }
            SetSpeedForAll => payload.number = parameters.number("value").unwrap_or(0.0),
            KillIfSlow | KillIfFast => payload.number = parameters.number("limspeed").unwrap_or(1.0),
            WrapAround => payload.number = parameters.number("offset").unwrap_or(0.0),
            BounceDirection => {
                payload.number =
                    parameters.number("maxBounceAngleDeg").unwrap_or(60.0) / 180.0 * std::f64::consts::PI;
            }
            _ => {}
        }
        payload.resource = held.map(|id| resource(id, self.resources));
        Some(payload)
    }

    fn missing(&mut self, line: &InteractionLine, name: &str) {
        self.diagnostics.push(Diagnostic::new(
            Code::MissingParameter,
            line.effect.span,
            format!("`{}` needs `{name}`", line.effect.text),
        ));
    }
}

/// What a class decides itself each time it is executed.
fn decided(class: EffectClass) -> &'static [&'static str] {
    use EffectClass::*;
    match class {
        TransformIfCount => &["applyScore", "count", "countElse"],
        SpawnIfCounterSubTypes => &["applyScore", "count"],
        KillIfHasLess
        | KillIfHasMore
        | KillIfOtherHasMore
        | KillIfFromAbove
        | KillIfFrontal
        | KillIfNotFrontal
        | CollectResource
        | CollectResourceIfHeld
        | ChangeResource
        | AddHealthPoints
        | SpawnIfHasMore
        | SpawnIfHasLess => &["applyScore"],
        _ => &[],
    }
}

/// The names without which there is no effect.
fn needed(class: EffectClass) -> &'static [&'static str] {
    use EffectClass::*;
    match class {
        KillAll
        | TransformTo
        | TransformToRandomChild
        | Spawn
        | SpawnBehind
        | SpawnAbove
        | SpawnBelow
        | SpawnLeft
        | SpawnRight
        | IncreaseSpeedToAll
        | DecreaseSpeedToAll
        | SetSpeedForAll => &["stype"],
        TransformIfCount => &["stype", "stypeCount"],
        TransformToAll => &["stype", "stypeTo"],
        TransformToSingleton => &["stype", "stype_other"],
        SpawnIfCounterSubTypes => &["stype", "estype", "stypeCount"],
        SpawnIfHasMore | SpawnIfHasLess => &["resource", "stype"],
        ChangeResource | KillIfHasLess | KillIfHasMore | KillIfOtherHasMore => &["resource"],
        CollectResourceIfHeld => &["heldResource"],
        ShieldFrom => &["stype", "ftype"],
        UpdateSpawnType => &["stype", "spawnPoint"],
        _ => &[],
    }
}
