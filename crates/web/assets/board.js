// A board that is played by clicks, or by the arrow keys and return.

import { picture, s } from "./dom.js";

const key = (board, cell) => `${board}/${cell}`;

// Shows the picture of a position. `moves` are what can be chosen, `choose` is told the candidates when clicks leave
// several, and `play` the one that is meant.
export function board(container, svg, { moves = [], play, choose, label }) {
  const drawn = picture(svg);
  drawn.setAttribute("role", "group");
  drawn.setAttribute("aria-label", label);
  drawn.classList.add("boards");
  drawn.querySelector(":scope > title")?.remove();
  container.replaceChildren(drawn);
  const cells = new Map();
  for (const element of drawn.querySelectorAll("g.cell")) {
    cells.set(key(element.dataset.board, element.dataset.cell), element);
  }
  const usable = moves.filter((move) => move.places.length > 0);
  let clicks = [];

  const hit = (place, click) => place.board === click.board && place.cells.includes(click.cell);
  const fits = (move, made) =>
    made.length <= move.places.length && made.every((click, at) => hit(move.places[at], click));

  function click(element) {
    const here = { board: Number(element.dataset.board), cell: Number(element.dataset.cell) };
    const ahead = usable.filter((move) => fits(move, [...clicks, here]));
    if (ahead.length > 0) clicks.push(here);
    else clicks = usable.some((move) => fits(move, [here])) ? [here] : [];
    const possible = clicks.length > 0 ? usable.filter((move) => fits(move, clicks)) : [];
    const full = possible.filter((move) => move.places.length === clicks.length);
    if (full.length === 1 && possible.length === 1) {
      clicks = [];
      mark();
      return play(full[0]);
    }
    choose(full.length > 0 ? possible : []);
    mark();
  }

  // Shows where one may click next, and what was clicked.
  function mark() {
    const next = new Set();
    for (const move of usable.filter((move) => fits(move, clicks))) {
      const place = move.places[clicks.length];
      place?.cells.forEach((cell) => next.add(key(place.board, cell)));
    }
    const first = usable.length > 0 && clicks.length > 0 ? new Set() : null;
    if (first) usable.forEach((move) => move.places[0].cells.forEach((cell) => first.add(key(move.places[0].board, cell))));
    let tabbed = [...cells.values()].find((element) => element.tabIndex === 0);
    for (const [name, element] of cells) {
      const open = next.has(name);
      element.classList.toggle("next", open);
      element.classList.toggle("clicked", clicks.some((click) => key(click.board, click.cell) === name));
      const live = open || first?.has(name);
      element.classList.toggle("live", Boolean(live));
      if (live) {
        element.setAttribute("role", "button");
        element.setAttribute("aria-label", element.querySelector("title")?.textContent ?? "");
        if (!tabbed) tabbed = element;
        element.setAttribute("tabindex", element === tabbed ? "0" : "-1");
      } else {
        ["role", "aria-label", "tabindex"].forEach((attribute) => element.removeAttribute(attribute));
        if (element === tabbed) tabbed = null;
      }
    }
    const live = [...cells.values()].filter((element) => element.classList.contains("live"));
    if (live.length > 0 && !live.some((element) => element.getAttribute("tabindex") === "0")) {
      live[0].setAttribute("tabindex", "0");
    }
  }

  // The nearest cell in a direction that can be clicked.
  function beside(element, [x, y]) {
    const middle = (of) => {
      const box = of.getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    const from = middle(element);
    let best = null;
    for (const other of cells.values()) {
      if (other === element || !other.classList.contains("live")) continue;
      const to = middle(other);
      const [right, down] = [to[0] - from[0], to[1] - from[1]];
      const along = right * x + down * y;
      const across = Math.abs(right * y) + Math.abs(down * x);
      if (along <= 1) continue;
      const far = along + 3 * across;
      if (!best || far < best.far) best = { far, other };
    }
    return best?.other;
  }

  // Where a move names a column, all of it answers to the pointer.
  function hover(element) {
    const here = element && { board: Number(element.dataset.board), cell: Number(element.dataset.cell) };
    const same = new Set();
    for (const move of here ? usable.filter((move) => fits(move, [...clicks, here])) : []) {
      const place = move.places[clicks.length];
      if (place.cells.length > 1) place.cells.forEach((cell) => same.add(key(place.board, cell)));
    }
    for (const [name, other] of cells) other.classList.toggle("same", same.has(name));
  }

  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  drawn.addEventListener("click", (event) => {
    const element = event.target.closest("g.cell");
    if (element && usable.length > 0) click(element);
  });
  drawn.addEventListener("pointerover", (event) => hover(event.target.closest("g.cell")));
  drawn.addEventListener("pointerleave", () => hover(null));
  drawn.addEventListener("keydown", (event) => {
    const element = event.target.closest?.("g.cell");
    if (!element) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      event.stopPropagation();
      click(element);
    } else if (event.key === "Escape") {
      clicks = [];
      choose([]);
      mark();
    } else if (ARROWS[event.key]) {
      event.preventDefault();
      event.stopPropagation();
      const next = beside(element, ARROWS[event.key]);
      if (next) {
        element.setAttribute("tabindex", "-1");
        next.setAttribute("tabindex", "0");
        next.focus();
      }
    }
  });
  mark();

  // Points at places with a strength from 0 to 1 each; nothing takes the pointers away.
  function point(pointers) {
    drawn.querySelectorAll(".pointer").forEach((element) => element.remove());
    for (const { places, strength } of pointers) {
      const spots = places.map((place) => middleOf(place)).filter(Boolean);
      const last = spots.at(-1);
      if (!last) continue;
      const size = Math.max(4, last.size * (0.12 + 0.2 * Math.sqrt(strength)));
      const group = s("g", { class: "pointer", "aria-hidden": "true", opacity: (0.35 + 0.6 * strength).toFixed(2) });
      if (spots.length > 1 && spots[0].parent === last.parent) {
        group.append(s("line", { x1: spots[0].x, y1: spots[0].y, x2: last.x, y2: last.y, "stroke-width": Math.max(2, size / 2) }));
      }
      group.append(s("circle", { cx: last.x, cy: last.y, r: size }));
      last.parent.append(group);
    }
  }

  // Of a column the lowest cell that is empty in the picture would need the rules; its first cell has to do.
  function middleOf(place) {
    const element = cells.get(key(place.board, place.cells[0]));
    if (!element) return null;
    const box = element.firstElementChild.nextElementSibling?.getBBox() ?? element.getBBox();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2, size: box.width, parent: element.parentNode };
  }

  return { point };
}
