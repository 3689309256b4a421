// Which page is shown. Links within the site change the page without loading it anew.

import { h, replace } from "./dom.js";

const PAGES = [
  [/^\/$/, () => import("./games.js")],
  [/^\/new(?:\/([^/]+))?$/, () => import("./new.js")],
  [/^\/matches$/, () => import("./matches.js")],
  [/^\/match\/([^/]+)$/, () => import("./match.js")],
  [/^\/write$/, () => import("./write.js")],
  [/^\/arena$/, () => import("./arena.js")],
  [/^\/video(?:\/([^/]+))?$/, () => import("./video.js")],
  [/^\/tournament\/([^/]+)$/, () => import("./tournament.js")],
];

const main = document.getElementById("main");
let leave = null;
let visit = 0;

export function go(path) {
  history.pushState({}, "", path);
  show(true);
}

async function show(focus) {
  const own = ++visit;
  leave?.();
  leave = null;
  const path = location.pathname;
  const [page, found] = PAGES.map(([form, page]) => [page, path.match(form)]).find(([, found]) => found) ?? [];
  for (const link of document.querySelectorAll("nav a")) {
    const here = path === "/" || path.startsWith("/new") ? "games" : path.split("/")[1].replace(/^match$/, "matches").replace(/^tournament$/, "arena");
    if (link.dataset.page === here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (!page) return missing();
  try {
    const { open } = await page();
    const part = found[1] && decodeURIComponent(found[1]);
    const content = h("div", { class: "page" });
    const left = await open(content, part);
    // Somebody may have gone on meanwhile.
    if (own !== visit) return left?.();
    leave = left ?? null;
    replace(main, content);
    window.scrollTo(0, 0);
    if (focus) main.focus({ preventScroll: true });
  } catch (error) {
    if (own !== visit) return;
    document.title = "Ludens";
    replace(main, h("div", { class: "page empty" }, h("h1", {}, "This did not work"), h("p", {}, error.message),
      h("p", {}, h("a", { href: "/" }, "All games"))));
  }
}

function missing() {
  replace(main, h("div", { class: "page empty" }, h("h1", {}, "There is no such page"),
    h("p", {}, h("a", { href: "/" }, "All games"))));
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!link || !plain || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (link.getAttribute("href").startsWith("#") || link.pathname.startsWith("/api/")) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
});
window.addEventListener("popstate", () => show(false));

const THEME = "ludens.theme";
const dark = () => matchMedia("(prefers-color-scheme: dark)").matches;
function paint(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}
paint(localStorage.getItem(THEME));
document.getElementById("theme").addEventListener("click", () => {
  const now = document.documentElement.dataset.theme ?? (dark() ? "dark" : "light");
  const next = now === "dark" ? "light" : "dark";
  localStorage.setItem(THEME, next);
  paint(next);
});

show(false);
