// An editor for rules: what is wrong is told as one types, and a click plays it.

import * as api from "./api.js";
import { h, picture, replace, toast } from "./dom.js";
import { wordHelp } from "./help.js";
import { go } from "./main.js";
import { DRAFT } from "./new.js";
import { whyBox } from "./why.js";

const WORDS = new Set(["role", "init", "true", "does", "next", "legal", "goal", "terminal", "distinct", "not", "or", "and",
  "base", "input", "sees", "random", "<="]);
const PART = /;[^\n]*|[()]|\?[^\s()]+|[^\s()?;]+|\s+/g;

export async function open(page) {
  document.title = "Write · Ludens";
  const games = await api.games();
  const start = localStorage.getItem(DRAFT) ?? (await api.game("tic-tac-toe")).rules;
  const text = h("textarea", { id: "sheet", class: "sheet", spellcheck: false, autocapitalize: "off", autocomplete: "off", wrap: "off", value: start });
  const colours = h("pre", { class: "colours", "aria-hidden": "true" });
  const lines = h("pre", { class: "lines", "aria-hidden": "true" });
  const findings = h("ul", { class: "findings", "aria-label": "Findings" });
  const summary = h("p", { class: "status", role: "status", "aria-live": "polite" });
  const preview = h("div", { class: "board" });
  const play = h("button", { type: "button", class: "primary", disabled: true, onclick: start_match }, "Play it now");
  const tidy = h("button", { type: "button", onclick: format }, "Format");
  const examples = h("select", { "aria-label": "Begin with a game", onchange: begin },
    h("option", { value: "" }, "Begin with …"), games.map((game) => h("option", { value: game.name }, game.title)));
  let [found, asked, timer] = [[], 0, null];
  const help = wordHelp(text, select);
  const reasons = whyBox({
    ask: (sentence) => api.why(text.value, sentence),
    toLine: (line) => select({ line, column: 1, end_line: line + 1, end_column: 1 }),
    examples: ["(legal ?role ?move)", "terminal", "(goal ?role ?value)"],
  });

  replace(page,
    h("div", { class: "columns write" },
      h("section", { class: "stage" },
        h("h1", {}, "Write a game"),
        h("div", { class: "actions" }, play, tidy, examples),
        h("label", { for: "sheet", class: "small" }, "The rules, in the Game Description Language. Rest on a word to see what it is; F12 goes to its definition."),
        h("div", { class: "editor" }, lines, h("div", { class: "paper" }, colours, text))),
      h("aside", { class: "panel", "aria-label": "Findings" }, summary, findings, help.panel, reasons.element, preview)));
  text.addEventListener("input", () => changed());
  text.addEventListener("scroll", follow);
  text.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key === "Enter" && !play.disabled) start_match();
  });

  function changed(wait = 250) {
    localStorage.setItem(DRAFT, text.value);
    found = [];
    paint();
    play.disabled = true;
    asked += 1;
    clearTimeout(timer);
    timer = setTimeout(() => look(asked), wait);
  }

  // What can be told at once is told first; playing takes a little longer.
  async function look(number) {
    try {
      for (const quick of [true, false]) {
        const checked = await api.check(text.value, quick);
        if (number !== asked) return;
        show(checked, quick);
        if (checked.findings.some((finding) => finding.severity === "error") && !checked.playable && !quick) break;
      }
    } catch (error) {
      if (number === asked) summary.textContent = error.message;
    }
  }

  function show(checked, quick) {
    found = checked.findings;
    const count = (severity) => found.filter((finding) => finding.severity === severity).length;
    const told = [["error", "errors"], ["warning", "warnings"], ["note", "notes"]]
      .map(([one, many]) => [count(one), count(one) === 1 ? one : many])
      .filter(([number]) => number > 0).map(([number, word]) => `${number} ${word}`).join(", ");
    const playing = quick && !checked.playable && count("error") === 0;
    summary.textContent = playing ? "Playing it …" : told || "Nothing is wrong with it.";
    replace(findings, found.slice(0, 100).map((finding) => h("li", { class: finding.severity },
      h("button", { type: "button", class: "quiet", onclick: () => select(finding) },
        h("span", { class: "badge" }, `${finding.severity} ${finding.line}:${finding.column}`), " ", finding.message),
      finding.help && h("p", { class: "small" }, finding.help),
      finding.fix && h("p", { class: "actions" }, h("button", { type: "button", onclick: () => mend(finding.fix) }, `Mend: ${finding.fix.title}`)),
      h("p", { class: "small code" }, finding.code))));
    play.disabled = !checked.playable;
    if (!quick) {
      replace(preview, checked.svg ? picture(checked.svg) : null,
        checked.obstacle && h("p", { class: "note" }, checked.obstacle));
    }
    paint();
  }

  function place(line, column) {
    const before = text.value.split("\n").slice(0, line - 1).reduce((sum, row) => sum + row.length + 1, 0);
    const row = text.value.split("\n")[line - 1] ?? "";
    return before + [...row].slice(0, column - 1).join("").length;
  }

  // The last edit first, so that the others stay where they are.
  function mend({ edits }) {
    const at = ({ piece }) => [place(piece.line, piece.column), place(piece.end_line, piece.end_column)];
    const places = edits.map((edit) => [...at(edit), edit.text]).sort(([one], [two]) => two - one);
    for (const [from, to, written] of places) text.setRangeText(written, from, to, "end");
    changed(0);
    text.focus();
  }

  function select(finding) {
    const [from, to] = [place(finding.line, finding.column), place(finding.end_line, finding.end_column)];
    text.focus();
    text.setSelectionRange(from, to);
    const height = parseFloat(getComputedStyle(text).lineHeight);
    text.scrollTop = Math.max(0, (finding.line - 4) * height);
  }

  // The same text in colours below the one that is edited.
  function paint() {
    const marks = found.filter((finding) => finding.severity !== "note")
      .map((finding) => [place(finding.line, finding.column), place(finding.end_line, finding.end_column), finding.severity]);
    const parts = [];
    let at = 0;
    for (const [part] of text.value.matchAll(PART)) {
      const mark = marks.find(([from, to]) => at < Math.max(to, from + 1) && at + part.length > from);
      const kind = part.startsWith(";") ? "comment" : part.startsWith("?") ? "variable"
        : WORDS.has(part.toLowerCase()) ? "word" : "";
      const name = [kind, mark && `mark ${mark[2]}`].filter(Boolean).join(" ");
      parts.push(name ? h("span", { class: name }, part) : part);
      at += part.length;
    }
    replace(colours, parts, "\n");
    lines.textContent = text.value.split("\n").map((_, number) => number + 1).join("\n");
    follow();
  }

  function follow() {
    colours.scrollTop = lines.scrollTop = text.scrollTop;
    colours.scrollLeft = text.scrollLeft;
  }

  async function format() {
    try {
      text.value = (await api.format(text.value)).rules;
      changed(0);
      toast("Formatted");
    } catch (error) {
      toast(error.message, "error");
    }
  }

  async function begin() {
    if (!examples.value) return;
    try {
      text.value = (await api.game(examples.value)).rules;
      text.scrollTop = 0;
      changed(0);
    } catch (error) {
      toast(error.message, "error");
    }
    examples.value = "";
  }

  function start_match() {
    sessionStorage.setItem(DRAFT, text.value);
    go("/new");
  }

  changed(0);
  return () => {
    clearTimeout(timer);
    help.close();
  };
}
