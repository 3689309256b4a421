// The matches that are kept, and records that are loaded.

import * as api from "./api.js";
import { ago, h, replace, toast } from "./dom.js";
import { endedMatches } from "./ended.js";
import { go } from "./main.js";

export async function open(page) {
  document.title = "Matches · Ludens";
  const matches = await api.matches();
  const ended = endedMatches("Of tournaments and referees");
  await ended.refresh();
  const rules = h("textarea", { id: "rules", rows: 6, spellcheck: false, placeholder: "(role white) …" });
  const file = h("input", { type: "file", id: "record", accept: ".json,.jsonl,application/json" });
  async function load(event) {
    event.preventDefault();
    const chosen = file.files[0];
    if (!chosen) return toast("Choose a file first", "error");
    try {
      const loaded = await api.load(await chosen.text(), rules.value.trim());
      if (loaded.length === 1) return go(`/match/${loaded[0].id}`);
      toast(`${loaded.length} matches were loaded`);
      go("/matches");
    } catch (error) {
      toast(error.message, "error");
    }
  }
  replace(page,
    h("h1", {}, "Matches"),
    h("form", { class: "load", onsubmit: load },
      h("h2", {}, "Show a record"),
      h("p", { class: "small" }, "What `ludens match --json`, `arena`, `referee` and Save have written."),
      h("p", {}, h("label", { for: "record" }, "File"), file),
      h("details", {}, h("summary", {}, "The game is no bundled one"),
        h("label", { for: "rules" }, "Its rules"), rules),
      h("p", { class: "actions" }, h("button", { type: "submit", class: "primary" }, "Show it"))),
    matches.length === 0 ? h("p", { class: "empty" }, "No match was played yet. ", h("a", { href: "/" }, "Choose a game."))
      : h("ul", { class: "matches" }, matches.map(row)),
    ended.element);
}

function row(match) {
  const { owner } = api.keysOf(match.id);
  const state = match.over ? `over${match.goals.length > 0 ? `: ${match.goals.join(" – ")}` : ""}` : `${match.turn} moves`;
  const element = h("li", {},
    h("a", { href: `/match/${match.id}` },
      h("strong", {}, match.title),
      h("span", {}, match.players.join(" · ")),
      h("span", { class: "small" }, `${state}, ${ago(match.changed)}`)),
    owner && h("button", { type: "button", class: "quiet", "aria-label": `Delete this match of ${match.title}`, onclick: () => forget() }, "✕"));
  async function forget() {
    try {
      await api.forget(match.id);
      element.remove();
    } catch (error) {
      toast(error.message, "error");
    }
  }
  return element;
}
