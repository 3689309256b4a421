//! Board games for two roles in turn.

use std::sync::Arc;

use ::circuit::{Circuit, Edge};

use super::Sketch;

const ROLES: [&str; 2] = ["white", "black"];

/// Who is to move: `(control white)` and `(control black)`, as rule sheets have it.
fn turns(sketch: &mut Sketch) -> [Edge; 2] {
    let control = ROLES.map(|role| sketch.base(&format!("(control {role})")));
    sketch.set_initial("(control white)");
    sketch.set_next("(control white)", control[1]);
    sketch.set_next("(control black)", control[0]);
    sketch.set_legal(0, "noop", control[1]);
    sketch.set_legal(1, "noop", control[0]);
    control
}

/// Lines of cells, all of one role.
fn lines(sketch: &mut Sketch, role: &str, lines: &[Vec<String>]) -> Edge {
    let mut all = Vec::new();
    for line in lines {
        let cells: Vec<Edge> =
            line.iter().map(|cell| sketch.base(&format!("(cell {cell} {role})"))).collect();
        all.push(sketch.all(&cells));
    }
    sketch.any(&all)
}

fn win_lose_or_draw(sketch: &mut Sketch, wins: [Edge; 2], full: Edge) {
    let decided = sketch.gates.or(wins[0], wins[1]);
    let terminal = sketch.gates.or(decided, full);
    sketch.set_terminal(terminal);
    let draw = sketch.gates.and(full, !decided);
    for role in 0..2 {
        sketch.set_goal(role, 100, wins[role]);
        sketch.set_goal(role, 50, draw);
        sketch.set_goal(role, 0, wins[1 - role]);
    }
}

/// Tic-tac-toe.
pub(crate) fn tic_tac_toe() -> Arc<Circuit> {
    let cells: Vec<String> = (1..=3).flat_map(|x| (1..=3).map(move |y| format!("{x} {y}"))).collect();
    let mut bases: Vec<String> = ROLES.map(|role| format!("(control {role})")).to_vec();
    let mut moves = vec!["noop".to_owned()];
    for cell in &cells {
        bases.extend(["blank", "white", "black"].map(|mark| format!("(cell {cell} {mark})")));
        moves.push(format!("(mark {cell})"));
    }
    let mut sketch = Sketch::new(bases, &ROLES.map(|role| (role, moves.clone())));
    let control = turns(&mut sketch);
    for cell in &cells {
        let blank = sketch.base(&format!("(cell {cell} blank)"));
        sketch.set_initial(&format!("(cell {cell} blank)"));
        let mut marked = Vec::new();
        for role in 0..2 {
            let legal = sketch.gates.and(blank, control[role]);
            sketch.set_legal(role, &format!("(mark {cell})"), legal);
            let does = sketch.does(role, &format!("(mark {cell})"));
            marked.push(does);
            let name = format!("(cell {cell} {})", ROLES[role]);
            let before = sketch.base(&name);
            let next = sketch.gates.or(before, does);
            sketch.set_next(&name, next);
        }
        let any = sketch.any(&marked);
        let next = sketch.gates.and(blank, !any);
        sketch.set_next(&format!("(cell {cell} blank)"), next);
    }
    let at = |x: usize, y: usize| format!("{x} {y}");
    let mut all: Vec<Vec<String>> = Vec::new();
    for i in 1..=3 {
        all.push((1..=3).map(|j| at(i, j)).collect());
        all.push((1..=3).map(|j| at(j, i)).collect());
    }
    all.push((1..=3).map(|i| at(i, i)).collect());
    all.push((1..=3).map(|i| at(i, 4 - i)).collect());
    let wins = ROLES.map(|role| lines(&mut sketch, role, &all));
    let blanks: Vec<Edge> = cells.iter().map(|cell| sketch.base(&format!("(cell {cell} blank)"))).collect();
    let open = sketch.any(&blanks);
    win_lose_or_draw(&mut sketch, wins, !open);
    sketch.finish()
}

/// Connect four.
pub(crate) fn connect_four(columns: usize, rows: usize) -> Arc<Circuit> {
    let at = |x: usize, y: usize| format!("{x} {y}");
    let mut bases: Vec<String> = ROLES.map(|role| format!("(control {role})")).to_vec();
    let mut moves = vec!["noop".to_owned()];
    for x in 0..columns {
        moves.push(format!("(drop {x})"));
        for y in 0..rows {
            bases.extend(ROLES.map(|role| format!("(cell {} {role})", at(x, y))));
        }
    }
    let mut sketch = Sketch::new(bases, &ROLES.map(|role| (role, moves.clone())));
    let control = turns(&mut sketch);
    let mut open_columns = Vec::new();
    for x in 0..columns {
        let name = format!("(drop {x})");
        let mut below = Edge::TRUE;
        for y in 0..rows {
            let cells = ROLES.map(|role| sketch.base(&format!("(cell {} {role})", at(x, y))));
            let filled = sketch.gates.or(cells[0], cells[1]);
            let here = sketch.gates.and(below, !filled);
            for role in 0..2 {
                let does = sketch.does(role, &name);
                let dropped = sketch.gates.and(here, does);
                let next = sketch.gates.or(cells[role], dropped);
                sketch.set_next(&format!("(cell {} {})", at(x, y), ROLES[role]), next);
            }
            below = filled;
        }
        open_columns.push(!below);
        for role in 0..2 {
            let legal = sketch.gates.and(!below, control[role]);
            sketch.set_legal(role, &name, legal);
        }
    }
    let mut all: Vec<Vec<String>> = Vec::new();
    for x in 0..columns as i32 {
        for y in 0..rows as i32 {
            for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let (end_x, end_y) = (x + 3 * dx, y + 3 * dy);
                if (0..columns as i32).contains(&end_x) && (0..rows as i32).contains(&end_y) {
                    all.push((0..4).map(|i| at((x + i * dx) as usize, (y + i * dy) as usize)).collect());
                }
            }
        }
    }
    let wins = ROLES.map(|role| lines(&mut sketch, role, &all));
    let open = sketch.any(&open_columns);
    win_lose_or_draw(&mut sketch, wins, !open);
    sketch.finish()
}

/// Breakthrough on a square board.
pub(crate) fn breakthrough(size: usize) -> Arc<Circuit> {
    let cell = |x: usize, y: usize, role: usize| format!("(cell {x} {y} {})", ROLES[role]);
    let mut bases: Vec<String> = ROLES.map(|role| format!("(control {role})")).to_vec();
    let mut moves = [vec!["noop".to_owned()], vec!["noop".to_owned()]];
    // Role, from, to and name.
    type Square = (usize, usize);
    let mut steps: Vec<(usize, Square, Square, String)> = Vec::new();
    for x in 0..size {
        for y in 0..size {
            bases.extend([cell(x, y, 0), cell(x, y, 1)]);
            for (role, forward) in [(0, y + 1), (1, y.wrapping_sub(1))] {
                for target in [x.wrapping_sub(1), x, x + 1] {
                    if target < size && forward < size {
                        let name = format!("(move {x} {y} {target} {forward})");
                        moves[role].push(name.clone());
                        steps.push((role, (x, y), (target, forward), name));
                    }
                }
            }
        }
    }
    let [white, black] = moves;
    let mut sketch = Sketch::new(bases, &[(ROLES[0], white), (ROLES[1], black)]);
    let control = turns(&mut sketch);
    for x in 0..size {
        for y in [0, 1, size - 2, size - 1] {
            sketch.set_initial(&cell(x, y, usize::from(y > 1)));
        }
    }
    let mut arrivals = vec![Vec::new(); size * size * 2];
    let mut departures = vec![Vec::new(); size * size * 2];
    for (role, from, to, name) in &steps {
        let does = sketch.does(*role, name);
        let own = sketch.base(&cell(from.0, from.1, *role));
        let target = [0, 1].map(|role| sketch.base(&cell(to.0, to.1, role)));
        let able = sketch.gates.and(own, control[*role]);
        let able = sketch.gates.and(able, !target[*role]);
        let legal = if from.0 == to.0 { sketch.gates.and(able, !target[1 - role]) } else { able };
        sketch.set_legal(*role, name, legal);
        departures[(from.0 * size + from.1) * 2 + role].push(does);
        arrivals[(to.0 * size + to.1) * 2 + role].push(does);
    }
    for x in 0..size {
        for y in 0..size {
            let index = (x * size + y) * 2;
            let arrived = [0, 1].map(|role| sketch.any(&arrivals[index + role].clone()));
            for role in 0..2 {
                let before = sketch.base(&cell(x, y, role));
                let left = sketch.any(&departures[index + role].clone());
                let gone = sketch.gates.or(left, arrived[1 - role]);
                let stayed = sketch.gates.and(before, !gone);
                let next = sketch.gates.or(stayed, arrived[role]);
                sketch.set_next(&cell(x, y, role), next);
            }
        }
    }
    let mut wins = [Edge::FALSE; 2];
    for role in 0..2 {
        let goal_row: Vec<Edge> =
            (0..size).map(|x| sketch.base(&cell(x, if role == 0 { size - 1 } else { 0 }, role))).collect();
        let other: Vec<Edge> =
            (0..size * size).map(|index| sketch.base(&cell(index / size, index % size, 1 - role))).collect();
        let through = sketch.any(&goal_row);
        let alive = sketch.any(&other);
        wins[role] = sketch.gates.or(through, !alive);
    }
    win_lose_or_draw(&mut sketch, wins, Edge::FALSE);
    sketch.finish()
}
