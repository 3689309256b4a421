//! The page of a tournament: one file that needs nothing else.

use std::fmt::Write;

use referee::tournament::{Kind, Side};

use super::report::{Report, SeriesReport, StageReport, told_rating};

const STYLE: &str = "
:root { color-scheme: light dark; --line: #8886; --win: #2a7d4f22; }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }
h1 { margin-bottom: 0; } h2 { margin-top: 2.5rem; } h3 { margin: 1.2rem 0 .4rem; font-size: 1rem; }
table { border-collapse: collapse; } th, td { text-align: left; padding: .2rem .7rem; border-bottom: 1px solid var(--line); }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; } .bracket { display: flex; gap: 1.5rem; }
.round { display: flex; flex-direction: column; justify-content: space-around; gap: .6rem; min-width: 11rem; }
.round > b { font-weight: 600; font-size: .85rem; }
.series { border: 1px solid var(--line); border-radius: 6px; overflow: hidden; }
.series div { display: flex; justify-content: space-between; gap: 1rem; padding: .15rem .6rem; }
.series .won { background: var(--win); font-weight: 600; } .series .nobody { opacity: .5; }
details { margin: .3rem 0; } pre { white-space: pre-wrap; margin: .3rem 0 .8rem; }
";

/// What our pages are known by.
pub(super) const MARK: &str = "<meta name=\"generator\" content=\"ludens tournament\">";

/// A text that means nothing to a browser.
fn plain(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A kind as it is written.
pub(super) fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Preliminaries => "preliminaries",
        Kind::RoundRobin => "round robin",
        Kind::Swiss => "Swiss",
        Kind::Knockout => "knockout",
        Kind::DoubleElimination => "double elimination",
    }
}

/// A table: headings that begin with `>` are for numbers.
fn table(headings: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let class = |heading: &str| if heading.starts_with('>') { " class=\"number\"" } else { "" };
    let mut text = String::from("<div class=\"scroll\"><table><tr>");
    for heading in headings {
        text += &format!("<th{}>{}</th>", class(heading), plain(heading.trim_start_matches('>')));
    }
    text += "</tr>\n";
    for row in rows {
        text += "<tr>";
        for (cell, heading) in row.iter().zip(headings) {
            text += &format!("<td{}>{}</td>", class(heading), plain(cell));
        }
        text += "</tr>\n";
    }
    text + "</table></div>\n"
}

/// Points without an end that says nothing.
fn points(points: f64) -> String {
    if points.fract() == 0.0 {
        format!("{points:.0}")
    } else {
        format!("{points:.2}").trim_end_matches('0').to_owned()
    }
}

fn series(series: &SeriesReport) -> String {
    let title: Vec<String> = series.games.iter().map(|game| plain(game)).collect();
    let mut text = format!("<div class=\"series\" title=\"{}\">", title.join(", "));
    for (entrant, score) in series.entrants.iter().zip(&series.scores) {
        let class = match entrant {
            Some(name) if series.winner.as_ref() == Some(name) => " class=\"won\"",
            None => " class=\"nobody\"",
            Some(_) => "",
        };
        let name = entrant.as_deref().unwrap_or(if series.is_bye { "nobody" } else { "not known yet" });
        let score = if series.is_bye || entrant.is_none() { String::new() } else { points(*score) };
        text += &format!("<div{class}><span>{}</span><span>{score}</span></div>", plain(name));
    }
    text + "</div>\n"
}

/// The series of one side, a column for each round; series without anybody are left out.
fn bracket(stage: &StageReport, side: Side) -> String {
    let of_side = || stage.series.iter().filter(move |series| series.side == side);
    let rounds = of_side().map(|series| series.round).max().unwrap_or(0);
    let mut text = String::from("<div class=\"scroll\"><div class=\"bracket\">\n");
    for round in 1..=rounds {
        let shown = |series: &&SeriesReport| {
            series.round == round && !(series.is_bye && series.entrants.iter().flatten().count() == 0)
        };
        // A final that need not be played again is not shown.
        let is_needed = |series: &&SeriesReport| !(side == Side::Final && series.is_bye);
        let all: Vec<String> = of_side().filter(shown).filter(is_needed).map(series).collect();
        if !all.is_empty() {
            text += &format!("<div class=\"round\"><b>round {round}</b>\n{}</div>\n", all.concat());
        }
    }
    text + "</div></div>\n"
}

fn stage(number: usize, stage: &StageReport) -> String {
    let state = if stage.is_over { "" } else { ", being played" };
    let mut text = format!("<h2>Stage {}: {}{state}</h2>\n", number + 1, kind_name(stage.kind));
    text += &format!("<p>{}</p>\n", plain(&stage.games.join(", ")));
    let sides = match stage.kind {
        Kind::DoubleElimination => {
            &[(Side::Winners, "Not beaten"), (Side::Losers, "Beaten once"), (Side::Final, "Final")][..]
        }
        Kind::Knockout => &[(Side::Winners, "Bracket")],
        Kind::Swiss => &[(Side::Round, "Rounds")],
        Kind::Preliminaries | Kind::RoundRobin => &[],
    };
    for (side, title) in sides {
        text += &format!("<h3>{title}</h3>\n{}", bracket(stage, *side));
    }
    text += "<h3>Table</h3>\n";
    let rows = stage.table.iter().enumerate().map(|(place, row)| {
        let numbers = &row.row;
        vec![
            (place + 1).to_string(),
            row.entrant.clone(),
            points(numbers.points),
            numbers.matches.to_string(),
            numbers.won.to_string(),
            numbers.drawn.to_string(),
            numbers.lost.to_string(),
            numbers.mean_goal.map_or_else(String::new, |mean| format!("{mean:.1}")),
        ]
    });
    text + &table(&[">", "entrant", ">points", ">matches", ">won", ">drawn", ">lost", ">mean goal"], rows)
}

fn standings(report: &Report) -> String {
    let rows = report.ranking.iter().enumerate().map(|(place, name)| {
        let standing = report.standings.iter().find(|standing| standing.player == *name);
        let trouble = standing.map(|standing| standing.trouble).unwrap_or_default();
        let kind =
            report.entrants.iter().find(|entrant| entrant.name == *name).map_or("", |entrant| entrant.kind);
        let mean = match standing.map(|standing| (standing.mean_goal, standing.interval)) {
            Some((Some(mean), Some(interval))) => format!("{mean:.1} ± {interval:.1}"),
            Some((Some(mean), None)) => format!("{mean:.1}"),
            _ => String::new(),
        };
        vec![
            (place + 1).to_string(),
            name.clone(),
            kind.to_owned(),
            standing.map_or_else(String::new, |standing| standing.matches.to_string()),
            mean,
            trouble.late.to_string(),
            trouble.illegal.to_string(),
            trouble.unreachable.to_string(),
        ]
    });
    let headings = [">", "entrant", "kind", ">matches", ">mean goal", ">late", ">illegal", ">not reached"];
    table(&headings, rows)
}

fn fairness(report: &Report) -> String {
    let rows = report.fairness.iter().flat_map(|game| {
        game.roles.iter().enumerate().map(move |(place, role)| {
            let only_first = |text: String| if place == 0 { text } else { String::new() };
            let interval = role.interval.map_or_else(String::new, |interval| format!(" ± {interval:.1}"));
            vec![
                only_first(game.game.clone()),
                only_first(game.matches.to_string()),
                only_first(game.drawn.to_string()),
                role.role.clone(),
                role.share.map_or_else(String::new, |share| format!("{share:.1} %")),
                role.won.to_string(),
                format!("{:.1}{interval}", role.mean_goal),
            ]
        })
    });
    table(&["game", ">matches", ">drawn", "role", ">share of goals", ">won", ">mean goal"], rows)
}

fn matches(report: &Report) -> String {
    let mut text = String::new();
    for played in &report.matches {
        let seats = played.players.iter().enumerate().map(|(role, player)| {
            let goal = played.goals.get(role).map_or_else(String::new, |goal| format!(" {goal}"));
            format!("{}{goal}", plain(player))
        });
        let seats: Vec<String> = seats.collect();
        let end = if played.completed { "" } else { ", called off" };
        let trouble = match played.trouble.len() {
            0 => String::new(),
            1 => ", one answer in trouble".to_owned(),
            count => format!(", {count} answers in trouble"),
        };
        let _ = writeln!(
            text,
            "<details id=\"{}\"><summary>{}: {}{end}{trouble}</summary><pre>{}",
            plain(&played.match_id),
            plain(&played.game),
            seats.join(", "),
            plain(&played.match_id),
        );
        for (turn, joint) in played.moves.iter().enumerate() {
            let _ = writeln!(text, "{:>3}. {}", turn + 1, plain(&joint.join("  ")));
        }
        for (turn, role, what) in &played.trouble {
            let _ = writeln!(text, "turn {turn}, {}: {}", plain(role), plain(what));
        }
        text += "</pre></details>\n";
    }
    text
}

/// The page.
pub(super) fn page(report: &Report) -> String {
    let name = plain(&report.name);
    let state = if report.is_over { "All is played." } else { "It is being played." };
    let winner = match report.ranking.first() {
        Some(first) if report.is_over => format!(" The winner is <b>{}</b>.", plain(first)),
        _ => String::new(),
    };
    let stages: String = report.stages.iter().enumerate().map(|(number, one)| stage(number, one)).collect();
    let ratings = table(
        &[">", "player", ">rating (95%)", ">matches"],
        report.ratings.iter().enumerate().map(|(place, rating)| {
            vec![
                (place + 1).to_string(),
                rating.player.clone(),
                told_rating(rating),
                rating.matches.to_string(),
            ]
        }),
    );
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\">{MARK}<title>{name}</title><style>{STYLE}</style></head><body>\n\
         <h1>{name}</h1>\n<p>{state}{winner} {} matches, seed {}.</p>\n\
         <h2>Standings</h2>\n{}{stages}<h2>Ratings</h2>\n<p>Glicko-2 over all matches in the database; 1500 is where \
         everybody begins.</p>\n{ratings}<h2>Fairness</h2>\n<p>What each role of each game brought.</p>\n{}\
         <h2>Matches</h2>\n{}</body></html>\n",
        report.matches.len(),
        report.seed,
        standings(report),
        fairness(report),
        matches(report),
    )
}
