// Plots of tournaments: shares with their intervals, and how they came about.

import { h, s } from "./dom.js";

const WIDTH = 560;
const RIGHT = 26;

// The value that is compared: the share of the matches, or the goal where there are no opponents.
export function worth(player) {
  if (player.total) return { mean: player.total.mean, interval: player.total.interval };
  return player.goal === null ? null : { mean: player.goal, interval: player.goal_interval ?? 0 };
}

// Names at the left are as wide as the longest, within reason.
const room = (names) => Math.min(220, 16 + 7.2 * Math.max(...names.map((name) => name.length)));
const short = (name) => (name.length > 28 ? `${name.slice(0, 27)}…` : name);

// A line for each player: the mean as a dot, the 95% confidence interval as a bar.
export function intervals(players, title) {
  const known = players.map((player, number) => [player, worth(player), number]).filter(([, value]) => value);
  if (known.length === 0) return null;
  const [row, top, bottom] = [30, 8, 26];
  const height = top + known.length * row + bottom;
  const left = room(known.map(([player]) => player.player));
  const x = (value) => left + (Math.min(100, Math.max(0, value)) / 100) * (WIDTH - left - RIGHT);
  const told = known.map(([player, value]) => `${player.player} ${value.mean.toFixed(1)} ± ${value.interval.toFixed(1)}`).join(", ");
  const drawn = s("svg", { viewBox: `0 0 ${WIDTH} ${height}`, class: "plot", role: "img", "aria-label": `${title}: ${told}` });
  for (const value of [0, 25, 50, 75, 100]) {
    drawn.append(s("line", { x1: x(value), x2: x(value), y1: top, y2: height - bottom, class: value === 50 ? "middle" : "grid" }));
    drawn.append(s("text", { x: x(value), y: height - 8, "text-anchor": "middle" }, `${value}%`));
  }
  known.forEach(([player, { mean, interval }, number], place) => {
    const y = top + (place + 0.5) * row;
    const group = s("g", { class: `role-${number % 6}` },
      s("line", { x1: x(mean - interval), x2: x(mean + interval), y1: y, y2: y, class: "interval" }),
      s("circle", { cx: x(mean), cy: y, r: 5.5, class: "mean" }));
    drawn.append(s("text", { x: left - 10, y: y + 4, "text-anchor": "end", class: "name" }, short(player.player)), group);
  });
  return drawn;
}

// The shares of all players over the matches.
export function course(points, players) {
  if (points.length < 2) return null;
  const [height, left, top, bottom] = [200, 38, 8, 24];
  const last = points.at(-1).matches;
  const x = (matches) => left + (matches / last) * (WIDTH - left - RIGHT);
  const y = (value) => top + (1 - value / 100) * (height - top - bottom);
  const now = players.map((player, number) => [player, points.at(-1).shares[number]]).filter(([, share]) => share !== null)
    .map(([player, share]) => `${player} ${share.toFixed(1)}%`).join(", ");
  const drawn = s("svg", { viewBox: `0 0 ${WIDTH} ${height}`, class: "plot", role: "img", "aria-label": `Shares over the matches, at last ${now}` });
  for (const value of [0, 50, 100]) {
    drawn.append(s("line", { x1: left, x2: WIDTH - RIGHT, y1: y(value), y2: y(value), class: "grid" }));
    drawn.append(s("text", { x: left - 6, y: y(value) + 4, "text-anchor": "end" }, `${value}%`));
  }
  drawn.append(s("text", { x: left, y: height - 6, "text-anchor": "middle" }, "0"),
    s("text", { x: WIDTH - RIGHT, y: height - 6, "text-anchor": "end" }, `${last} matches`));
  players.forEach((player, number) => {
    const line = points.filter((point) => point.shares[number] !== null)
      .map((point) => `${x(point.matches).toFixed(1)},${y(point.shares[number]).toFixed(1)}`);
    if (line.length > 0) drawn.append(s("polyline", { points: line.join(" "), class: `course role-${number % 6}` }));
  });
  return drawn;
}

// Which colour is whose.
export const legend = (players) => h("ul", { class: "legend" }, players.map((player, number) =>
  h("li", {}, h("span", { class: `dot role-${number % 6}` }), player)));
