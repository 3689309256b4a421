// Pictures of the page for the documentation: tests/browser/run screenshots

import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { LUDENS, begin, browse, folder, serve, visit } from "./support.mjs";

const DOCS = join(import.meta.dirname, "..", "..", "docs");
// Games, how many play, and the step that is shown.
const GAMES = [["connect-four", 2, 15], ["checkers", 2, 17], ["chess", 2, 12], ["hex", 2, 24], ["othello", 2, 17],
  ["chinese-checkers", 3, 40], ["tron", 2, 14], ["eight-puzzle", 1, 9], ["sudoku", 1, 12], ["amazons", 2, 12],
  ["pentago", 2, 17], ["nine-mens-morris", 2, 15]];

const server = await serve(join(folder(), "web.db"));
const browser = await browse();

async function step(page, wanted) {
  await page.locator(".steps input").evaluate((slider, wanted) => {
    slider.value = wanted;
    slider.dispatchEvent(new Event("input"));
  }, wanted);
  await page.waitForFunction((wanted) => document.querySelector(".counter")?.textContent.startsWith(`${wanted} /`), wanted);
  // The board is drawn when its position has come.
  await page.waitForLoadState("networkidle").catch(() => {});
}

async function replay(page, game, players, wanted) {
  const agents = Array.from({ length: players }, () => "mc").join(",");
  const record = execFileSync(LUDENS, ["match", game, "--players", agents, "--simulations", "30", "--seed", "4", "--json"], { encoding: "utf8", maxBuffer: 1 << 28 });
  const { id, steps } = await page.evaluate(async (text) => {
    const answer = await fetch("/api/records", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ text }) });
    const { matches } = await answer.json();
    const view = await (await fetch(`/api/matches/${matches[0].id}`)).json();
    return { id: matches[0].id, steps: view.turns.length };
  }, record);
  await page.goto(`${server.place}/match/${id}`);
  await page.locator(".counter").waitFor();
  await step(page, Math.min(wanted, steps));
}

try {
  mkdirSync(join(DOCS, "results", "pages"), { recursive: true });
  const { page } = await visit(browser, { viewport: { width: 760, height: 1200 } });
  await page.goto(server.place);
  for (const [game, players, wanted] of GAMES) {
    await replay(page, game, players, wanted);
    await page.locator(".stage").screenshot({ path: join(DOCS, "results", "pages", `${game}.png`) });
    console.log(game);
  }
  const wide = await visit(browser, { viewport: { width: 1200, height: 860 } });
  await begin(wide.page, server.place, "connect-four", ["person", "level strong"]);
  for (const [turn, column] of [3, 2, 3, 4].entries()) {
    await wide.page.waitForFunction((turn) => document.querySelector(".counter")?.textContent === `${turn} / ${turn}`, 2 * turn);
    await wide.page.locator(".board g.cell.next").nth(column).click();
  }
  await wide.page.waitForFunction(() => document.querySelector(".counter")?.textContent === "8 / 8");
  await wide.page.getByRole("button", { name: "Hint" }).click();
  await wide.page.getByRole("heading", { name: /Hint for/ }).waitFor();
  await wide.page.screenshot({ path: join(DOCS, "page.png") });
} finally {
  await browser.close();
  await server.stop();
}
