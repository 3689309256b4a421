//! A state as a person sees it.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use crate::analysis::{Analysis, joined, look_of};
use crate::look::{Look, Symbol};
use crate::plan::{BesidePlan, BoardPlan, Caption, Layer, LayerKind, Style};
use crate::term::Term;
use crate::vocabulary::means_nothing;

/// A state ready to be drawn, in letters or as SVG.
#[derive(Clone, Debug, Serialize)]
pub struct Picture {
    /// The boards, the one to look at first before others.
    pub boards: Vec<Board>,
    /// What is told beside them.
    pub cards: Vec<Card>,
    /// The names of the roles, with the colour of each and what it has reached, once the game is over.
    pub roles: Vec<RoleLine>,
    /// The number of the step, if it was told.
    pub step: Option<usize>,
}

/// A role as it is told beside the boards.
#[derive(Clone, Debug, Serialize)]
pub struct RoleLine {
    /// Its name.
    pub name: String,
    /// Whether it has a choice now.
    pub to_move: bool,
    /// Its goal, if it was told.
    pub score: Option<u8>,
    /// What it did last.
    pub last: Option<String>,
}

/// A board with what is on it.
#[derive(Clone, Debug, Serialize)]
pub struct Board {
    /// A heading.
    pub title: Option<String>,
    /// How its cells are drawn.
    pub style: Style,
    /// Whether cells are light and dark by turns.
    pub checkered: bool,
    /// Every how many columns and rows a thick line stands.
    pub blocks: Option<[u16; 2]>,
    /// The cells.
    pub cells: Vec<Cell>,
    /// Words below columns, before rows, and above boards.
    pub columns: Vec<Caption>,
    /// Words before rows.
    pub rows: Vec<Caption>,
    /// Words above parts of it.
    pub headings: Vec<Caption>,
    /// Lines that are always there, by the numbers of cells.
    pub lines: Vec<(usize, usize)>,
    /// Links that facts tell of.
    pub edges: Vec<Edge>,
    /// How everything looks that may stand here.
    pub looks: BTreeMap<String, Look>,
}

/// A cell with what is in it.
#[derive(Clone, Debug, Serialize)]
pub struct Cell {
    /// How people name it.
    pub name: String,
    /// Where its middle is: to the right and down, in widths of a cell.
    pub at: [f32; 2],
    /// The same where only rows of letters can be written.
    pub flat: [f32; 2],
    /// What stands there, the lowest first.
    pub things: Vec<Thing>,
    /// Whether the last move spoke of it.
    pub last: bool,
    /// Whether a legal move speaks of it.
    pub target: bool,
}

/// Something in a cell.
#[derive(Clone, Debug, Serialize)]
pub struct Thing {
    /// Its name in the rules.
    pub name: String,
    /// How it looks.
    pub look: Look,
    /// How far from the middle of the cell it is.
    pub shift: [f32; 2],
    /// Whether it says something of the cell, and more may stand there.
    pub mark: bool,
}

/// A link between two cells.
#[derive(Clone, Debug, Serialize)]
pub struct Edge {
    /// The number of one cell.
    pub from: usize,
    /// The number of the other.
    pub to: usize,
    /// What it is.
    pub name: String,
}

/// Something told beside the boards.
#[derive(Clone, Debug, Serialize)]
pub struct Card {
    /// What it is.
    pub title: String,
    /// What is told.
    pub content: Content,
}

/// What a card tells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Content {
    /// Values, mostly one.
    Values(Vec<String>),
    /// A value for each of several things.
    Pairs(Vec<(String, String)>),
    /// Things on top of each other, the lowest first.
    Stacks(Vec<Vec<String>>),
}

/// What is shown of a match beside the state itself.
#[derive(Clone, Debug, Default)]
pub struct Highlights {
    /// The last joint move, role by role.
    pub last: Vec<String>,
    /// The facts of the state before the last move: of a column that a move names, the cell that has changed
    /// is shown.
    pub before: Vec<String>,
    /// The moves that may be made now by who is looking.
    pub legal: Vec<String>,
    /// How many moves each role has now.
    pub choices: Vec<usize>,
    /// The number of joint moves before this state.
    pub step: Option<usize>,
    /// What the roles have reached, in their order.
    pub scores: Vec<Option<u8>>,
}

impl Analysis {
    /// The picture of a state: its facts in canonical KIF, and what is known of the match.
    pub fn picture(&self, facts: &[String], highlights: &Highlights) -> Picture {
        let facts = self.terms(facts);
        let mut shown = vec![false; facts.len()];
        let mut boards: Vec<Board> =
            self.boards.iter().map(|plan| self.board(plan, &facts, &mut shown)).collect();
        let before = self.terms(&highlights.before);
        let earlier: Vec<Board> = match &before[..] {
            [] => Vec::new(),
            before => {
                let mut shown = vec![false; before.len()];
                self.boards.iter().map(|plan| self.board(plan, before, &mut shown)).collect()
            }
        };
        for (texts, last) in [(&highlights.last, true), (&highlights.legal, false)] {
            for cell in texts.iter().flat_map(|text| self.named_cells(text)) {
                let changed = |at: &usize| match earlier.get(cell.board) {
                    Some(earlier) => names(&earlier.cells[*at]) != names(&boards[cell.board].cells[*at]),
                    None => true,
                };
                let several = last && cell.matching.len() > 1;
                let at: Vec<usize> =
                    cell.matching.iter().copied().filter(|at| !several || changed(at)).collect();
                for at in at {
                    let cell = &mut boards[cell.board].cells[at];
                    *if last { &mut cell.last } else { &mut cell.target } = true;
                }
            }
        }
        let cards = self.cards(&facts, &shown);
        let line = |(role, name): (usize, &String)| RoleLine {
            name: name.clone(),
            to_move: highlights.choices.get(role).is_some_and(|&choices| choices > 1),
            score: highlights.scores.get(role).copied().flatten(),
            last: highlights.last.get(role).cloned(),
        };
        let roles = self.roles.iter().enumerate().map(line).collect();
        Picture { boards, cards, roles, step: highlights.step }
    }

    /// Facts as they are drawn: one for each place.
    fn terms(&self, facts: &[String]) -> Vec<Term> {
        let mut terms = facts.iter().map(|fact| Term::read(fact)).collect();
        self.pairs.iter().for_each(|pair| pair.join(&mut terms));
        terms
    }

    fn board(&self, plan: &BoardPlan, facts: &[Term], shown: &mut [bool]) -> Board {
        let cell = |cell: &crate::plan::CellPlan| Cell {
            name: cell.name.clone(),
            at: cell.at,
            flat: cell.flat,
            things: Vec::new(),
            last: false,
            target: false,
        };
        let mut board = Board {
            title: plan.title.clone(),
            style: plan.style,
            checkered: plan.checkered,
            blocks: plan.blocks,
            cells: plan.cells.iter().map(cell).collect(),
            columns: plan.columns.clone(),
            rows: plan.rows.clone(),
            headings: plan.headings.clone(),
            lines: plan.lines.clone(),
            edges: Vec::new(),
            looks: plan.looks.clone(),
        };
        for layer in &plan.layers {
            for (fact, shown) in facts.iter().zip(shown.iter_mut()) {
                *shown |= self.put(&mut board, plan, layer, fact);
            }
        }
        board
    }

    /// Puts what a fact says on the board; `false` if it says nothing of it.
    fn put(&self, board: &mut Board, plan: &BoardPlan, layer: &Layer, fact: &Term) -> bool {
        if fact.name != layer.name || fact.arguments.len() != layer.arity {
            return false;
        }
        let text = |path: &Vec<usize>| fact.at(path).map(ToString::to_string);
        if layer.fixed.iter().any(|(path, word)| text(path).as_ref() != Some(word)) {
            return false;
        }
        let contents: Vec<String> = layer.content.iter().filter_map(text).collect();
        let thing = |name: String, mark: bool| {
            let mut look = look_of(plan, &self.roles, &name);
            if layer.empty.as_ref() == Some(&name) || means_nothing(&name) {
                look.symbol = Symbol::Nothing;
            }
            Thing { name, look, shift: layer.shift, mark }
        };
        if layer.kind == LayerKind::Sequence {
            for (cell, name) in board.cells.iter_mut().zip(contents) {
                cell.things.push(thing(name, false));
            }
            return true;
        }
        let Some(address) = layer.address.iter().map(text).collect::<Option<Vec<String>>>() else {
            return false;
        };
        if layer.kind == LayerKind::Edge {
            let (from, to) = address.split_at(address.len() / 2);
            let (Some(&from), Some(&to)) = (plan.find.get(from), plan.find.get(to)) else { return false };
            board.edges.push(Edge { from, to, name: contents.join(" ") });
            return true;
        }
        let Some(&at) = plan.find.get(&address) else { return false };
        let name = match &layer.always {
            Some(name) => name.clone(),
            None if contents.is_empty() => layer.name.clone(),
            None => joined(contents.iter().map(String::as_str)),
        };
        board.cells[at].things.push(thing(name, layer.kind == LayerKind::Mark));
        true
    }

    fn cards(&self, facts: &[Term], shown: &[bool]) -> Vec<Card> {
        let mut told = shown.to_vec();
        let mut cards = Vec::new();
        for plan in &self.beside {
            let (name, title) = match plan {
                BesidePlan::Counter { name, label, .. }
                | BesidePlan::Table { name, label, .. }
                | BesidePlan::List { name, label, .. } => (name, label.clone()),
                BesidePlan::Stacks { name, .. } => (name, name.replace(['_', '-'], " ")),
            };
            let mut rows: Vec<(String, String)> = Vec::new();
            let own = |fact: &Term| {
                fact.name == *name
                    && match plan {
                        BesidePlan::Counter { arity, .. }
                        | BesidePlan::Table { arity, .. }
                        | BesidePlan::List { arity, .. } => fact.arguments.len() == *arity,
                        BesidePlan::Stacks { .. } => fact.arguments.len() == 2,
                    }
            };
            for (fact, told) in facts.iter().zip(&mut told).filter(|(fact, _)| own(fact)) {
                let text = |path: &Vec<usize>| fact.at(path).map(ToString::to_string);
                let row = match plan {
                    BesidePlan::Counter { value, fixed, .. } => {
                        let fits = fixed.iter().all(|(path, word)| text(path).as_ref() == Some(word));
                        text(value).filter(|_| fits).map(|value| (String::new(), value))
                    }
                    BesidePlan::List { value, .. } => text(value).map(|value| (String::new(), value)),
                    BesidePlan::Table { key, value, .. } => {
                        let key: Vec<String> = key.iter().filter_map(text).collect();
                        text(value).map(|value| (key.join(" "), value))
                    }
                    BesidePlan::Stacks { above, below, .. } => text(below).zip(text(above)),
                };
                *told |= row.is_some();
                rows.extend(row.filter(|(_, value)| !means_nothing(value)));
            }
            let content = match plan {
                _ if rows.is_empty() => continue,
                BesidePlan::Counter { .. } | BesidePlan::List { .. } => {
                    Content::Values(rows.into_iter().map(|(_, value)| value).collect())
                }
                BesidePlan::Table { .. } => Content::Pairs(rows),
                BesidePlan::Stacks { .. } => Content::Stacks(stacks(&rows)),
            };
            cards.push(Card { title, content });
        }
        let mut other: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        let mut flags = Vec::new();
        for (fact, _) in facts.iter().zip(told).filter(|(_, told)| !told) {
            if fact.arguments.is_empty() {
                flags.push(fact.name.clone());
            } else {
                let arguments: Vec<String> = fact.arguments.iter().map(ToString::to_string).collect();
                other.entry(&fact.name).or_default().push(arguments.join(" "));
            }
        }
        if !flags.is_empty() {
            cards.push(Card { title: "true".to_owned(), content: Content::Values(flags) });
        }
        for (name, values) in other {
            let title = name.replace(['_', '-'], " ");
            cards.push(Card { title, content: Content::Values(values) });
        }
        cards
    }
}

fn names(cell: &Cell) -> Vec<&str> {
    cell.things.iter().map(|thing| thing.name.as_str()).collect()
}

/// What stands on what, as stacks from below.
fn stacks(rows: &[(String, String)]) -> Vec<Vec<String>> {
    let above: HashMap<&String, Vec<&String>> =
        rows.iter().fold(HashMap::new(), |mut map, (below, above)| {
            map.entry(below).or_insert_with(Vec::new).push(above);
            map
        });
    let is_above = |name: &String| rows.iter().any(|(_, above)| above == name);
    let mut stacks: Vec<Vec<String>> = Vec::new();
    let mut bottoms: Vec<&String> =
        rows.iter().map(|(below, _)| below).filter(|below| !is_above(below)).collect();
    bottoms.sort();
    bottoms.dedup();
    for bottom in bottoms {
        let mut stack = vec![bottom.clone()];
        let mut at = bottom;
        // A circle has no bottom, but may hang on to one.
        while let Some([next, ..]) = above.get(at).map(Vec::as_slice) {
            if stack.contains(next) {
                break;
            }
            stack.push((*next).clone());
            at = next;
        }
        stacks.push(stack);
    }
    stacks
}
