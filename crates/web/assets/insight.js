// What players think: values over the match, the moves they looked at, and what they expect.

import { amount, capital, colour, h, s } from "./dom.js";

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [320, 120, 26, 16, 8];

// The values of all roles over the match. Clicking goes to that step.
export function curve(view, step, goto) {
  const lines = view.roles.map((role, number) => view.turns
    .map((turn, at) => [at + 1, turn.thoughts[number]?.value])
    .filter(([, value]) => value !== null && value !== undefined));
  if (lines.every((line) => line.length === 0)) return null;
  const last = Math.max(view.turns.length, 1);
  const x = (at) => LEFT + (at / last) * (WIDTH - LEFT - 6);
  const y = (value) => TOP + (1 - value / 100) * (HEIGHT - TOP - BOTTOM);
  const told = lines.map((line, number) => line.length > 0
    && `${view.roles[number].name} expects ${Math.round(line.at(-1)[1])}`).filter(Boolean).join(", ");
  const drawn = s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "curve", role: "img", "aria-label": `Values over the match: ${told}` });
  for (const value of [0, 50, 100]) {
    drawn.append(s("line", { x1: LEFT, x2: WIDTH - 6, y1: y(value), y2: y(value), class: "grid" }));
    drawn.append(s("text", { x: LEFT - 5, y: y(value) + 3.5, "text-anchor": "end" }, String(value)));
  }
  drawn.append(s("text", { x: LEFT, y: HEIGHT - 3 }, "0"), s("text", { x: WIDTH - 6, y: HEIGHT - 3, "text-anchor": "end" }, String(last)));
  drawn.append(s("line", { x1: x(step), x2: x(step), y1: TOP, y2: HEIGHT - BOTTOM, class: "now" }));
  lines.forEach((line, number) => {
    if (line.length === 0) return;
    const points = line.map(([at, value]) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
    drawn.append(s("polyline", { points, class: `value ${colour(view.roles[number].name, number)}` }));
    const [at, value] = line.at(-1);
    drawn.append(s("circle", { cx: x(at), cy: y(value), r: 3, class: `value ${colour(view.roles[number].name, number)}` }));
  });
  drawn.addEventListener("click", (event) => {
    const box = drawn.getBoundingClientRect();
    const at = ((event.clientX - box.x) / box.width) * WIDTH;
    goto(Math.round(Math.min(1, Math.max(0, (at - LEFT) / (WIDTH - LEFT - 6))) * last));
  });
  return drawn;
}

function worth(value, proven) {
  if (proven === 100) return "proven win";
  if (proven === 50) return "proven draw";
  if (proven === 0) return "proven loss";
  if (proven !== null && proven !== undefined) return `proven ${proven}`;
  return value === null || value === undefined ? "" : value.toFixed(0);
}

// One thought in words, its moves, and what it was thought with. `point` shows places on the board.
export function thought(title, told, point) {
  const most = Math.max(1, ...told.moves.map((move) => move.visits));
  const all = Math.max(1, told.moves.reduce((sum, move) => sum + move.visits, 0));
  const pointAll = () => point(told.moves.map((move) => ({ places: move.places, strength: move.visits / most })));
  const proven = told.proven && told.moves.length > 0
    ? told.moves.find((move) => move.proven !== null)?.proven : null;
  const facts = [
    told.value !== null && `expects ${worth(told.value, proven)}`,
    told.simulations > 0 && `${amount(told.simulations)} simulations`,
    told.simulations > 0 && `${amount(told.simulations_per_second)} a second`,
    told.depth > 0 && `depth ${told.depth}`,
    `${told.seconds.toFixed(1)} s`,
    `${told.machine} machine`,
  ].filter(Boolean).join(" · ");
  return h("section", { class: "thought", onmouseenter: pointAll, onmouseleave: () => point([]) },
    h("h3", {}, title),
    h("p", { class: "small" }, facts),
    told.moves.length > 0 && h("table", {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Move"), h("th", { scope: "col" }, "Expected"), h("th", { scope: "col" }, "Visits"))),
      h("tbody", {}, told.moves.map((move) => h("tr", {
        onmouseenter: () => point([{ places: move.places, strength: 1 }]),
        onmouseleave: pointAll,
      }, h("td", {}, move.short), h("td", {}, worth(move.visits > 0 ? move.value : null, move.proven)),
        h("td", {}, share(move.visits / all), amount(move.visits)))))),
    told.line.length > 1 && h("p", { class: "line" }, h("span", { class: "small" }, "Best line: "), told.line.slice(0, 8).join(" → ")),
    told.tuning && h("p", { class: "small" }, told.tuning));
}

function share(part) {
  const bar = h("span", { class: "bar", "aria-hidden": "true" }, h("span"));
  bar.firstChild.style.width = `${Math.round(part * 100)}%`;
  return bar;
}

// What the players thought of the turn that led to a step.
export function thoughts(view, step, point) {
  const turn = view.turns[step - 1];
  if (!turn) return [];
  return turn.thoughts
    .map((told, number) => told && told.machine && thought(`${capital(view.roles[number].name)}: ${turn.moves[number]}`, told, point))
    .filter(Boolean);
}
