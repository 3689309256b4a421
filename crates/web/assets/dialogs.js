// Dialogs of a match: who shall play, and links to share.

import * as api from "./api.js";
import { capital, h, toast } from "./dom.js";
import { seatFields } from "./seats.js";

export async function askSeat(table, role) {
  const about = await api.about();
  const fields = seatFields(about, table.view.roles[role].name, "person", role);
  const dialog = h("dialog", { "aria-label": "Who shall play?" },
    h("form", { method: "dialog", onsubmit: () => table.run(() => api.takeOver(table.id, role, fields.said()).then(() => table.refresh())) },
      h("h2", {}, "Who shall play?"), fields.element,
      h("p", { class: "actions" }, h("button", { type: "submit", class: "primary" }, "Take over"),
        h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"))),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

// Links to watch, and to play the roles that are one's own to give away.
export function share(table) {
  const place = `${location.origin}/match/${table.id}`;
  const { roles } = api.keysOf(table.id);
  const links = [["Watch", place], ...Object.entries(roles).map(([role, key]) =>
    [`Play ${table.view.roles[role]?.name ?? role}`, `${place}#role=${role}&key=${key}`])];
  const row = ([title, link], number) => h("div", { class: "link" },
    h("label", { for: `link-${number}` }, capital(title)),
    h("input", { id: `link-${number}`, type: "text", readonly: true, value: link, onfocus: (event) => event.currentTarget.select() }),
    h("button", { type: "button", onclick: () => table.run(async () => { await navigator.clipboard.writeText(link); toast("Copied"); }) }, "Copy"));
  const dialog = h("dialog", { "aria-label": "Share" },
    h("h2", {}, "Share"),
    h("p", { class: "small" }, "Who opens a link to a role plays it. Give each to one person, and keep yours."),
    links.map(row),
    h("form", { method: "dialog", class: "actions" }, h("button", { class: "primary" }, "Done")));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
