// A tournament: standings with intervals as they come in, plots, and all of its matches.

import * as api from "./api.js";
import { amount, h, replace, toast } from "./dom.js";
import { endedMatches } from "./ended.js";
import { go } from "./main.js";
import { course, intervals, legend, worth } from "./plots.js";

export async function open(page, id) {
  document.title = "Tournament · Ludens";
  const status = h("p", { class: "status", role: "status", "aria-live": "polite" });
  const [title, bar] = [h("h1", {}), h("progress", { class: "progress", "aria-label": "Matches that have ended" })];
  const actions = h("p", { class: "actions" });
  const [chips, standings, plots, games] = ["chips", "standings", "plots", "by-game"].map((name) => h("div", { class: name }));
  const ended = endedMatches("Matches", id);
  let view = null;
  let chosen = null;

  function draw() {
    const { summary } = view;
    title.textContent = summary.games.length > 3 ? `${summary.games.length} games` : summary.games.join(", ");
    bar.max = Math.max(1, summary.all);
    bar.value = summary.done;
    const told = {
      waiting: "Waits for its turn", building: "Building the games …", running: "Playing",
      paused: "Rests", done: "All matches were played", failed: `Has failed: ${view.fault}`,
    }[summary.status];
    status.textContent = `${told}: ${summary.done} of ${summary.all} matches`;
    const live = ["waiting", "building", "running"].includes(summary.status);
    const button = (title, action, kind) => h("button", { type: "button", class: kind, onclick: () => run(action) }, title);
    replace(actions, view.owner && [
      live && button("Pause", () => api.pauseTournament(id, true)),
      ["paused", "failed"].includes(summary.status) && button("Go on", () => api.pauseTournament(id, false), "primary"),
      !live && button("Delete", async () => {
        await api.forgetTournament(id);
        go("/arena");
      })]);
    const shown = view.standings.find((game) => game.title === chosen) ?? view.standings.at(-1);
    replace(chips, view.standings.length > 1 && view.standings.map((game) => h("button", {
      type: "button", class: "chip", "aria-pressed": String(game === shown),
      onclick: () => {
        chosen = game.title;
        draw();
      },
    }, game.title)));
    replace(standings, table(shown));
    const drawn = intervals(shown.players, `Shares in ${shown.title}`);
    const over = course(view.course, summary.players);
    replace(plots,
      drawn && h("figure", {}, drawn, h("figcaption", {}, `${shown.title}: share of the matches with its 95% interval`)),
      over && h("figure", {}, over, legend(summary.players), h("figcaption", {}, "All games: shares over the matches")));
    replace(games, view.standings.length > 1 && overview(view.standings, summary.players));
  }

  async function run(action) {
    try {
      await action();
    } catch (error) {
      toast(error.message, "error");
    }
  }

  async function refresh() {
    view = await api.tournament(id);
    draw();
    await ended.refresh();
  }

  replace(page, title, status, bar, actions, chips,
    h("div", { class: "columns even" }, h("section", { class: "stage", "aria-label": "Standings" }, standings, games), plots), ended.element);
  await refresh();
  return api.watchTournaments(() => run(refresh));
}

const points = (value) => (value === null ? "∞" : `${value > 0 ? "+" : ""}${Math.round(value)}`);
const share = (value) => (value ? `${value.mean.toFixed(1)} ± ${value.interval.toFixed(1)}` : "–");

// Elo points with their interval; how likely it is that the player is better at all.
function elo(total) {
  if (!total) return "–";
  const sign = total.superiority > 0.5 ? "+∞" : "−∞";
  const middle = total.elo === null ? sign : points(total.elo);
  return `${middle} [${total.elo_low === null ? "−∞" : points(total.elo_low)}, ${total.elo_high === null ? "+∞" : points(total.elo_high)}]`;
}

function scroll(label, table) {
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, table);
}

function table(game) {
  const column = (title, hint) => h("th", { scope: "col", title: hint }, title);
  const order = [...game.players.keys()].sort((one, two) => (worth(game.players[two])?.mean ?? -1) - (worth(game.players[one])?.mean ?? -1));
  const against = game.players.length > 2;
  const row = (number) => {
    const player = game.players[number];
    const { total } = player;
    return h("tr", {},
      h("th", { scope: "row" }, h("span", { class: `dot role-${number % 6}` }), " ", player.player),
      h("td", {}, share(total)),
      h("td", {}, total ? `${total.wins} · ${total.draws} · ${total.losses}` : "–"),
      h("td", {}, elo(total)),
      h("td", {}, total ? `${(100 * total.superiority).toFixed(0)}%` : "–"),
      h("td", {}, player.goal === null ? "–" : player.goal.toFixed(1)),
      h("td", {}, amount(player.simulations_per_second)),
      against && order.map((other) => h("td", { class: "against" }, other === number ? "" : share(player.against[other]))));
  };
  return scroll(`Standings of ${game.title}`, h("table", { class: "numbers" },
    h("caption", {}, `${game.title}: ${game.matches} matches of ${game.mean_length.toFixed(1)} moves${game.cut > 0 ? `, ${game.cut} broken off` : ""}`),
    h("thead", {}, h("tr", {}, column("Player"), column("Share", "Per cent of the matches, a draw counting one half, with the 95% interval"),
      column("Won · drawn · lost"), column("Elo", "With the ends of the 95% interval"), column("Better", "How likely it is that the player is better at all"),
      column("Goal"), column("Simulations/s"), against && order.map((other) => column(`vs ${game.players[other].player}`)))),
    h("tbody", {}, order.map(row))));
}

// Games and players in one table: the better, the darker.
function overview(standings, players) {
  const cell = (player) => {
    const value = worth(player);
    if (!value) return h("td", {}, "–");
    const element = h("td", { class: "heat" }, value.mean.toFixed(0), h("span", { class: "small" }, ` ± ${value.interval.toFixed(0)}`));
    element.style.setProperty("--heat", `${Math.round(value.mean * 0.6)}%`);
    return element;
  };
  return scroll("Shares by game", h("table", { class: "numbers" },
    h("caption", {}, "Shares by game"),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Game"), players.map((player) => h("th", { scope: "col" }, player)))),
    h("tbody", {}, standings.map((game) => h("tr", {}, h("th", { scope: "row" }, game.title), game.players.map(cell))))));
}
