// A video game on a canvas: as it is played, or any moment of what was played.

import * as api from "./api.js";
import { h, replace, toast } from "./dom.js";

// Keys of the first player, and of a second one at the same keyboard.
const KEYS = [
  { ArrowUp: "up", ArrowLeft: "left", ArrowDown: "down", ArrowRight: "right", " ": "use" },
  { w: "up", a: "left", s: "down", d: "right", q: "use" },
];
// More than any game has.
const LAST = 1000000;

export async function open(page, id) {
  const view = await api.video(id);
  document.title = `${view.title} · Ludens`;
  const canvas = h("canvas", { class: "screen", width: view.width, height: view.height, tabIndex: 0, role: "application", "aria-label": `${view.title}, as it is seen` });
  const context = canvas.getContext("2d");
  const status = h("p", { class: "status", role: "status" });
  const counter = h("output", { class: "counter" });
  const slider = h("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Tick", oninput: () => seek(Number(slider.value)) });
  const pause = h("button", { type: "button", onclick: rest }, "Pause");
  const step = h("button", { type: "button", onclick: once }, "Step");
  const live = h("button", { type: "button", onclick: () => seek(null) }, "Live");
  const speed = h("input", { type: "range", min: 1, max: 60, value: 25, "aria-label": "Ticks a second", onchange: paced });
  const told = h("output", { class: "counter" });
  const scores = h("dl", { class: "scores" });
  const people = view.players.flatMap(({ person }, number) => (person ? [number] : []));
  // Which moment is shown; none while it is the latest. A record is only looked at.
  let [at, running, timer, frame, asking, again, left] = [null, false, null, null, false, false, false];

  replace(page, h("div", { class: "columns" },
    h("section", { class: "stage" }, h("h1", {}, `${view.title}, level ${view.level}`), status,
      h("div", { class: "board" }, canvas),
      h("p", { class: "actions" }, pause, step, live, counter), slider),
    h("aside", { class: "panel", "aria-label": "The game" }, scores,
      h("label", {}, "Speed ", speed, " ", told),
      people.length > 0 && view.owned && h("p", { class: "small" }, people.length > 1
        ? "Player 1 has the arrow keys and the space bar, player 2 has w, a, s, d and q." : "Arrow keys steer, the space bar acts."),
      h("p", { class: "small" }, `Seed ${view.seed}`),
      h("p", { class: "actions" }, h("button", { type: "button", onclick: save }, "Save the record"), h("a", { href: "/video" }, "Another game")))));

  // One look at a time, and one more if something has changed meanwhile.
  async function look() {
    again = true;
    if (asking) return;
    asking = true;
    while (again && !left) {
      again = false;
      try {
        frame = await api.videoFrame(id, at ?? LAST);
        if (!left) paint();
      } catch (error) {
        status.textContent = error.message;
      }
    }
    asking = false;
  }

  function paint() {
    context.fillStyle = "#1b1b1f";
    context.fillRect(0, 0, view.width, view.height);
    for (const { shape, colour, places } of frame.layers) {
      context.fillStyle = colour;
      for (let place = 0; place < places.length; place += 4) draw(shape, ...places.slice(place, place + 4));
    }
    slider.max = frame.last;
    if (at === null) slider.value = frame.last;
    const outcome = view.players.map(({ name }, number) => `${name}${frame.outcomes[number] === "open" ? "" : ` ${frame.outcomes[number]}`}`);
    const waits = frame.paused && !frame.over;
    status.textContent = frame.tick === frame.last && frame.over ? outcome.join(", ") || "It is over." : at !== null ? "What was played" : waits ? "It waits." : "Playing";
    counter.textContent = `tick ${frame.tick} of ${frame.last}`;
    told.textContent = `${Math.round(at === null ? frame.speed : speed.value)} ticks a second`;
    if (document.activeElement !== speed && at === null && !frame.over) speed.value = frame.speed;
    pause.textContent = (replaying() ? running : !waits) ? "Pause" : "Go on";
    pause.disabled = step.disabled = !replaying() && !view.owned;
    live.hidden = at === null || frame.over;
    replace(scores, view.players.map(({ name }, number) => [h("dt", {}, name),
      h("dd", {}, `${frame.scores[number]} points`, frame.belongings[number].map((text) => h("span", { class: "small" }, ` · ${text}`)))]));
  }

  // What stays fills its cell; what moves is round, and avatars are the roundest.
  function draw(shape, x, y, width, height) {
    const inset = { static: 0, portal: 0.04, avatar: 0.08 }[shape] ?? 0.12;
    const round = { static: 0, portal: 0.12, avatar: 0.5 }[shape] ?? 0.25;
    const [across, down] = [width * inset, height * inset];
    context.beginPath();
    context.roundRect(x + across, y + down, Math.max(1, width - 2 * across), Math.max(1, height - 2 * down), round * width);
    context.fill();
  }

  // Whether the buttons are about what was played, and not about what is being played.
  const replaying = () => at !== null || frame?.over;

  function seek(tick) {
    at = tick === null ? null : Math.max(0, Math.min(tick, frame?.last ?? 0));
    look();
  }

  function run(on) {
    clearTimeout(timer);
    running = on;
    if (!on) return frame && paint();
    if (at === null || at >= frame.last) at = at === frame.last || frame.over ? 0 : at;
    const next = async () => {
      if (!running || left) return;
      if (at >= frame.last) return run(false);
      at += 1;
      slider.value = at;
      const begun = performance.now();
      await look();
      timer = setTimeout(next, Math.max(0, 1000 / speed.value - (performance.now() - begun)));
    };
    next();
  }

  async function tell(wish) {
    try {
      await api.videoPace(id, wish);
    } catch (error) {
      toast(error.message, "error");
    }
  }

  function rest() {
    if (replaying()) return run(!running);
    tell({ paused: !frame.paused });
  }

  async function once() {
    if (replaying()) {
      run(false);
      slider.value = (at ?? frame.last) + 1;
      return seek((at ?? frame.last) + 1);
    }
    if (!frame.paused) await tell({ paused: true });
    tell({ steps: 1 });
  }

  function paced() {
    if (!replaying() && view.owned) tell({ speed: Number(speed.value) });
    told.textContent = `${speed.value} ticks a second`;
  }

  async function save() {
    const text = JSON.stringify(await api.videoRecord(id));
    const link = h("a", { href: URL.createObjectURL(new Blob([text], { type: "application/json" })), download: `${view.title}.json` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  // Keys are sent in their order: those that are pressed while others are on their way go along with the next.
  const waiting = view.players.map(() => []);
  let sending = false;
  async function send() {
    if (sending) return;
    sending = true;
    for (let player; (player = waiting.findIndex((keys) => keys.length > 0)) >= 0;) {
      try {
        await api.videoKeys(id, player, waiting[player].splice(0));
      } catch (error) {
        toast(error.message, "error");
      }
    }
    sending = false;
  }

  const held = new Set();
  function key(event, down) {
    // Fields keep their keys, and buttons the space bar.
    const own = event.target.closest?.(event.key === " " ? "input, select, button, a" : "input, select");
    if (own || event.ctrlKey || event.metaKey || event.altKey || !view.owned || replaying()) return;
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    people.forEach((player, number) => {
      const meant = KEYS[number][name];
      if (!meant) return;
      event.preventDefault();
      const mark = `${player} ${meant}`;
      if (down === held.has(mark)) return;
      if (down) held.add(mark);
      else held.delete(mark);
      waiting[player].push({ key: meant, down });
      send();
    });
  }
  const press = (event) => key(event, true);
  const release = (event) => key(event, false);
  // Who looks elsewhere holds nothing.
  function forget() {
    held.forEach((mark) => {
      const [player, name] = mark.split(" ");
      waiting[player].push({ key: name, down: false });
    });
    held.clear();
    send();
  }
  document.addEventListener("keydown", press);
  document.addEventListener("keyup", release);
  window.addEventListener("blur", forget);
  await look();
  if (frame?.over) seek(0);
  setTimeout(() => canvas.focus({ preventScroll: true }));
  const stop = api.watchVideo(id, () => at === null && look());
  return () => {
    left = true;
    clearTimeout(timer);
    document.removeEventListener("keydown", press);
    document.removeEventListener("keyup", release);
    window.removeEventListener("blur", forget);
    stop();
  };
}
