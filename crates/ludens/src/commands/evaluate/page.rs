//! A page that shows an evaluation function on a position: the board, and a bar for each term.

use std::fmt::Write;

use eval::function::rounded;
use picture::Highlights;
use picture::svg::SvgOptions;

use super::answer::{Answer, RoleAnswer};
use crate::input::LoadedGame;
use crate::pictures;

/// Terms that are shown of each role.
const MOST_TERMS: usize = 40;

/// The style of the page.
const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;color:#222;\
background:#fff}figure{margin:0}figure svg{max-width:100%;height:auto}table{border-collapse:collapse;width:100%}\
td,th{padding:.15rem .5rem;text-align:left;white-space:nowrap}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}\
.bar{position:relative;width:16rem;height:.9rem;background:#eee}.bar i{position:absolute;top:0;bottom:0}\
.more{background:#2a7}.less{background:#c44}section{overflow-x:auto}\
@media(prefers-color-scheme:dark){body{background:#181818;color:#ddd}.bar{background:#333}}";

/// How every page begins, and how its title ends.
const HEAD: &str = "<!doctype html><html lang=en>";
const TITLE: &str = ": evaluation function</title>";

/// Whether a text is such a page.
pub(super) fn is_ours(text: &str) -> bool {
    text.starts_with(HEAD) && text.contains(TITLE)
}

/// The page, complete in itself.
pub(super) fn page(game: &LoadedGame, answer: &Answer) -> String {
    let mut page = String::new();
    let title = escape(game.title());
    let picture = pictures::analysis(game).picture(&answer.position.facts, &Highlights::default());
    let board = picture::svg::draw(&picture, &SvgOptions::default());
    // Writing to a string does not fail.
    let _ = write!(
        page,
        "{HEAD}<meta charset=utf-8><meta name=viewport content=\"width=device-width\">\
         <title>{title}{TITLE}<style>{STYLE}</style><h1>{title}</h1><p>{}, seed {}, method {}</p>\
         <figure>{board}</figure>",
        escape(&answer.how()),
        answer.seed,
        answer.method
    );
    for role in &answer.roles {
        write_role(role, &mut page);
    }
    if !answer.knowledge.is_empty() {
        let _ = write!(page, "<pre>{}</pre>", escape(&answer.knowledge.join("\n")));
    }
    page.push_str("</html>\n");
    page
}

fn write_role(role: &RoleAnswer, page: &mut String) {
    let shown = || role.terms.iter().take(MOST_TERMS);
    let most = shown().map(|term| (term.weight * term.count).abs()).fold(0.0, f64::max);
    let _ = write!(
        page,
        "<section><h2>{}: {:.3}</h2><table><tr><th class=n>weight<th>feature<th class=n>correlation<th class=n>stability\
         <th class=n>here<th class=n>adds<th>",
        escape(&role.role),
        role.value
    );
    for term in shown() {
        let adds = term.weight * term.count;
        let part = if most > 0.0 { 50.0 * adds.abs() / most } else { 0.0 };
        let (class, left) = if adds < 0.0 { ("less", 50.0 - part) } else { ("more", 50.0) };
        let stability = term.stability.map_or_else(|| "-".to_owned(), |stability| format!("{stability:.2}"));
        let _ = write!(
            page,
            "<tr><td class=n>{}<td>{}<td class=n>{:.2}<td class=n>{stability}<td class=n>{}<td class=n>{}\
             <td><div class=bar><i class={class} style=\"left:{left:.1}%;width:{part:.1}%\"></i></div>",
            rounded(term.weight),
            escape(&term.expression),
            term.correlation,
            term.count,
            rounded(adds)
        );
    }
    if let Some(constant) = role.constant {
        let _ = write!(page, "<tr><td class=n>{}<td>1", rounded(constant));
    }
    page.push_str("</table></section>");
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_break_the_page() {
        assert_eq!(escape("<b a=\"1\">&"), "&lt;b a=&quot;1&quot;&gt;&amp;");
    }
}
