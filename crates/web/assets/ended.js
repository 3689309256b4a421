// Matches that have ended, page by page. Each is replayed by a click.

import * as api from "./api.js";
import { ago, h, replace, toast } from "./dom.js";

const PAGE = 50;

// The list, and a function that looks again at the page that is shown.
export function endedMatches(title, tournament) {
  const list = h("ul", { class: "matches" });
  const heading = h("h2", {}, title);
  const pages = h("p", { class: "actions" });
  const element = h("section", { class: "ended", "aria-label": title, hidden: true }, heading, list, pages);
  let [from, shown] = [0, ""];

  async function refresh() {
    const { matches, all } = await api.ended(from, tournament);
    const state = JSON.stringify([matches, all]);
    if (state === shown) return;
    shown = state;
    element.hidden = all === 0;
    heading.textContent = `${title} (${all})`;
    replace(list, matches.map(row));
    const to = (title, place, disabled) => h("button", { type: "button", disabled, onclick: () => go(place) }, title);
    replace(pages, all > PAGE && [to("Later ones", Math.max(0, from - PAGE), from === 0),
      h("span", { class: "small" }, `${from + 1} to ${Math.min(from + PAGE, all)} of ${all}`),
      to("Earlier ones", from + PAGE, from + PAGE >= all)]);
  }

  async function go(place) {
    from = place;
    try {
      await refresh();
      heading.scrollIntoView({ block: "nearest" });
    } catch (error) {
      toast(error.message, "error");
    }
  }

  return { element, refresh };
}

function row(match) {
  const goals = match.goals.length > 0 ? match.goals.join(" – ") : "called off";
  return h("li", {}, h("a", { href: `/match/${encodeURIComponent(match.id)}` },
    h("strong", {}, match.title),
    h("span", {}, match.players.join(" · ")),
    h("span", { class: "small" }, `${goals}, ${match.moves} moves, ${ago(match.ended)}`)));
}
