// A match: the board, who plays, what can be done, and what the players think.

import * as api from "./api.js";
import { board } from "./board.js";
import { askSeat, share } from "./dialogs.js";
import { capital, colour, h, replace, toast } from "./dom.js";
import { curve, thought, thoughts } from "./insight.js";
import { go } from "./main.js";
import { whyBox } from "./why.js";

export async function open(page, id) {
  takeKeys(id);
  const table = new Table(page, id);
  await table.refresh();
  const stop = api.watch(id, () => table.refresh());
  const keys = (event) => table.pressed(event);
  document.addEventListener("keydown", keys);
  const ticking = setInterval(() => table.tick(), 200);
  return () => {
    stop();
    clearInterval(ticking);
    document.removeEventListener("keydown", keys);
  };
}

// A link to a role has its key behind the #, which is never sent anywhere.
function takeKeys(id) {
  const given = new URLSearchParams(location.hash.slice(1));
  if (!given.has("key")) return;
  api.remember(id, { keys: [{ role: Number(given.get("role")), key: given.get("key") }] });
  history.replaceState({}, "", location.pathname);
}

class Table {
  constructor(page, id) {
    this.id = id;
    this.view = null;
    // The step that is shown; none follows the match.
    this.step = null;
    this.role = null;
    this.positions = new Map();
    this.hinted = null;
    this.parts = this.build(page);
  }

  build(page) {
    const part = (tag, properties) => h(tag, properties);
    const parts = {
      title: part("h1", {}),
      status: part("p", { class: "status", role: "status", "aria-live": "polite" }),
      roles: part("ul", { class: "players" }),
      board: part("div", { class: "board" }),
      pick: part("div", { class: "pick", role: "group", "aria-label": "Which move?" }),
      cards: part("div", { class: "cards" }),
      steps: part("div", { class: "steps", role: "group", "aria-label": "Steps of the match" }),
      actions: part("div", { class: "actions", role: "group", "aria-label": "What to do" }),
      moves: part("section", { class: "moves" }),
      hint: part("div", { "aria-live": "polite" }),
      insight: part("section", { class: "insight" }),
      history: part("section", { class: "history" }),
      rules: part("section", {}),
    };
    replace(page, h("div", { class: "columns match" },
      h("section", { class: "stage" }, parts.title, parts.status, parts.board, parts.pick, parts.steps, parts.cards),
      h("aside", { class: "panel", "aria-label": "The match" }, parts.roles, parts.actions, parts.moves, parts.hint,
        parts.insight, parts.history, parts.rules)));
    return parts;
  }

  // Looks again. Calls that come while it looks are answered by one more look.
  async refresh() {
    if (this.looking) {
      this.again = true;
      return;
    }
    this.looking = true;
    try {
      do {
        this.again = false;
        const before = this.view?.turns.length;
        this.view = await api.view(this.id);
        const left = this.view.seconds_left;
        this.deadline = left === null ? null : performance.now() + 1000 * left;
        // What was taken back may be different now.
        if (before !== undefined && this.view.turns.length < before) this.positions.clear();
        if (this.view.hidden) this.positions.clear();
        if (this.step !== null && this.step >= this.view.turns.length) this.step = null;
        await this.draw();
      } while (this.again);
    } catch (error) {
      if (!this.view) throw error;
      toast(error.message, "error");
    } finally {
      this.looking = false;
    }
  }

  get now() {
    return this.step ?? this.view.turns.length;
  }

  async draw() {
    const { view } = this;
    document.title = `${view.title} · Ludens`;
    this.parts.title.textContent = view.title;
    this.text(this.parts.status, this.told());
    const waiting = view.choices.filter((choice) => choice.chosen === null);
    if (!waiting.some((choice) => choice.role === this.role)) this.role = waiting[0]?.role ?? null;
    this.drawRoles();
    this.drawActions();
    this.drawSteps();
    this.drawMoves();
    this.drawHistory();
    this.drawRules();
    await this.drawPosition();
    this.drawInsight();
  }

  // Screen readers tell what has changed, so nothing is written that has not.
  text(element, text) {
    if (element.textContent !== text) element.textContent = text;
  }

  told() {
    const { view } = this;
    const names = (roles) => roles.map((role) => capital(role.name)).join(" and ");
    if (view.status === "over") return this.verdict();
    if (view.status === "broken") return `The match cannot go on: ${view.fault ?? "it was called off"}`;
    if (view.status === "paused") return view.roles.some((role) => role.kind === "record") ? "A recorded match" : "Paused";
    const waiting = view.roles.filter((role) => role.to_move && !role.has_moved);
    const own = waiting.filter((role) => view.own.includes(view.roles.indexOf(role)));
    if (own.length > 0) return own.length === 1 && view.own.length === 1 ? `Your move (${names(own)})` : `To move: ${names(own)}`;
    if (waiting.length === 0) return "…";
    return waiting.every((role) => role.thinking) ? `${names(waiting)} is thinking …` : `Waiting for ${names(waiting)}`;
  }

  verdict() {
    const { view } = this;
    const goals = view.roles.filter((role) => role.kind !== "chance");
    const score = goals.map((role) => `${capital(role.name)} ${role.goal}`).join(", ");
    const best = Math.max(...goals.map((role) => role.goal));
    const winners = goals.filter((role) => role.goal === best);
    const mine = winners.length === 1 && view.own.includes(view.roles.indexOf(winners[0]));
    if (goals.length === 1) return `Over: ${best >= 100 ? "everything was reached" : `${best} of 100 reached`}.`;
    if (winners.length === goals.length) return `A draw. ${score}`;
    if (winners.length === 1) return `${mine && view.own.length === 1 ? "You have won!" : `${capital(winners[0].name)} has won.`} ${score}`;
    return `${winners.map((role) => capital(role.name)).join(" and ")} share the win. ${score}`;
  }

  drawRoles() {
    const { view } = this;
    const state = (role) => {
      if (role.goal !== null && role.kind !== "chance") return [String(role.goal), "goal"];
      if (view.status !== "running") return ["", ""];
      if (role.has_moved) return ["has chosen", "done"];
      if (role.to_move) return [role.thinking ? "thinking" : "to move", role.thinking ? "busy" : "turn"];
      return ["", ""];
    };
    replace(this.parts.roles, view.roles.map((role, number) => {
      const [text, kind] = state(role);
      return h("li", {},
        h("span", { class: `dot ${colour(role.name, number)}` }),
        h("span", { class: "who" }, h("strong", {}, capital(role.name)),
          h("span", { class: "small" }, view.own.includes(number) ? `${role.player} (you)` : role.player)),
        kind === "turn" && role.kind === "person" && this.deadline && h("span", { class: "badge clock", role: "timer", "aria-label": "Seconds left" }),
        text && h("span", { class: `badge ${kind}` }, text),
        view.owner && role.kind !== "chance" && view.status !== "over"
          && h("button", { type: "button", class: "quiet", onclick: () => this.run(() => askSeat(this, number)), "aria-label": `Change who plays ${role.name}` }, "⇄"));
    }));
    this.tick();
  }

  // The clock of whoever has to choose.
  tick() {
    if (!this.deadline) return;
    const left = Math.max(0, Math.ceil((this.deadline - performance.now()) / 1000));
    const text = left < 60 ? `${left} s` : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    for (const clock of this.parts.roles.querySelectorAll(".clock")) {
      clock.classList.toggle("short", left <= 5);
      this.text(clock, text);
    }
  }

  drawActions() {
    const { view } = this;
    const button = (title, action, properties = {}) => h("button", { type: "button", onclick: () => this.run(action), ...properties }, title);
    const takesPart = view.owner || view.own.length > 0;
    const live = view.status === "running" || view.status === "paused";
    const record = view.roles.some((role) => role.kind === "record");
    replace(this.parts.actions,
      view.status === "over" && takesPart && !record && (view.rematch
        ? h("a", { class: "button primary", href: `/match/${view.rematch}` }, "To the rematch")
        : button("Rematch", async () => go(`/match/${(await api.rematch(this.id)).id}`), { class: "primary" })),
      view.status === "over" && !takesPart && view.rematch && h("a", { class: "button", href: `/match/${view.rematch}` }, "To the rematch"),
      this.hintRole() !== null && button("Hint", () => this.askHint(), { disabled: this.asking }),
      view.can_undo && button("Undo", () => api.undo(this.id)),
      live && takesPart && !record && (view.status === "paused"
        ? button("Go on", () => api.pause(this.id, false), { class: "primary" })
        : button("Pause", () => api.pause(this.id, true))),
      button("Share", () => share(this)),
      button("Save", () => this.save()));
  }

  async run(action) {
    try {
      await action();
    } catch (error) {
      toast(error.message, "error");
      if (error.status === 409) this.refresh();
    }
  }

  drawSteps() {
    const last = this.view.turns.length;
    const to = (step) => () => this.goto(step);
    const button = (label, title, step, disabled) => h("button", { type: "button", class: "quiet", "aria-label": title, title, disabled, onclick: to(step) }, label);
    const slider = h("input", {
      type: "range", min: 0, max: last, value: this.now, "aria-label": "Step", disabled: last === 0,
      oninput: (event) => this.goto(Number(event.currentTarget.value), true),
    });
    // A slider that is being moved is left where it is.
    if (this.parts.steps.contains(document.activeElement) && this.sliding) {
      this.slider.max = last;
      this.text(this.counter, `${this.now} / ${last}`);
      return;
    }
    this.slider = slider;
    this.counter = h("span", { class: "counter" }, `${this.now} / ${last}`);
    replace(this.parts.steps,
      button("«", "To the beginning", 0, this.now === 0),
      button("◀", "One step back", this.now - 1, this.now === 0),
      slider,
      button("▶", "One step on", this.now + 1, this.now === last),
      button("»", "To the end", last, this.now === last),
      this.counter);
  }

  async goto(step, sliding = false) {
    const last = this.view.turns.length;
    const wanted = Math.min(Math.max(step, 0), last);
    const focused = document.activeElement?.getAttribute("aria-label");
    this.step = wanted === last ? null : wanted;
    this.sliding = sliding;
    await this.run(() => this.draw());
    this.sliding = false;
    if (!sliding && focused) {
      this.parts.steps.querySelector(`[aria-label="${CSS.escape(focused)}"]`)?.focus();
    }
  }

  pressed(event) {
    const typing = event.target.closest?.("input, select, textarea, dialog");
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !this.view) return;
    if (event.key === "ArrowLeft") this.goto(this.now - 1);
    else if (event.key === "ArrowRight") this.goto(this.now + 1);
    else return;
    event.preventDefault();
  }

  choice() {
    return this.step === null ? this.view.choices.find((choice) => choice.role === this.role) : undefined;
  }

  drawMoves() {
    const { view } = this;
    const choice = this.choice();
    const waiting = view.choices.filter((choice) => choice.chosen === null);
    if (!choice || view.status !== "running") {
      const mine = view.choices.find((choice) => choice.chosen !== null);
      const chosen = mine && (view.own.length === 1 ? `You have chosen ${mine.moves.find((move) => move.text === mine.chosen)?.short ?? mine.chosen}.` : "");
      return replace(this.parts.moves, chosen && h("p", { class: "note" }, chosen, " Nobody is told before all have chosen."));
    }
    const name = (number) => capital(view.roles[number].name);
    const tabs = waiting.length > 1 && h("div", { class: "chips", role: "group", "aria-label": "Choose for" },
      waiting.map((other) => h("button", {
        type: "button", class: "chip", "aria-pressed": String(other.role === this.role),
        onclick: () => { this.role = other.role; this.draw(); },
      }, name(other.role))));
    const buttons = (moves) => moves.slice(0, 200).map((move) => h("button", { type: "button", class: "move", title: move.text, onclick: () => this.play(move) }, move.short));
    const list = h("div", { class: "list" }, buttons(choice.moves));
    const filter = choice.moves.length > 12 && h("input", {
      type: "search", placeholder: "Find a move", "aria-label": "Find a move",
      oninput: (event) => {
        const wanted = event.currentTarget.value.toLowerCase();
        const found = choice.moves.filter((move) => `${move.short} ${move.text}`.toLowerCase().includes(wanted));
        replace(list, buttons(found));
      },
    });
    const open = this.movesOpen ?? !choice.moves.every((move) => move.places.length > 0);
    replace(this.parts.moves, tabs, h("details", { open, ontoggle: (event) => { this.movesOpen = event.currentTarget.open; } },
      h("summary", {}, `${choice.moves.length} moves of ${name(choice.role)}`), filter, list));
  }

  async play(move) {
    const { role } = this;
    this.hinted = null;
    replace(this.parts.pick);
    await this.run(() => api.move(this.id, role, move.text, this.view.turns.length));
  }

  async drawPosition() {
    const { view } = this;
    const step = this.now;
    if (!this.positions.has(step)) this.positions.set(step, await api.position(this.id, step));
    if (step !== this.now) return;
    const shown = this.positions.get(step);
    const choice = this.choice();
    const state = JSON.stringify([shown.svg, choice, view.status, step]);
    if (state !== this.shown) {
      this.shown = state;
      replace(this.parts.pick);
      this.drawn = null;
      if (shown.svg) {
        const focused = this.parts.board.contains(document.activeElement);
        this.drawn = board(this.parts.board, shown.svg, {
          moves: choice && view.status === "running" ? choice.moves : [],
          play: (move) => this.play(move),
          choose: (moves) => this.choose(moves),
          label: `The board after ${step} moves`,
        });
        if (focused) this.parts.board.querySelector("[tabindex='0']")?.focus();
      } else if (shown.hidden) {
        replace(this.parts.board, this.seen(shown));
      } else {
        replace(this.parts.board);
      }
      replace(this.parts.cards, !shown.hidden && shown.seen.length > 0 && this.seen(shown), shown.cards.map((card) => h("section", { class: "fact" },
        h("h2", {}, capital(card.title)),
        h("ul", {}, card.rows.map((row) => h("li", {}, row.map((word) => h("span", {}, word))))))));
    }
  }

  seen(shown) {
    const told = (seen) => h("li", {}, h("strong", {}, capital(this.view.roles[seen.role].name)), ": ",
      shown.step === 0 ? "the beginning" : [`did ${seen.own}, sees `, seen.percepts.length > 0 ? h("code", {}, seen.percepts.join(" ")) : "nothing"]);
    return h("div", { class: "seen" },
      h("p", { class: "small" }, shown.hidden ? "Not everybody sees everything here. What you are told:" : "What you were told:"),
      shown.seen.length > 0 ? h("ul", {}, shown.seen.map(told)) : h("p", {}, this.view.own.length > 0 ? "Nothing yet." : "Nothing: you only watch."),
      shown.hidden && this.view.own.length > 0 && h("ol", { class: "told" }, this.view.turns.slice(0, shown.step).map((turn) =>
        h("li", {}, this.view.own.map((role) => turn.moves[role]).join(", ")))));
  }

  choose(moves) {
    replace(this.parts.pick, moves.length > 0 && [h("span", {}, "Which one?"),
      moves.slice(0, 40).map((move) => h("button", { type: "button", class: "move", onclick: () => this.play(move) }, move.short))]);
    this.parts.pick.querySelector("button")?.focus();
  }

  drawInsight() {
    const { view } = this;
    const point = (pointers) => this.drawn?.point(pointers);
    const told = thoughts(view, this.now, point);
    const drawn = curve(view, this.now, (step) => this.goto(step));
    replace(this.parts.insight, (drawn || told.length > 0) && [h("h2", {}, "What they think"), drawn, told]);
    const hinted = this.hinted?.step === this.now ? this.hinted : null;
    replace(this.parts.hint, hinted && thought(`Hint for ${capital(view.roles[hinted.role].name)}: ${hinted.short}`, hinted.thought, point));
    if (hinted) point(hinted.thought.moves.slice(0, 1).map((move) => ({ places: move.places, strength: 1 })));
  }

  // For whom a hint would be: a role of the visitor, or whoever has to move.
  hintRole() {
    const { view } = this;
    if (view.own.length === 0 && !view.owner) return null;
    if (this.step === null) {
      if (view.status === "over" || view.status === "broken") return null;
      if (this.role !== null) return this.role;
      if (view.hidden) return null;
      const next = view.roles.findIndex((role) => role.to_move);
      return view.status === "paused" && next >= 0 ? next : null;
    }
    if (view.hidden && view.status !== "over") return null;
    const after = view.turns[this.step];
    const mover = after?.moves.findIndex((text, role) => text !== "noop" && view.roles[role].kind !== "chance");
    return mover >= 0 ? mover : null;
  }

  async askHint() {
    const role = this.hintRole();
    const step = this.now;
    this.asking = true;
    this.drawActions();
    replace(this.parts.hint, h("p", { class: "note" }, "Thinking …"));
    try {
      this.hinted = { step, role, ...(await api.hint(this.id, role, step)) };
    } finally {
      this.asking = false;
      this.drawActions();
      this.drawInsight();
    }
  }

  drawHistory() {
    const { view } = this;
    if (view.turns.length === 0) return replace(this.parts.history);
    const told = (turn) => turn.moves
      .map((text, role) => [text, role])
      .filter(([text]) => text && (text !== "noop" || turn.moves.length === 1))
      .map(([text, role]) => [h("span", { class: `dot ${colour(view.roles[role].name, role)}` }), text]);
    const open = this.parts.history.querySelector("details")?.open ?? false;
    const entry = (turn, at) => h("li", {}, h("button", {
      type: "button", class: "quiet", "aria-current": this.now === at + 1 ? "step" : undefined, onclick: () => this.goto(at + 1),
    }, told(turn)), turn.trouble.some(Boolean) && h("span", { class: "badge turn", title: turn.trouble.filter(Boolean).join("; ") }, "!"));
    replace(this.parts.history, h("details", { open }, h("summary", {}, `${view.turns.length} moves made`), h("ol", {}, view.turns.map(entry))));
  }

  drawRules() {
    const { view } = this;
    if (this.parts.rules.childNodes.length > 0) return;
    const names = view.roles.filter((role) => role.kind !== "chance").map((role) => role.name);
    this.why = whyBox({
      ask: (sentence) => api.whyHere(this.id, this.now, sentence),
      examples: [`(legal ${names[0]} ?move)`, "terminal", `(goal ${names[0]} ?value)`],
    });
    replace(this.parts.rules, this.why.element, view.description && h("details", {}, h("summary", {}, "The rules in words"), h("p", {}, view.description)));
  }

  async save() {
    const record = await api.record(this.id);
    const file = new Blob([`${JSON.stringify(record, null, 2)}\n`], { type: "application/json" });
    const link = h("a", { href: URL.createObjectURL(file), download: `${this.view.game ?? "match"}-${this.id}.json` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
}
