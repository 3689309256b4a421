// Tournaments: those there are, and a form for a new one.

import * as api from "./api.js";
import { ago, h, replace, toast } from "./dom.js";
import { endedMatches } from "./ended.js";
import { go } from "./main.js";
import { DRAFT } from "./new.js";

const FIRST = ["tic-tac-toe", "connect-four", "breakthrough", "othello"];
const MOST_PLAYERS = 8;

export async function open(page) {
  document.title = "Arena · Ludens";
  const [about, games] = await Promise.all([api.about(), api.games()]);
  const list = h("ul", { class: "matches" });
  const ended = endedMatches("Matches of tournaments and referees");
  const form = newTournament(about, games);
  replace(page,
    h("h1", {}, "Arena"),
    h("p", { class: "lead" }, "Let agents play many matches and see which is better, and how sure that is."),
    h("div", { class: "columns arena" },
      h("section", { class: "stage", "aria-label": "Tournaments" }, list, ended.element),
      form));
  async function refresh() {
    const tournaments = await api.tournaments();
    replace(list, tournaments.length === 0 ? h("li", { class: "none" }, "No tournament was played yet.") : tournaments.map(row));
    await ended.refresh();
  }
  await refresh();
  return api.watchTournaments(() => refresh().catch((error) => toast(error.message, "error")));
}

function row(tournament) {
  return h("li", {}, h("a", { href: `/tournament/${tournament.id}` },
    h("strong", {}, tournament.games.join(", ")),
    h("span", {}, tournament.players.join(" · ")),
    h("span", { class: "small" }, `${tournament.status}, ${tournament.done} of ${tournament.all} matches, ${ago(tournament.created)}`)));
}

function newTournament(about, games) {
  const names = games.filter((game) => FIRST.includes(game.name));
  const rest = games.filter((game) => !FIRST.includes(game.name)).sort((one, two) => one.title.localeCompare(two.title));
  const boxes = [...names, ...rest].map((game) => {
    const box = h("input", { type: "checkbox", id: `game-${game.name}`, value: game.name, checked: game.name === "tic-tac-toe", onchange: count });
    return { game, box, element: h("li", {}, box, h("label", { for: `game-${game.name}` }, game.title)) };
  });
  const find = h("input", {
    type: "search", placeholder: "Find a game", "aria-label": "Find a game", oninput: () => {
      const words = find.value.toLowerCase().trim();
      for (const { game, element } of boxes) {
        element.hidden = ![game.name, game.title, ...game.nicknames].join(" ").toLowerCase().includes(words);
      }
    },
  });
  const draft = localStorage.getItem(DRAFT);
  const own = h("input", { type: "checkbox", id: "own-game", onchange: count });
  const players = h("ul", { class: "contestants" });
  const rows = [];
  const matches = h("input", { type: "number", id: "match-count", min: 1, max: 2000, value: 10, oninput: count });
  const openings = h("input", { type: "number", id: "drawn-moves", min: 0, max: 100, value: 0 });
  const gauntlet = h("input", { type: "checkbox", id: "first-only", onchange: count });
  const total = h("p", { class: "small", role: "status" });
  const start = h("button", { type: "submit", class: "primary" }, "Start the tournament");
  const more = h("button", { type: "button", onclick: () => addPlayer("random", 500) }, "One more player");

  function addPlayer(name, simulations) {
    const number = rows.length + 1;
    const agent = h("select", { "aria-label": `Player ${number}` },
      about.agents.map((row) => h("option", { value: row.name, title: row.help, selected: row.name === name }, row.name)));
    const parameters = h("input", { type: "text", placeholder: "tau=5", "aria-label": `Parameters of player ${number}`, class: "parameters" });
    const amount = h("input", { type: "number", min: 0.01, step: "any", value: simulations, "aria-label": `How much player ${number} thinks` });
    const unit = h("select", { "aria-label": `What that counts for player ${number}` },
      h("option", { value: "" }, "simulations"), h("option", { value: "s" }, "seconds"));
    const row = { said: () => `${agent.value}${parameters.value.trim() ? `:${parameters.value.trim()}` : ""}@${amount.value}${unit.value}` };
    row.element = h("li", {}, agent, parameters, amount, unit, h("button", {
      type: "button", class: "quiet", "aria-label": `Without player ${number}`, onclick: () => {
        rows.splice(rows.indexOf(row), 1);
        row.element.remove();
        count();
      },
    }, "✕"));
    rows.push(row);
    players.append(row.element);
    count();
  }

  // How many matches that makes.
  function count() {
    const chosen = boxes.filter(({ box }) => box.checked).map(({ game }) => game);
    const pairs = gauntlet.checked ? rows.length - 1 : (rows.length * (rows.length - 1)) / 2;
    const alone = chosen.filter((game) => game.players === 1).length;
    const together = chosen.length - alone + (own.checked ? 1 : 0);
    const all = Number(matches.value) * (together * pairs + alone * rows.length);
    total.textContent = `${all} matches in all; at most 2000.`;
    start.disabled = all < 1 || all > 2000;
    more.disabled = rows.length >= MOST_PLAYERS;
  }

  async function submit(event) {
    event.preventDefault();
    start.disabled = true;
    try {
      const made = await api.createTournament({
        games: boxes.filter(({ box }) => box.checked).map(({ game }) => game.name),
        ...(own.checked ? { rules: draft, title: "Your game" } : {}),
        players: rows.map((row) => row.said()),
        matches: Number(matches.value),
        openings: Number(openings.value),
        gauntlet: gauntlet.checked,
      });
      go(`/tournament/${made.id}`);
    } catch (error) {
      toast(error.message, "error");
    }
    start.disabled = false;
  }

  const field = (label, input) => h("p", { class: "field" }, h("label", { for: input.id }, label), input);
  const form = h("form", { class: "panel", onsubmit: submit, "aria-label": "A new tournament" },
    h("h2", {}, "A new tournament"),
    h("fieldset", {}, h("legend", {}, "Games"), find, h("ul", { class: "boxes", tabindex: "0", "aria-label": "Games" }, boxes.map(({ element }) => element)),
      draft && h("p", { class: "field" }, own, h("label", { for: "own-game" }, "The game that you are writing"))),
    h("fieldset", {}, h("legend", {}, "Players"), players, more),
    field("Matches of every two players in every game", matches),
    h("details", {}, h("summary", {}, "More"),
      field("Moves at the beginning that are drawn", openings),
      h("p", { class: "field" }, gauntlet, h("label", { for: "first-only" }, "Only the first player meets the others"))),
    total,
    h("p", { class: "actions" }, start));
  addPlayer("ludens", 300);
  addPlayer("mc", 300);
  return form;
}
