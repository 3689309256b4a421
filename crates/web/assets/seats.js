// Who plays a role: the fields of a form, and what they say.

import { capital, colour, h, replace } from "./dom.js";

// The fields for one role. Returns the element, and what it says now.
export function seatFields(about, role, kind, number) {
  const id = `seat-${number}`;
  const options = [
    ["person", "You or a friend"],
    ...about.levels.map((level) => [`level ${level.name}`, `Ludens: ${level.title.toLowerCase()} (${level.help})`]),
    ["agent", "An agent by name …"],
    ...(about.remote_players ? [["remote", "A player on the network …"]] : []),
  ];
  const select = h("select", { id, onchange: () => more() },
    options.map(([value, title]) => h("option", { value, selected: value === kind }, title)));
  const agent = h("select", { "aria-label": `Agent of ${role}` },
    about.agents.map(({ name, help }) => h("option", { value: name, title: help }, name)));
  const seconds = h("input", {
    type: "number", min: 0.05, max: about.longest_thought, step: "any", value: 1, "aria-label": `Seconds a move of ${role}`,
  });
  const address = h("input", { type: "text", placeholder: "localhost:9147", "aria-label": `Address of the player of ${role}` });
  const extra = h("div", { class: "extra" });
  function more() {
    replace(extra,
      select.value === "agent" && [agent, h("span", { class: "unit" }, seconds, " s a move")],
      select.value === "remote" && address);
  }
  more();
  const element = h("div", { class: "seat" }, h("label", { for: id }, h("span", { class: `dot ${colour(role, number)}` }), capital(role)),
    select, extra);
  const said = () => {
    if (select.value === "person") return { kind: "person" };
    if (select.value === "agent") return { kind: "agent", agent: agent.value, seconds: Number(seconds.value) };
    if (select.value === "remote") return { kind: "remote", address: address.value };
    return { kind: "agent", level: select.value.split(" ")[1] };
  };
  return { element, said, set: (value) => { select.value = value; more(); } };
}
