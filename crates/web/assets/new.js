// A new match: who plays which role.

import * as api from "./api.js";
import { h, picture, replace, toast } from "./dom.js";
import { go } from "./main.js";
import { seatFields } from "./seats.js";

export const DRAFT = "ludens.draft";
const LEVEL = "ludens.level";

export async function open(page, name) {
  const about = await api.about();
  const rules = name ? null : sessionStorage.getItem(DRAFT) ?? localStorage.getItem(DRAFT);
  if (!name && !rules) throw new Error("There are no rules yet: write some first.");
  const game = name ? await api.game(name) : await draft(rules);
  document.title = `${game.title} · Ludens`;
  const level = localStorage.getItem(LEVEL) ?? "level medium";
  const roles = game.roles.map((role, number) => [role, number]).filter(([, number]) => number !== game.chance);
  const seats = roles.map(([role, number], place) => seatFields(about, role, place === 0 ? "person" : level, number));
  const clock = h("input", { type: "number", id: "clock", min: 1, max: 86400, step: "any", placeholder: "none" });
  const start = h("button", { type: "submit", class: "primary" }, "Start");
  async function submit(event) {
    event.preventDefault();
    const said = seats.map((seat) => seat.said());
    const chosen = said.find((seat) => seat.level);
    if (chosen) localStorage.setItem(LEVEL, `level ${chosen.level}`);
    start.disabled = true;
    try {
      const what = name ? { game: name } : { rules, title: game.title };
      const made = await api.create({ ...what, seats: said, ...(clock.value ? { play_clock: Number(clock.value) } : {}) });
      go(`/match/${made.id}`);
    } catch (error) {
      toast(error.message, "error");
    }
    start.disabled = false;
  }
  const presets = [
    ["Play the first role", (place) => (place === 0 ? "person" : level)],
    seats.length > 1 && ["Play the last role", (place) => (place === seats.length - 1 ? "person" : level)],
    seats.length > 1 && ["People only", () => "person"],
    ["Watch agents", () => "level strong"],
  ].filter(Boolean).map(([title, kind]) => h("button", {
    type: "button", class: "chip", onclick: () => seats.forEach((seat, place) => seat.set(kind(place))),
  }, title));
  replace(page,
    h("div", { class: "columns" },
      h("section", { class: "stage" },
        h("h1", {}, game.title),
        game.description && h("p", { class: "lead" }, game.description),
        h("div", { class: "board" }, game.svg ? picture(game.svg) : h("p", { class: "small" }, "This game has no board; its state is told in words.")),
        game.hidden && h("p", { class: "note" }, "Not everybody sees everything in this game: you are told what your role sees.")),
      h("form", { class: "panel", onsubmit: submit },
        h("h2", {}, "Who plays?"),
        h("div", { class: "chips" }, presets),
        seats.map((seat) => seat.element),
        h("p", { class: "field" }, h("label", { for: "clock" }, "Seconds that people have for a move"), clock),
        h("p", { class: "actions" }, start),
        h("details", {}, h("summary", {}, "The rules as they are written"),
          h("pre", { class: "rules", tabindex: "0" }, game.rules),
          h("p", {}, h("button", { type: "button", onclick: () => edit(game.rules) }, "Change them"))))));
}

async function draft(rules) {
  const checked = await api.check(rules, false);
  if (!checked.playable) throw new Error(`These rules cannot be played: ${checked.obstacle}`);
  return { title: "Your game", description: "", rules, ...checked };
}

function edit(rules) {
  localStorage.setItem(DRAFT, rules);
  go("/write");
}
