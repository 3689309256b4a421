// Why something is legal, true, or not: the rules that decide it.

import { h, replace } from "./dom.js";

// `ask` gives the reasons of a sentence; `toLine` shows a line of the rules, where there is something to show.
export function whyBox({ ask, toLine, examples }) {
  const input = h("input", { type: "text", id: "why", "aria-label": "A sentence", placeholder: examples[0], spellcheck: false, autocomplete: "off" });
  const answer = h("div", { role: "status" });
  async function submit(event) {
    event?.preventDefault();
    if (!input.value.trim()) input.value = examples[0];
    try {
      const told = await ask(input.value);
      replace(answer, h("pre", { class: "reasons", role: "region", tabindex: "0", "aria-label": "Reasons" }, lines(told.text)));
    } catch (error) {
      replace(answer, h("p", { class: "note" }, error.message));
    }
  }
  const example = (text) => h("button", {
    type: "button", class: "chip", onclick: () => {
      input.value = text;
      submit();
    },
  }, text);

  function lines(text) {
    return text.split("\n").flatMap((line) => {
      const kind = /^\s*yes\b|holds(?!\S)/.test(line) && !/does not hold/.test(line) ? "yes" : /^\s*NO\b|does not hold/.test(line) ? "no" : "";
      const named = toLine && line.match(/^(.*?)line (\d+)(.*)$/);
      const shown = named
        ? [named[1], h("button", { type: "button", class: "quiet", onclick: () => toLine(Number(named[2])) }, `line ${named[2]}`), named[3]]
        : [line];
      return [h("span", { class: kind }, shown), "\n"];
    });
  }

  const element = h("details", { class: "why" }, h("summary", {}, "Why is this so?"),
    h("form", { onsubmit: submit }, input, h("button", { type: "submit" }, "Why?")),
    h("div", { class: "chips" }, examples.map(example)), answer);
  return { element, ask: (sentence) => { element.open = true; input.value = sentence; return submit(); } };
}
