//! The interaction set: pairs in the order of their first line, all effects of a pair together.

use crate::language::{Code, Description, Diagnostic, InteractionLine, Word};
use crate::ontology::EffectClass;

use super::effects::Reader;
use super::{Collision, Effect, EffectId, Reach, SpriteKind, TypeId, TypeSet};

/// All that the interaction set says.
#[derive(Default)]
pub(super) struct Interactions {
    pub(super) effects: Vec<Effect>,
    pub(super) pairs: Vec<((TypeId, TypeId), Vec<EffectId>)>,
    pub(super) edge: Vec<(TypeId, EffectId)>,
    pub(super) time: Vec<EffectId>,
}

impl Interactions {
    pub(super) fn read(description: &Description, reader: &mut Reader<'_>) -> Self {
        let mut all = Self::default();
        let mut edge_lines: Vec<TypeId> = Vec::new();
        let mut edge_effects: Vec<(TypeId, EffectId)> = Vec::new();
        for line in &description.interactions {
            let Some((effect, delegate)) = reader.effect(line) else { continue };
            let repeat = repeat(line, reader.diagnostics);
            let first = reader.names.find(&line.first.text);
            let id = all.push(effect, delegate);
            if is_time(&line.first) || line.second.first().is_some_and(is_time) {
                all.timed(line, id, reader);
                continue;
            }
            for word in &line.second {
                let second = reader.names.find(&word.text);
                match (first, second) {
                    (Some(first), Some(second)) => all.pair(first, second, id, repeat),
                    (Some(subject), None) | (None, Some(subject))
                        if is_edge(word) || (first.is_none() && is_edge(&line.first)) =>
                    {
                        edge_lines.push(subject);
                        edge_effects.push((subject, id));
                    }
                    _ => {
                        for (name, found) in [(&line.first, first), (word, second)] {
                            if found.is_none() && !is_edge(name) {
                                reader.names.undefined(&name.text, name.span, reader.diagnostics);
                            }
                        }
                    }
                }
            }
        }
        // A type with two lines for the edge has all its effects twice.
        for line in edge_lines {
            all.edge.extend(edge_effects.iter().filter(|(subject, _)| *subject == line));
        }
        all
    }

    fn push(&mut self, mut effect: Effect, delegate: Option<Effect>) -> EffectId {
        if let Some(delegate) = delegate {
            effect.payload.delegate = Some(EffectId(self.effects.len() as u16));
            self.effects.push(delegate);
        }
        self.effects.push(effect);
        EffectId(self.effects.len() as u16 - 1)
    }

    fn pair(&mut self, first: TypeId, second: TypeId, id: EffectId, repeat: usize) {
        let known = self.pairs.iter().position(|(pair, _)| *pair == (first, second));
        let index = known.unwrap_or_else(|| {
            self.pairs.push(((first, second), Vec::new()));
            self.pairs.len() - 1
        });
        self.pairs[index].1.extend(std::iter::repeat_n(id, repeat));
    }

    fn timed(&mut self, line: &InteractionLine, id: EffectId, reader: &mut Reader<'_>) {
        let word = if is_time(&line.first) { &line.second[0] } else { &line.first };
        let subject = reader.names.find(&word.text);
        if subject.is_none() {
            reader.names.undefined(&word.text, word.span, reader.diagnostics);
            return;
        }
        let effect = &mut self.effects[id.number()];
        effect.subject = subject;
        let planned = line.parameters.iter().any(|parameter| {
            parameter.name.text == "nextExecution"
                && parameter.value.text.parse::<i32>().is_ok_and(|at| at != -1)
        });
        if planned {
            effect.next = effect.timer;
        }
        let next = effect.next;
        let place = self.time.partition_point(|other| self.effects[other.number()].next < next);
        self.time.insert(place, id);
    }

    /// The pairs with everything that is needed to find who meets whom.
    pub(super) fn collisions(&self, kinds: &[SpriteKind]) -> Vec<Collision> {
        let mut collisions = Vec::new();
        for ((first, second), effects) in &self.pairs {
            let (first_family, second_family) =
                (&kinds[first.number()].family, &kinds[second.number()].family);
            let (mut first_set, mut second_set) = (TypeSet::default(), TypeSet::default());
            first_family.iter().for_each(|&id| first_set.insert(id));
            second_family.iter().for_each(|&id| second_set.insert(id));
            let feels_ground = first_family
                .iter()
                .any(|id| kinds[id.number()].class.is_some_and(|class| class.feels_ground()));
            for &effect in effects {
                let reach = self.effects[effect.number()].reach();
                let disjoint = !first_set.meets(&second_set);
                collisions.push(Collision {
                    first: *first,
                    second: *second,
                    effect,
                    first_bits: first_set.folded(),
                    second_bits: second_set.folded(),
                    first_rank: Collision::ranks(first_family, kinds.len()),
                    second_rank: Collision::ranks(second_family, kinds.len()),
                    reversible: !feels_ground
                        && (reach == Reach::Nobody || (reach == Reach::First && disjoint)),
                    feels_ground,
                });
            }
        }
        collisions
    }

    /// Whether an effect of a class is used.
    pub(super) fn has(&self, classes: &[EffectClass]) -> bool {
        self.effects.iter().any(|effect| classes.contains(&effect.class))
    }
}

fn is_time(word: &Word) -> bool {
    word.text.eq_ignore_ascii_case("TIME")
}

fn is_edge(word: &Word) -> bool {
    word.text.eq_ignore_ascii_case("EOS")
}

/// The most repetitions of one effect in a tick.
const MAX_REPEAT: i32 = 1000;

fn repeat(line: &InteractionLine, diagnostics: &mut Vec<Diagnostic>) -> usize {
    let Some(parameter) = line.parameters.iter().find(|parameter| parameter.name.text == "repeat") else {
        return 1;
    };
    let Ok(repeat) = parameter.value.text.parse::<i32>() else { return 1 };
    if repeat > MAX_REPEAT {
        diagnostics.push(Diagnostic::new(
            Code::ValueOutOfRange,
            parameter.value.span,
            format!("an effect can be repeated {MAX_REPEAT} times"),
        ));
    }
    repeat.clamp(0, MAX_REPEAT) as usize
}
