// Tournaments on the page, and matches that others have played.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";

import { LUDENS, findings, folder, serve, shot, stage, status, visit } from "./support.mjs";

const at = stage();

// Fills in the form: the games by their titles, the players as [agent, amount].
async function start(page, games, players, matches) {
  await page.goto(`${at.server.place}/arena`);
  const form = page.getByRole("form", { name: "A new tournament" });
  await form.getByLabel("Tic-Tac-Toe", { exact: true }).uncheck();
  for (const game of games) await form.getByLabel(game, { exact: true }).check();
  for (const [number, [agent, amount]] of players.entries()) {
    if (number > 1) await form.getByRole("button", { name: "One more player" }).click();
    await form.getByLabel(`Player ${number + 1}`, { exact: true }).selectOption(agent);
    await form.getByLabel(`How much player ${number + 1} thinks`).fill(String(amount));
  }
  await form.getByLabel("Matches of every two players in every game").fill(String(matches));
  await form.getByRole("button", { name: "Start the tournament" }).click();
  await page.waitForURL(/\/tournament\//);
}

const done = (page) => page.waitForFunction(() => document.querySelector(".status")?.textContent.startsWith("All matches were played"));

test("a tournament is started, its standings come in, and a match of it is replayed", async () => {
  const { page, context, complaints } = await visit(at.browser);
  await start(page, ["Tic-Tac-Toe", "Nim"], [["mc", 80], ["random", 10], ["cadia-uct", 80]], 6);
  // Nobody looks again by hand: the server tells.
  await page.waitForFunction(() => Number(document.querySelector(".status")?.textContent.match(/(\d+) of/)?.[1]) > 0);
  await done(page);
  assert.match(await status(page).textContent(), /36 of 36 matches/);
  // Two games and both together.
  assert.deepEqual(await page.locator(".chips .chip").allTextContents(), ["Tic-Tac-Toe", "Nim", "All games"]);
  const rows = () => page.locator(".standings tbody tr").allTextContents();
  assert.equal((await rows()).length, 3);
  assert.match((await rows())[0], /\d+\.\d ± \d+\.\d/);
  assert.match((await rows()).at(-1), /random/);
  assert.equal(await page.locator(".plot .interval").count(), 3);
  assert.equal(await page.locator(".plot .course").count(), 3);
  assert.equal(await page.locator(".by-game tbody tr").count(), 3);
  await page.getByRole("button", { name: "Nim", exact: true }).click();
  await page.getByText("Nim: 18 matches").waitFor();
  await shot(page, "tournament");
  // Loading it again shows the same.
  const before = await page.locator(".plots").innerHTML();
  await page.reload();
  await page.locator(".plot").first().waitFor();
  await page.getByRole("button", { name: "Nim", exact: true }).click();
  assert.equal(await page.locator(".plots").innerHTML(), before);
  await page.locator(".ended .matches a").first().click();
  await page.waitForURL(/\/match\//);
  await page.waitForFunction(() => /has won|A draw/.test(document.querySelector(".status")?.textContent));
  await page.getByRole("button", { name: "To the beginning" }).click();
  await page.waitForFunction(() => document.querySelector(".counter")?.textContent.startsWith("0 /"));
  assert.deepEqual(complaints, []);
  await context.close();
});

test("a tournament rests, and only who made it has it go on", async () => {
  const { page, context, complaints } = await visit(at.browser);
  await start(page, ["Connect Four"], [["mc", 4000], ["mc", 3000]], 200);
  await page.waitForFunction(() => Number(document.querySelector(".status")?.textContent.match(/(\d+) of/)?.[1]) > 0);
  const other = await visit(at.browser);
  await other.page.goto(page.url());
  await other.page.locator(".standings tbody tr").first().waitFor();
  assert.equal(await other.page.getByRole("button", { name: "Pause" }).count(), 0);
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Go on" }).waitFor();
  assert.match(await status(page).textContent(), /^Rests: \d+ of 200/);
  await other.page.waitForFunction(() => document.querySelector(".status")?.textContent.startsWith("Rests"));
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.waitForURL(/\/arena$/);
  assert.deepEqual([...complaints, ...other.complaints], []);
  await context.close();
  await other.context.close();
});

test("matches that a referee has kept in a database are listed and replayed", async () => {
  const database = join(folder(), "referee.db");
  execFileSync(LUDENS, ["referee", "tic-tac-toe", "--players", "random", "--players", "random",
    "--start-clock", "1", "--play-clock", "1", "--matches", "2", "--db", database], { stdio: "ignore" });
  const own = await serve(database);
  const { page, context, complaints } = await visit(at.browser);
  await page.goto(`${own.place}/matches`);
  await page.getByText("Of tournaments and referees (2)").waitFor();
  await page.locator(".ended .matches a").first().click();
  await page.waitForURL(/\/match\//);
  await page.waitForFunction(() => /has won|A draw/.test(document.querySelector(".status")?.textContent));
  assert.deepEqual(complaints, []);
  await context.close();
  await own.stop();
});

for (const [name, colorScheme, width] of [["light", "light", 1200], ["dark", "dark", 1200], ["light-small", "light", 360], ["dark-small", "dark", 360]]) {
  test(`the pages of tournaments are fit for everybody (${name})`, async () => {
    const { page, context, complaints } = await visit(at.browser, { colorScheme, viewport: { width, height: 800 } });
    const judge = async (title) => {
      await shot(page, `${title}-${name}`);
      assert.deepEqual(await findings(page), [], title);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 0, `${title} is ${wide} pixels too wide`);
    };
    await start(page, ["Tic-Tac-Toe", "Nim"], [["mc", 20], ["random", 10], ["random", 20]], 2);
    await done(page);
    await judge("tournament");
    await page.goto(`${at.server.place}/arena`);
    await page.locator(".ended .matches a").first().waitFor();
    await judge("arena");
    assert.deepEqual(complaints, []);
    await context.close();
  });
}
