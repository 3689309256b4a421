// All games, with small pictures.

import * as api from "./api.js";
import { h, replace } from "./dom.js";

const KINDS = [
  ["all", "All", () => true],
  ["two", "Two players", (game) => game.players === 2],
  ["one", "Puzzles", (game) => game.players === 1],
  ["many", "Three and more", (game) => game.players > 2 && !game.tags.includes("chance")],
  ["at-once", "At once", (game) => game.tags.includes("simultaneous")],
  ["chance", "Chance", (game) => game.tags.includes("chance")],
  ["hidden", "Hidden", (game) => game.tags.includes("hidden-information")],
];

// Where somebody new begins.
const FIRST = ["tic-tac-toe", "connect-four", "chess", "checkers", "othello", "hex", "breakthrough", "gomoku"];

export async function open(page) {
  document.title = "Games · Ludens";
  const games = await api.games();
  const place = (game) => (FIRST.includes(game.name) ? FIRST.indexOf(game.name) : FIRST.length);
  games.sort((one, two) => place(one) - place(two) || one.title.localeCompare(two.title));
  const list = h("ul", { class: "games" });
  const count = h("p", { class: "count", role: "status" });
  let kind = "all";
  const search = h("input", {
    type: "search", placeholder: "Find a game", "aria-label": "Find a game", oninput: () => show(),
  });
  const chips = KINDS.map(([name, title]) => h("button", {
    type: "button", class: "chip", "aria-pressed": String(name === kind),
    onclick: (event) => {
      kind = name;
      chips.forEach((chip) => chip.setAttribute("aria-pressed", String(chip === event.currentTarget)));
      show();
    },
  }, title));
  const cards = new Map(games.map((game) => [game, card(game)]));
  function show() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const test = KINDS.find(([name]) => name === kind)[2];
    const text = (game) => [game.name, game.title, game.description, ...game.nicknames].join(" ").toLowerCase();
    const found = games.filter((game) => test(game) && words.every((word) => text(game).includes(word)));
    replace(list, found.map((game) => cards.get(game)));
    count.textContent = `${found.length} ${found.length === 1 ? "game" : "games"}`;
  }
  replace(page,
    h("div", { class: "hero" },
      h("h1", {}, "Play any game"),
      h("p", {}, "Choose one, or ", h("a", { href: "/write" }, "write your own"), ": whatever has rules can be played.")),
    h("div", { class: "tools" }, search, h("div", { class: "chips", role: "group", "aria-label": "Kinds of games" }, chips), count),
    list);
  show();
}

function card(game) {
  const players = game.players === 1 ? "1 player" : game.players ? `${game.players} players` : "";
  return h("li", {},
    h("a", { class: "card", href: `/new/${encodeURIComponent(game.name)}` },
      h("img", { src: `/api/games/${encodeURIComponent(game.name)}/picture.svg`, alt: "", loading: "lazy", decoding: "async" }),
      h("span", { class: "name" }, game.title),
      h("span", { class: "small" }, players)));
}
