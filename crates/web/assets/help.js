// What the word at the cursor or below the pointer is, where it is defined, and where it is used.

import * as api from "./api.js";
import { h, replace } from "./dom.js";

const WAIT = 220;

// Watches a text that is edited. `select` shows a piece of it.
export function wordHelp(text, select) {
  const panel = h("section", { class: "here", "aria-label": "The word at the cursor", role: "status", "aria-live": "polite" });
  const tip = h("div", { class: "tip", hidden: true, "aria-hidden": "true" });
  let [asked, found] = [0, null];
  const timers = { cursor: null, pointer: null };

  // Line and column of a place, both from 1, columns in characters.
  function position(offset) {
    const rows = text.value.slice(0, offset).split("\n");
    return [rows.length, [...rows.at(-1)].length + 1];
  }

  async function look(offset) {
    const number = ++asked;
    const told = await api.look(text.value, ...position(offset)).catch(() => null);
    return number === asked ? told : null;
  }

  async function show() {
    found = await look(text.selectionStart);
    if (!found?.help) return replace(panel);
    const uses = found.uses.length;
    replace(panel, h("h2", {}, "At the cursor"), h("p", { class: "help" }, plain(found.help)),
      h("p", { class: "actions" },
        found.definitions.slice(0, 6).map((piece) => h("button", { type: "button", onclick: () => select(piece) }, `Definition in line ${piece.line}`)),
        uses > 0 && h("button", { type: "button", onclick: () => nextUse() }, `Next of ${uses} ${uses === 1 ? "use" : "uses"}`)));
  }

  // The use after the one at the cursor.
  function nextUse() {
    const [line, column] = position(text.selectionStart);
    const after = found.uses.find((piece) => piece.line > line || (piece.line === line && piece.column > column));
    select(after ?? found.uses[0]);
  }

  const later = (which, action) => {
    clearTimeout(timers[which]);
    timers[which] = setTimeout(action, WAIT);
  };

  // The place in the text below the pointer: letters are all of one width.
  function below(event) {
    const style = getComputedStyle(text);
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = style.font;
    const box = text.getBoundingClientRect();
    const row = Math.floor((event.clientY - box.top - parseFloat(style.paddingTop) + text.scrollTop) / parseFloat(style.lineHeight));
    const column = Math.floor((event.clientX - box.left - parseFloat(style.paddingLeft) + text.scrollLeft) / pen.measureText("0").width);
    const rows = text.value.split("\n");
    if (row < 0 || row >= rows.length || column < 0 || column >= rows[row].length) return null;
    return rows.slice(0, row).reduce((sum, line) => sum + line.length + 1, 0) + column;
  }

  async function hover(event) {
    const offset = below(event);
    const told = offset === null ? null : await look(offset);
    if (!told?.help) {
      tip.hidden = true;
      return;
    }
    tip.textContent = plain(told.help);
    tip.hidden = false;
    tip.style.left = `${Math.max(8, Math.min(event.clientX + 12, innerWidth - tip.offsetWidth - 8))}px`;
    tip.style.top = `${Math.max(8, Math.min(event.clientY + 18, innerHeight - tip.offsetHeight - 8))}px`;
  }

  async function define() {
    const told = await look(text.selectionStart);
    if (told?.definitions.length > 0) select(told.definitions[0]);
  }

  text.addEventListener("mousemove", (event) => {
    tip.hidden = true;
    later("pointer", () => hover(event));
  });
  text.addEventListener("mouseleave", () => {
    clearTimeout(timers.pointer);
    tip.hidden = true;
  });
  text.addEventListener("click", (event) => (event.ctrlKey || event.metaKey ? define() : later("cursor", show)));
  text.addEventListener("keyup", () => later("cursor", show));
  text.addEventListener("keydown", (event) => {
    tip.hidden = true;
    if (event.key !== "F12") return;
    event.preventDefault();
    define();
  });
  document.body.append(tip);
  return { panel, close: () => { Object.values(timers).forEach(clearTimeout); tip.remove(); } };
}

// Markdown as plain words.
const plain = (text) => text.replace(/\*\*|`/g, "").trim();
