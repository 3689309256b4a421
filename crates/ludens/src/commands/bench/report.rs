//! Measurements as tables.

use std::io::Write;

use super::Answer;
use super::answer::{CellAnswer, GameAnswer, Mean};
use super::versus::{PeerComparison, Ratios};
use crate::output::Output;
use crate::table::{Table, grouped};

/// Three digits and a letter: 802 k, 1.13 M, 2.16 G.
fn rate(number: f64) -> String {
    let (number, letter) = match number {
        n if n >= 1e9 => (n / 1e9, " G"),
        n if n >= 1e6 => (n / 1e6, " M"),
        n if n >= 1e3 => (n / 1e3, " k"),
        n => (n, ""),
    };
    let digits = if number >= 100.0 {
        0
    } else if number >= 10.0 {
        1
    } else {
        2
    };
    format!("{number:.digits$}{letter}")
}

fn ratio(number: f64) -> String {
    if number >= 100.0 { grouped(number.round() as u64) } else { format!("{number:.2}") }
}

fn optional<T>(value: Option<T>, text: impl Fn(T) -> String) -> String {
    value.map_or_else(|| "-".to_owned(), text)
}

fn mean(mean: Mean) -> String {
    // As many digits as the interval is worth.
    let digits = match mean.interval {
        Some(interval) if interval < 0.005 => 3,
        Some(interval) if interval >= 0.5 => 1,
        _ => 2,
    };
    match mean.interval {
        Some(interval) => format!("{:.digits$} ± {interval:.digits$}", mean.mean),
        None => format!("{:.digits$}", mean.mean),
    }
}

fn mebibytes(bytes: u64) -> String {
    format!("{:.0}", bytes as f64 / f64::from(1 << 20))
}

fn goals(cell: &CellAnswer) -> String {
    let goals: Vec<String> = cell.goals.iter().map(|goal| optional(*goal, mean)).collect();
    goals.join("  ")
}

impl Answer {
    pub(super) fn write(&self, output: &mut Output) -> anyhow::Result<()> {
        let processor = self.processor.as_deref().unwrap_or("unknown processor");
        writeln!(
            output,
            "ludens {} on {processor}, `compiled` is {}; {} s of one processor a machine, {} build\n",
            self.version, self.target, self.seconds, self.effort
        )?;
        self.write_builds(output)?;
        self.write_machines(output)?;
        self.write_expansions(output)?;
        self.write_hand(output)?;
        if let Some(peers) = &self.peers {
            peers.write(output)?;
        }
        self.write_faults(output)
    }

    fn write_builds(&self, output: &mut Output) -> anyhow::Result<()> {
        let mut table = Table::new(&[
            "game",
            ">ground s",
            ">build s",
            ">facts",
            ">moves",
            ">gates: legal+terminal",
            ">next",
            ">goal",
            ">MiB",
        ]);
        for game in &self.games {
            let Some(build) = &game.build else { continue };
            table.row([
                game.game.clone(),
                format!("{:.3}", build.ground_seconds),
                format!("{:.3}", build.build_seconds),
                grouped(build.facts as u64),
                grouped(build.moves as u64),
                grouped(build.gates.legal_and_terminal as u64),
                grouped(build.gates.next as u64),
                grouped(build.gates.goal as u64),
                optional(build.peak_bytes, mebibytes),
            ]);
        }
        if !table.is_empty() {
            table.write(output)?;
            writeln!(output)?;
        }
        Ok(())
    }

    fn write_machines(&self, output: &mut Output) -> anyhow::Result<()> {
        let mut table = Table::new(&[
            "game",
            "machine",
            ">build s",
            ">first playout ms",
            ">state changes/s",
            ">playouts/s",
            ">length",
            ">MiB",
            "mean goals",
        ]);
        for game in &self.games {
            for cell in game.machines.iter().filter(|cell| cell.failure.is_none()) {
                let mark = if cell.differs.is_empty() { "" } else { " !" };
                table.row([
                    game.game.clone(),
                    format!("{}{mark}", cell.machine),
                    format!("{:.3}", cell.build_seconds),
                    optional(cell.first_playout_seconds, |seconds| format!("{:.1}", 1000.0 * seconds)),
                    rate(cell.state_changes_per_second),
                    rate(cell.playouts_per_second),
                    optional(cell.length, mean),
                    optional(cell.peak_bytes, mebibytes),
                    goals(cell),
                ]);
            }
        }
        if !table.is_empty() {
            table.write(output)?;
        }
        Ok(())
    }

    fn write_expansions(&self, output: &mut Output) -> anyhow::Result<()> {
        let mut table =
            Table::new(&["game", ">leaves", ">one by one/s", ">in lanes/s", ">cost in lanes / one by one"]);
        for game in &self.games {
            let Some(expansion) = &game.expansion else { continue };
            table.row([
                game.game.clone(),
                expansion.leaves.to_string(),
                rate(expansion.one_by_one_per_second),
                rate(expansion.in_lanes_per_second),
                format!("{:.3}", expansion.cost_in_lanes),
            ]);
        }
        if !table.is_empty() {
            writeln!(output, "\nExpanding leaves: their moves listed, one successor of each")?;
            table.write(output)?;
        }
        let mut table = Table::new(&["game", ">uniform/s", ">recorded/s", ">greedy/s", ">gibbs/s"]);
        for game in &self.games {
            let Some(expansion) = &game.expansion else { continue };
            let rates = &expansion.playouts;
            let cells = [rates.uniform, rates.recorded, rates.greedy, rates.gibbs].map(rate);
            table.row(std::iter::once(game.game.clone()).chain(cells));
        }
        if !table.is_empty() {
            writeln!(output, "\nState changes in calls of one playout a leaf")?;
            table.write(output)?;
        }
        Ok(())
    }

    fn write_hand(&self, output: &mut Output) -> anyhow::Result<()> {
        let mut table = Table::new(&["game", "machine", ">state changes/s", ">by hand/s", ">ratio"]);
        for hand in &self.hand {
            table.row([
                hand.game.clone(),
                hand.machine.clone(),
                rate(hand.state_changes_per_second),
                rate(hand.hand_per_second),
                ratio(hand.ratio),
            ]);
        }
        if !table.is_empty() {
            writeln!(output, "\nAgainst programs written by hand, in the same run")?;
            table.write(output)?;
        }
        Ok(())
    }

    fn write_faults(&self, output: &mut Output) -> anyhow::Result<()> {
        let mut lines = Vec::new();
        for game in &self.games {
            lines.extend(game.failure.as_ref().map(|failure| format!("{}: {failure}", game.game)));
            for cell in &game.machines {
                lines.extend(describe_faults(game, cell));
            }
            if game.expansion.as_ref().is_some_and(|expansion| !expansion.agree) {
                lines.push(format!(
                    "{}: leaves in lanes do not have the moves they have one by one",
                    game.game
                ));
            }
        }
        if !lines.is_empty() {
            writeln!(output)?;
        }
        lines.iter().try_for_each(|line| writeln!(output, "{line}"))?;
        Ok(())
    }
}

fn describe_faults(game: &GameAnswer, cell: &CellAnswer) -> Vec<String> {
    let mut lines = Vec::new();
    lines.extend(cell.failure.as_ref().map(|failure| format!("{} {}: {failure}", game.game, cell.machine)));
    if !cell.differs.is_empty() {
        let what = cell.differs.join(", ");
        lines.push(format!("{} {}: differs beyond chance in {what}", game.game, cell.machine));
    }
    lines
}

impl PeerComparison {
    fn write(&self, output: &mut Output) -> anyhow::Result<()> {
        let mut table = Table::new(&[
            "game",
            ">in lanes/s",
            ">/ champion",
            ">/ prover",
            ">/ OpenSpiel",
            ">circuit/s",
            ">/ champion",
            ">/ prover",
            ">reference/s",
            ">/ prover",
            ">avx2 / avx512",
        ]);
        for row in &self.games {
            let peer = &row.peer;
            table.row([
                peer.game.to_owned(),
                optional(row.lanes_per_second, rate),
                optional(row.lanes_to(peer.champion), ratio),
                optional(row.lanes_to(peer.prover), ratio),
                optional(row.lanes_to(peer.openspiel), ratio),
                optional(row.circuit_per_second, rate),
                optional(row.circuit_to(peer.champion), ratio),
                optional(row.circuit_to(peer.prover), ratio),
                optional(row.reference_per_second, rate),
                optional(row.reference_to(peer.prover), ratio),
                optional(row.avx2_to_avx512, ratio),
            ]);
        }
        writeln!(output, "\nState changes against the peers ({})", self.source)?;
        table.write(output)?;
        writeln!(output)?;
        let mut table = Table::new(&["ratio", ">games", ">geometric mean", ">least", "in"]);
        let mut line = |name: &str, ratios: &Option<Ratios>| {
            if let Some(found) = ratios {
                table.row([
                    name.to_owned(),
                    found.games.to_string(),
                    ratio(found.geometric_mean),
                    ratio(found.least),
                    found.least_game.clone(),
                ]);
            }
        };
        line("in lanes / champion", &self.lanes_to_champion);
        line("in lanes / prover", &self.lanes_to_prover);
        line("in lanes / OpenSpiel", &self.lanes_to_openspiel);
        line("circuit / champion", &self.circuit_to_champion);
        line("circuit / prover", &self.circuit_to_prover);
        line("reference / prover", &self.reference_to_prover);
        line("avx2 / avx512", &self.avx2_to_avx512);
        table.write(output)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_have_three_digits() {
        assert_eq!(rate(4.4), "4.40");
        assert_eq!(rate(802_000.0), "802 k");
        assert_eq!(rate(1_130_000.0), "1.13 M");
        assert_eq!(rate(2.16e9), "2.16 G");
    }
}
