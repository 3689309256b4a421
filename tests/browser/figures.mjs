// How fast and how heavy the page is, as tables for docs/results/web.md: tests/browser/run figures

import http from "node:http";
import { join } from "node:path";

import { begin, browse, folder, serve, visit } from "./support.mjs";

const LOADS = 9;
const WATCHERS = 50;
const PAGES = [["games", "/", ".games .card"], ["a new match", "/new/connect-four", ".board svg"],
  ["matches", "/matches", ".matches li"], ["write", "/write", ".findings"], ["arena", "/arena", ".contestants li"]];

const sorted = (values) => [...values].sort((one, two) => one - two);
const median = (values) => sorted(values)[Math.floor(values.length / 2)];
const most = (values) => Math.max(...values);
const row = (...cells) => console.log(`| ${cells.join(" | ")} |`);

const server = await serve(join(folder(), "web.db"));
const browser = await browse();

// A first visit each time: nothing is in a cache.
async function load(path, ready) {
  const { page, context } = await visit(browser);
  const sizes = { own: 0, all: 0 };
  const reading = [];
  page.on("response", (response) => {
    // Events go on as long as the page is open: their stream has no end to wait for.
    if (response.headers()["content-type"]?.startsWith("text/event-stream")) return;
    reading.push(response.request().sizes().then(({ responseBodySize }) => {
      sizes.all += responseBodySize;
      if (!new URL(response.url()).pathname.endsWith(".svg")) sizes.own += responseBodySize;
    }).catch(() => {}));
  });
  await page.goto(`${server.place}${path}`);
  await page.locator(ready).first().waitFor();
  await page.waitForLoadState("networkidle", { timeout: 2000 }).catch(() => {});
  await Promise.all(reading);
  const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);
  await context.close();
  return { paint, ...sizes };
}

async function match(page) {
  await begin(page, server.place, "connect-four", ["person", "person"]);
  return page.url().split("/").at(-1);
}

// Who watches as the page does: an event, then the match and the position are asked for.
function watch(id, seen) {
  const get = (path) => new Promise((resolve, reject) => http.get(`${server.place}${path}`, (response) => {
    const parts = [];
    response.on("data", (part) => parts.push(part));
    response.on("end", () => resolve(Buffer.concat(parts).toString()));
  }).on("error", reject));
  const request = http.get(`${server.place}/api/matches/${id}/events`, (response) => {
    response.on("data", async (data) => {
      if (!String(data).includes("event: change")) return;
      const view = JSON.parse(await get(`/api/matches/${id}`));
      await get(`/api/matches/${id}/positions/${view.turns.length}`);
      seen(view.turns.length, performance.now());
    });
  });
  request.on("error", () => {});
  return () => request.destroy();
}

// Milliseconds from the server's answer to a move until the board shows it, move by move.
async function moves(page, count, each = async () => {}) {
  const delays = [];
  for (let turn = 0; turn < count; turn += 1) {
    await page.waitForFunction((turn) => document.querySelector(".counter")?.textContent === `${turn} / ${turn}`, turn);
    await page.waitForTimeout(150);
    await page.evaluate(() => {
      window.shown = new Promise((resolve) => {
        const pieces = () => [...document.querySelectorAll(".board g.cell title")].filter((title) => /red|yellow/.test(title.textContent)).length;
        const before = pieces();
        let answered = null;
        const ask = window.fetch;
        window.fetch = async (...given) => {
          const response = await ask(...given);
          if (String(given[0]).endsWith("/moves")) answered = performance.now();
          return response;
        };
        const look = () => {
          if (pieces() > before && answered !== null) {
            window.fetch = ask;
            resolve(Math.max(0, performance.now() - answered));
          } else requestAnimationFrame(look);
        };
        look();
      });
    });
    const columns = page.locator(".board g.cell.next");
    await columns.nth((turn * 3) % (await columns.count())).click();
    delays.push(await page.evaluate(() => window.shown));
    await each(turn + 1);
  }
  return delays;
}

try {
  // Pictures are drawn once, then remembered.
  await load("/", ".games .card");
  const { page, context } = await visit(browser);
  const own = await match(page);
  row("page", "first paint, median (ms)", "slowest (ms)", "page itself (kB)", "with pictures (kB)");
  row("---", "---", "---", "---", "---");
  for (const [name, path, ready] of [...PAGES, ["a match", `/match/${own}`, ".board svg"]]) {
    const loads = [];
    for (let number = 0; number < LOADS; number += 1) loads.push(await load(path, ready));
    const kilobytes = (bytes) => (bytes / 1000).toFixed(0);
    const paints = loads.map(({ paint }) => paint);
    row(name, median(paints).toFixed(0), most(paints).toFixed(0), kilobytes(loads[0].own), kilobytes(loads[0].all));
  }
  console.log();
  row("a move is shown after the answer", "median (ms)", "slowest (ms)");
  row("---", "---", "---");
  const alone = await moves(page, 12);
  row("nobody else watches", median(alone).toFixed(0), most(alone).toFixed(0));
  const id = await match(page);
  const seen = Array.from({ length: WATCHERS }, () => new Map());
  const leave = seen.map((known) => watch(id, (turn, at) => known.set(turn, at)));
  await page.waitForTimeout(1000);
  const spread = [];
  const crowded = await moves(page, 12, async (turn) => {
    const begin = performance.now();
    while (!seen.every((known) => known.has(turn))) {
      if (performance.now() - begin > 10000) throw new Error("a watcher was not told");
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const times = seen.map((known) => known.get(turn));
    spread.push(most(times) - Math.min(...times));
  });
  row(`${WATCHERS} others watch`, median(crowded).toFixed(0), most(crowded).toFixed(0));
  row(`from the first of ${WATCHERS} watchers to the last`, median(spread).toFixed(0), most(spread).toFixed(0));
  leave.forEach((go) => go());
  await context.close();
} finally {
  await browser.close();
  await server.stop();
}
