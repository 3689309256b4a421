//! A circuit as a game by plain evaluation, and the corpus of recorded games.
#![allow(dead_code)] // Each user takes a part.

use std::io::Read;
use std::path::PathBuf;

use circuit::Circuit;
use circuit::simulate::read;
use game::{Describe, Expansion, Game, Goal, GoalReading, MoveId, Observe, PerceptId, RoleId, RuleFault};

/// A circuit, evaluated gate by gate.
pub(crate) struct PlainGame {
    pub(crate) circuit: Circuit,
    roles: Vec<String>,
}

impl PlainGame {
    pub(crate) fn new(circuit: Circuit) -> Self {
        let roles = circuit.roles.iter().map(|role| role.name.clone()).collect();
        PlainGame { circuit, roles }
    }

    /// Moves are numbered role after role.
    fn offset(&self, role: usize) -> u32 {
        self.circuit.roles[..role].iter().map(|role| role.moves.len() as u32).sum()
    }
}

impl Game for PlainGame {
    type State = Vec<bool>;
    type Workspace = ();

    fn role_count(&self) -> usize {
        self.roles.len()
    }

    fn chance(&self) -> Option<RoleId> {
        self.circuit.chance.map(|role| RoleId(role as u16))
    }

    fn workspace(&self) {}

    fn initial(&self) -> Vec<bool> {
        self.circuit.initial.clone()
    }

    fn expand(&self, (): &mut (), state: &Vec<bool>, out: &mut Expansion) -> Result<(), RuleFault> {
        let values = self.circuit.evaluate(state, &[]);
        let terminal = read(&values, self.circuit.terminal);
        out.begin(terminal);
        for (number, role) in self.circuit.roles.iter().enumerate() {
            let offset = self.offset(number);
            for (place, &edge) in role.legal.iter().enumerate() {
                if !terminal && read(&values, edge) {
                    out.push(MoveId(offset + place as u32));
                }
            }
            out.end_role();
        }
        Ok(())
    }

    fn apply(&self, (): &mut (), state: &Vec<bool>, joint: &[MoveId]) -> Result<Vec<bool>, RuleFault> {
        let does: Vec<u32> = joint.iter().enumerate().map(|(role, id)| id.0 - self.offset(role)).collect();
        Ok(self.circuit.successor(state, &does))
    }

    fn goals(&self, (): &mut (), state: &Vec<bool>, out: &mut Vec<GoalReading>) -> Result<(), RuleFault> {
        let values = self.circuit.evaluate(state, &[]);
        out.clear();
        for role in &self.circuit.roles {
            let mut reading = GoalReading::None;
            for goal in role.goals.iter().filter(|goal| read(&values, goal.edge)) {
                reading.add(Goal(goal.value));
            }
            out.push(reading);
        }
        Ok(())
    }
}

impl Observe for PlainGame {
    type Percept = PerceptId;

    fn observe(
        &self,
        (): &mut (),
        state: &Vec<bool>,
        joint: &[MoveId],
        role: RoleId,
        out: &mut Vec<PerceptId>,
    ) -> Result<(), RuleFault> {
        let does: Vec<u32> = joint.iter().enumerate().map(|(role, id)| id.0 - self.offset(role)).collect();
        let values = self.circuit.evaluate(state, &does);
        let percepts = self.circuit.roles[role.0 as usize].percepts.iter();
        out.clear();
        out.extend((0..).zip(percepts).filter(|(_, told)| read(&values, told.edge)).map(|(place, _)| {
            // Numbers of one role lie together.
            PerceptId(u32::from(role.0) << 16 | place)
        }));
        Ok(())
    }
}

impl Describe for PlainGame {
    fn roles(&self) -> &[String] {
        &self.roles
    }

    fn role_spelling(&self, role: RoleId) -> String {
        self.circuit.spellings.spell(&self.roles[role.0 as usize])
    }

    fn move_text(&self, id: MoveId) -> String {
        let mut number = id.0 as usize;
        for role in &self.circuit.roles {
            if let Some(text) = role.moves.get(number) {
                return text.clone();
            }
            number -= role.moves.len();
        }
        String::new()
    }

    fn move_spelling(&self, id: MoveId) -> String {
        self.circuit.spellings.spell(&self.move_text(id))
    }

    fn find_move(&self, role: RoleId, text: &str) -> Option<MoveId> {
        let moves = &self.circuit.roles[role.0 as usize].moves;
        let place = moves.binary_search_by(|known| known.as_str().cmp(text)).ok()?;
        Some(MoveId(self.offset(role.0 as usize) + place as u32))
    }

    fn facts(&self, state: &Vec<bool>) -> Vec<String> {
        let bases = self.circuit.bases.iter().zip(state);
        bases.filter(|(_, holds)| **holds).map(|(text, _)| text.clone()).collect()
    }

    fn state_of(&self, facts: &[&str]) -> Option<Vec<bool>> {
        let mut state = vec![false; self.circuit.bases.len()];
        for fact in facts {
            state[self.circuit.bases.binary_search_by(|known| known.as_str().cmp(fact)).ok()?] = true;
        }
        Some(state)
    }

    fn has_percepts(&self) -> bool {
        self.circuit.has_percepts
    }

    fn percept_text(&self, id: PerceptId) -> String {
        self.circuit.roles[(id.0 >> 16) as usize].percepts[(id.0 & 0xffff) as usize].text.clone()
    }

    fn percept_spelling(&self, id: PerceptId) -> String {
        self.circuit.spellings.spell(&self.percept_text(id))
    }

    fn find_percept(&self, role: RoleId, text: &str) -> Option<PerceptId> {
        let percepts = &self.circuit.roles[role.0 as usize].percepts;
        let place = percepts.iter().position(|percept| percept.text == text)?;
        Some(PerceptId(u32::from(role.0) << 16 | place as u32))
    }
}

/// The folder with `games` and `traces`, if it is there.
pub(crate) fn corpus() -> Option<PathBuf> {
    let folder = match std::env::var_os("LUDENS_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")),
    };
    folder.join("games").is_dir().then_some(folder)
}

/// The normal rules of a game of the corpus.
pub(crate) fn rules(name: &str) -> Option<gdl::normal::NormalRules> {
    let bytes = std::fs::read(corpus()?.join("games").join(format!("{name}.kif"))).ok()?;
    let source = gdl::SourceFile::new(name, String::from_utf8_lossy(&bytes));
    Some(gdl::normal::normalize(&gdl::parse(&source).sheet))
}

/// The trace of a game of the corpus.
pub(crate) fn trace(name: &str) -> Option<verify::trace::Trace> {
    let file = std::fs::File::open(corpus()?.join("traces").join(format!("{name}.json.gz"))).ok()?;
    let mut json = Vec::new();
    flate2::read::GzDecoder::new(file).read_to_end(&mut json).ok()?;
    verify::trace::parse_trace(&json).ok()
}
