//! The sprite set: who is below whom, which class counts, and in which order types are updated.

use crate::engine::Direction;
use crate::language::{Code, Description, Diagnostic, SpriteLine, Value, Word, nearest};
use crate::ontology::{SPRITE, SpriteClass};

use super::parameters::{self, Names, Parameters};
use super::{MAX_TYPES, Physics, ResourceId, SpriteKind, TypeId};

/// A type as it is defined.
pub(super) struct Definition<'a> {
    pub(super) line: Option<&'a SpriteLine>,
    pub(super) class: Option<SpriteClass>,
    pub(super) parameters: Parameters<'a>,
    pub(super) lineage: Vec<TypeId>,
    pub(super) family: Vec<TypeId>,
    pub(super) singleton: bool,
}

/// All types, in the order of their numbers.
pub(super) struct Types<'a> {
    pub(super) names: Vec<String>,
    pub(super) definitions: Vec<Definition<'a>>,
    pub(super) order: Vec<TypeId>,
    pub(super) logged: u32,
}

pub(super) const WALL: TypeId = TypeId(0);
pub(super) const AVATAR: TypeId = TypeId(1);

impl<'a> Types<'a> {
    pub(super) fn read(description: &'a Description, diagnostics: &mut Vec<Diagnostic>) -> Self {
        let mut types =
            Self { names: Vec::new(), definitions: Vec::new(), order: vec![WALL, AVATAR], logged: 0 };
        types.add("wall", SpriteClass::Immovable);
        types.add("avatar", SpriteClass::MovingAvatar);
        types.lines(&description.sprites, None, &Parameters::default(), &[], diagnostics);
        types.order.retain(|&id| id != AVATAR);
        types.order.push(AVATAR);
        types
    }

    fn add(&mut self, name: &str, class: SpriteClass) {
        let id = TypeId(self.names.len() as u16);
        self.names.push(name.to_owned());
        self.definitions.push(Definition {
            line: None,
            class: Some(class),
            parameters: Parameters::default(),
            lineage: vec![id],
            family: vec![id],
            singleton: false,
        });
    }

    /// Reads a block and returns its types.
    fn lines(
        &mut self,
        lines: &'a [SpriteLine],
        class: Option<&'a Word>,
        inherited: &Parameters<'a>,
        above: &[TypeId],
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Vec<TypeId> {
        let mut block = Vec::new();
        for line in lines {
            let Some(id) = self.register(&line.name, diagnostics) else { continue };
            let mut parameters = inherited.clone();
            parameters.extend(&line.parameters);
            // A type that stands again in its own block is nobody's ancestor twice.
            let lineage: Vec<TypeId> =
                above.iter().copied().filter(|&other| other != id).chain([id]).collect();
            if let (Some(outer), Some(own)) = (class, &line.class)
                && outer.text != own.text
            {
                diagnostics.push(
                    Diagnostic::new(
                        Code::InheritedClass,
                        own.span,
                        format!("`{}` is a `{}` like its block", line.name.text, outer.text),
                    )
                    .with_label(outer.span, "the class of the block"),
                );
            }
            let counts = class.or(line.class.as_ref());
            self.definitions[id.number()] = Definition {
                line: Some(line),
                class: counts.and_then(|word| SpriteClass::from_name(&word.text)),
                parameters: parameters.clone(),
                family: lineage.clone(),
                lineage: lineage.clone(),
                singleton: self.definitions[id.number()].singleton
                    || line.parameters.iter().any(|parameter| {
                        parameter.name.text == "singleton"
                            && parameter.value.text.eq_ignore_ascii_case("true")
                    }),
            };
            if let Some(word) = counts
                && SpriteClass::from_name(&word.text).is_none()
                && Some(word) == line.class.as_ref()
            {
                unknown_class(word, diagnostics);
            }
            if line.children.is_empty() {
                self.order.retain(|&other| other != id);
                self.order.push(id);
            } else {
                let inner = line.class.as_ref().or(class);
                let below = self.lines(&line.children, inner, &parameters, &lineage, diagnostics);
                for child in below {
                    for member in self.definitions[child.number()].family.clone() {
                        if !self.definitions[id.number()].family.contains(&member) {
                            self.definitions[id.number()].family.push(member);
                        }
                    }
                }
            }
            block.push(id);
        }
        block
    }

    fn register(&mut self, name: &Word, diagnostics: &mut Vec<Diagnostic>) -> Option<TypeId> {
        if let Some(index) = self.names.iter().position(|other| *other == name.text) {
            if let Some(line) = self.definitions[index].line {
                diagnostics.push(
                    Diagnostic::new(
                        Code::RepeatedSprite,
                        name.span,
                        format!("`{}` is defined twice; the last one counts", name.text),
                    )
                    .with_label(line.name.span, "the first one"),
                );
            }
            return Some(TypeId(index as u16));
        }
        if self.names.len() >= MAX_TYPES {
            diagnostics.push(Diagnostic::new(
                Code::TooManyTypes,
                name.span,
                format!("a game can have {MAX_TYPES} sprite types; this one is left out"),
            ));
            return None;
        }
        self.add(&name.text, SpriteClass::Immovable);
        Some(TypeId(self.names.len() as u16 - 1))
    }

    /// Checks the parameters of all lines against their classes.
    pub(super) fn check(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        let names = Names { names: &self.names };
        for definition in &self.definitions {
            let Some(line) = definition.line else { continue };
            let leaf = line.children.is_empty();
            match definition.class {
                // A block's parameters may be for only some of the classes below it.
                Some(class) if leaf => {
                    let own: Vec<_> = line.parameters.iter().collect();
                    self.logged +=
                        parameters::check(&own, &[SPRITE, class.parameters()], class.name(), diagnostics);
                    names.check(&definition.parameters, class.parameters(), diagnostics);
                }
                _ => {
                    let every: Vec<&[_]> = std::iter::once(SPRITE)
                        .chain(SpriteClass::ALL.iter().map(|class| class.parameters()))
                        .collect();
                    let own: Vec<_> = line.parameters.iter().collect();
                    parameters::check(&own, &every, &line.name.text, diagnostics);
                }
            }
        }
    }

    /// The kinds, with resources numbered in `resources`.
    pub(super) fn kinds(&self, resources: &mut Vec<TypeId>) -> Vec<SpriteKind> {
        let names = Names { names: &self.names };
        let mut kinds = Vec::new();
        for (index, definition) in self.definitions.iter().enumerate() {
            let mut kind = SpriteKind::new(&self.names[index], definition.class);
            kind.lineage = definition.lineage.clone();
            kind.family = definition.family.clone();
            kind.singleton = definition.singleton;
            kind.is_solid = definition.line.is_none() && index == WALL.number();
            common(&mut kind, &definition.parameters);
            if let Some(class) = definition.class {
                special(&mut kind, class, &definition.parameters, &names, resources);
            }
            kind.settle();
            kinds.push(kind);
        }
        kinds
    }
}

fn unknown_class(word: &Word, diagnostics: &mut Vec<Diagnostic>) {
    let mut found =
        Diagnostic::new(Code::UnknownClass, word.span, format!("there is no sprite class `{}`", word.text));
    if let Some(near) = nearest(&word.text, SpriteClass::ALL.iter().map(|class| class.name())) {
        found = found.with_meant(near);
    }
    diagnostics.push(found);
}

/// Finds or adds a resource.
pub(super) fn resource(id: TypeId, resources: &mut Vec<TypeId>) -> ResourceId {
    let index = resources.iter().position(|&other| other == id).unwrap_or_else(|| {
        resources.push(id);
        resources.len() - 1
    });
    ResourceId(index as u16)
}

fn set<T>(field: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *field = value;
    }
}

/// Reads the parameters that every sprite has.
fn common(kind: &mut SpriteKind, parameters: &Parameters<'_>) {
    let truth = |name| parameters.truth(name);
    set(&mut kind.is_static, truth("is_static"));
    set(&mut kind.only_active, truth("only_active"));
    set(&mut kind.is_avatar, truth("is_avatar"));
    set(&mut kind.stationary, truth("stationary"));
    set(&mut kind.is_oriented, truth("is_oriented"));
    set(&mut kind.is_resource, truth("is_resource"));
    set(&mut kind.is_portal, truth("portal"));
    set(&mut kind.is_npc, truth("is_npc"));
    set(&mut kind.turns_first, truth("rotateInPlace"));
    set(&mut kind.is_solid, truth("solid"));
    set(&mut kind.from_avatar, truth("is_from_avatar"));
    set(&mut kind.waits_first, truth("isFirstTick"));
    set(&mut kind.on_ground, truth("on_ground"));
    let integer = |name| parameters.integer(name);
    set(&mut kind.cooldown, integer("cooldown"));
    set(&mut kind.last_move, integer("lastmove"));
    set(&mut kind.health, integer("healthPoints"));
    set(&mut kind.max_health, integer("maxHealthPoints"));
    set(&mut kind.limit_health, integer("limitHealthPoints"));
    set(&mut kind.time_to_live, integer("timeToLive"));
    match integer("physicstype") {
        Some(0) => kind.physics = Physics::Grid,
        Some(1) => kind.physics = Physics::Continuous,
        _ => {}
    }
    let number = |name| parameters.number(name);
    set(&mut kind.speed, number("speed"));
    set(&mut kind.max_speed, number("max_speed"));
    set(&mut kind.mass, number("mass"));
    set(&mut kind.gravity, number("gravity"));
    set(&mut kind.friction, number("friction"));
    set(&mut kind.jump_strength, number("jump_strength"));
    set(&mut kind.rotation, number("rotation"));
    set(&mut kind.width, number("wMult"));
    set(&mut kind.height, number("hMult"));
    set(&mut kind.orientation, direction(parameters, "orientation"));
    set(&mut kind.hidden, per_player(parameters, "hidden"));
    set(&mut kind.invisible, per_player(parameters, "invisible"));
}

/// Truth values, one per player, of which the first stands for one that is missing.
fn per_player(parameters: &Parameters<'_>, name: &str) -> Option<[bool; 2]> {
    let mut parts = parameters.text(name)?.split(',').map(|part| part.eq_ignore_ascii_case("true"));
    let first = parts.next()?;
    Some([first, parts.next().unwrap_or(first)])
}

fn direction(parameters: &Parameters<'_>, name: &str) -> Option<Direction> {
    match Value::read(&parameters.find(name)?.value.text) {
        Value::Direction(x, y) => Some(Direction { x, y }),
        _ => None,
    }
}

/// Reads the parameters of a class.
fn special(
    kind: &mut SpriteKind,
    class: SpriteClass,
    parameters: &Parameters<'_>,
    names: &Names<'_>,
    resources: &mut Vec<TypeId>,
) {
    let knows = |name: &str| class.parameters().iter().any(|(other, _)| *other == name);
    let integer = |name| parameters.integer(name).filter(|_| knows(name));
    let number = |name| parameters.number(name).filter(|_| knows(name));
    let truth = |name| parameters.truth(name).filter(|_| knows(name));
    let text = |name| parameters.text(name).filter(|_| knows(name));
    set(&mut kind.limit, integer("limit"));
    set(&mut kind.age, integer("age"));
    set(&mut kind.value, integer("value"));
    set(&mut kind.total, integer("total"));
    set(&mut kind.consecutive, integer("cons"));
    set(&mut kind.least_ammunition, integer("minAmmo"));
    set(&mut kind.ammunition_cost, integer("ammoCost"));
    set(&mut kind.probability, number("prob").or(number("spreadprob")).or(number("probability")));
    set(&mut kind.epsilon, number("epsilon"));
    set(&mut kind.angle, number("angle_diff"));
    set(&mut kind.facing, number("facing"));
    set(&mut kind.ground_factor, number("ground_speedup_factor"));
    set(&mut kind.air_divisor, number("air_slowdown_factor"));
    set(&mut kind.flees, truth("fleeing"));
    set(&mut kind.random_target, truth("randomTarget"));
    set(&mut kind.steers_in_air, truth("airsteering"));
    set(&mut kind.max_distance, integer("maxDistance").map(|value| value as f32));
    if knows("spawnorientation") {
        set(&mut kind.spawn_orientation, direction(parameters, "spawnorientation"));
    }
    if kind.is_resource && knows("resource_name") {
        let name = text("resource_name").unwrap_or(&kind.name);
        kind.resource = names.find(name).map(|id| resource(id, resources));
    }
    let several = text("stypes").or(text("stypeMissile")).or(text("stype1")).or(text("stype"));
    kind.targets = several.map_or(Vec::new(), |list| list.split(',').map(|name| names.find(name)).collect());
    kind.target = text("stype").or(text("spawnBehind")).and_then(|name| names.find(name));
    if let Some(list) = text("ammo") {
        kind.ammunition =
            list.split(',').map(|name| names.find(name).map(|id| resource(id, resources))).collect();
    }
}
