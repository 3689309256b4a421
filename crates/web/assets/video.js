// Begins a video game: a bundled one or one that was pasted, for a person or a player; or shows a record.

import * as api from "./api.js";
import { h, replace, toast } from "./dom.js";
import { go } from "./main.js";
import { open as openScreen } from "./screen.js";

const OWN = "";

export async function open(page, id) {
  if (id) return openScreen(page, id);
  document.title = "Video games · Ludens";
  const [games, { video_players: players }] = await Promise.all([api.videoGames(), api.about()]);
  const game = h("select", { id: "game", onchange: () => chosen() },
    games.map(({ name, set }) => h("option", { value: name }, `${name} (${set})`)), h("option", { value: OWN }, "Your own …"));
  const about = h("p", { class: "small" });
  const level = h("select", { id: "level", onchange: () => show() });
  const seats = h("div", { class: "seats" });
  const seed = h("input", { id: "seed", type: "number", min: 0, step: 1, placeholder: "any" });
  const rules = h("textarea", { id: "rules", class: "vgdl", spellcheck: false, wrap: "off", rows: 16 });
  const map = h("textarea", { id: "map", class: "vgdl", spellcheck: false, wrap: "off", rows: 10 });
  const start = h("button", { type: "submit", class: "primary" }, "Start");
  const file = h("input", { type: "file", accept: ".json,.jsonl", "aria-label": "A record", onchange: load });
  let details = null;

  replace(page, h("div", { class: "columns write" },
    h("section", { class: "stage" },
      h("h1", {}, "Video games"),
      h("p", { class: "lead" }, "Rules in VGDL, 25 ticks a second. Players see the game and can try things out, but not the rules."),
      h("label", { for: "rules", class: "small" }, "The description; change it and it is your own game."), rules,
      h("label", { for: "map", class: "small" }, "The level"), map),
    h("form", { class: "panel", "aria-label": "What to play", onsubmit: begin },
      h("label", { for: "game" }, "Game"), game, about,
      h("label", { for: "level" }, "Level"), level,
      seats,
      h("label", { for: "seed" }, "Seed of chance"), seed,
      h("p", { class: "actions" }, start),
      h("label", {}, "Or look at a game that was recorded ", file))));

  function seat(number, chosen) {
    return h("label", {}, seats.dataset.count > 1 ? `Player ${number + 1} ` : "Player ",
      h("select", { "aria-label": `Player ${number + 1}` }, h("option", { value: "person" }, "You, with the keyboard"),
        players.map(({ name, help }) => h("option", { value: name, title: help, selected: name === chosen }, name))));
  }

  async function chosen() {
    const own = game.value === OWN;
    const info = games.find(({ name }) => name === game.value);
    const count = info?.players ?? (/no_players=2/.test(rules.value) ? 2 : 1);
    seats.dataset.count = count;
    replace(seats, Array.from({ length: count }, (_, number) => seat(number, number > 0 && "olets")));
    about.textContent = info?.description ?? "";
    level.disabled = own;
    if (own) return;
    replace(level, Array.from({ length: info.levels }, (_, number) => h("option", { value: number }, `Level ${number}`)));
    try {
      details = await api.videoGame(info.name);
      show();
    } catch (error) {
      toast(error.message, "error");
    }
  }

  function show() {
    rules.value = details.rules;
    map.value = details.levels[level.value];
  }

  async function begin(event) {
    event.preventDefault();
    start.disabled = true;
    const bundled = game.value !== OWN && rules.value === details.rules && map.value === details.levels[level.value];
    const what = bundled ? { game: game.value, level: Number(level.value) } : { rules: rules.value, level_text: map.value };
    const who = [...seats.querySelectorAll("select")].map((select) => select.value);
    await create({ ...what, players: who, seed: seed.value === "" ? null : Number(seed.value) });
    start.disabled = false;
  }

  async function load() {
    if (file.files[0]) await create({ record: await file.files[0].text() });
  }

  async function create(wish) {
    try {
      go(`/video/${(await api.createVideo(wish)).id}`);
    } catch (error) {
      toast(error.message, "error");
    }
  }

  rules.addEventListener("change", () => game.value === OWN && chosen());
  await chosen();
}
