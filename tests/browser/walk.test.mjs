// People walk through the page.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { GAME, LUDENS, begin, cell, findings, folder, serve, shot, stage, status, visit } from "./support.mjs";

const at = stage();

// The eight lines of tic-tac-toe, by the numbers of cells.
const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

test("tic-tac-toe is played by clicks and won", async () => {
  const { page, context, complaints } = await visit(at.browser);
  await page.goto(at.server.place);
  await page.getByRole("searchbox", { name: "Find a game" }).fill("tic");
  await page.locator("a.card", { hasText: /^Tic-tac-toe(?! )/i }).first().click();
  await page.locator(".seat select").nth(0).selectOption("person");
  await page.locator(".seat select").nth(1).selectOption("level random");
  await page.getByRole("button", { name: "Start" }).click();
  await page.waitForURL(/\/match\//);
  // Against chance one wins soon, and not always at once.
  for (let attempt = 0; attempt < 8; attempt += 1) {
    for (;;) {
      await page.waitForFunction(() => /Your move|won|draw/.test(document.querySelector(".status")?.textContent));
      if (!(await status(page).textContent()).startsWith("Your move")) break;
      const board = await page.locator(".board g.cell").evaluateAll((cells) =>
        cells.sort((one, two) => one.dataset.cell - two.dataset.cell).map((cell) => cell.querySelector("title").textContent.split(": ")[1]));
      const free = await page.locator(".board g.cell.next").evaluateAll((cells) => cells.map((cell) => Number(cell.dataset.cell)));
      const wanted = (who) => LINES.map((line) => [line.filter((at) => board[at] === who).length, line.find((at) => free.includes(at)), line.filter((at) => free.includes(at)).length])
        .find(([own, , open]) => own === 2 && open === 1)?.[1];
      const chosen = wanted("x") ?? wanted("o") ?? (free.includes(4) ? 4 : free[0]);
      const turn = await page.locator(".counter").textContent();
      await cell(page, chosen).click();
      await page.waitForFunction((turn) => document.querySelector(".counter")?.textContent !== turn, turn);
    }
    if (/You have won/.test(await status(page).textContent())) break;
    const here = page.url();
    await page.getByRole("button", { name: "Rematch" }).click();
    await page.waitForURL((url) => String(url) !== here);
  }
  assert.match(await status(page).textContent(), /You have won/);
  await shot(page, "won");
  assert.deepEqual(complaints, []);
  await context.close();
});

test("a match of agents is watched and stepped through", async () => {
  const { page, context, complaints } = await visit(at.browser);
  await begin(page, at.server.place, "connect-four", ["level medium", "level medium"]);
  await page.waitForFunction(() => Number(document.querySelector(".counter")?.textContent.split("/")[1]) >= 4);
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Go on" }).waitFor();
  const last = Number((await page.locator(".counter").textContent()).split("/")[1]);
  const pieces = () => page.locator(".board g.cell title").evaluateAll((titles) =>
    titles.filter((title) => /red|yellow|black|white/.test(title.textContent)).length);
  assert.equal(await pieces(), last);
  await page.getByRole("button", { name: "To the beginning" }).click();
  await page.waitForFunction(() => document.querySelector(".counter")?.textContent.startsWith("0 /"));
  assert.equal(await pieces(), 0);
  await page.getByRole("button", { name: "One step on" }).click();
  await page.waitForFunction(() => document.querySelector(".counter")?.textContent.startsWith("1 /"));
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => document.querySelector(".counter")?.textContent.startsWith("2 /"));
  assert.equal(await pieces(), 2);
  await page.locator(".curve").waitFor();
  assert.match(await page.locator(".thought").first().textContent(), /simulations .* machine/);
  await page.locator(".thought").first().hover();
  assert.ok(await page.locator(".board .pointer").count() > 0);
  await shot(page, "watched");
  // Who watches takes over.
  await page.getByRole("button", { name: "To the end" }).click();
  await page.getByRole("button", { name: /Change who plays/ }).nth(last % 2).click();
  await page.getByRole("button", { name: "Take over" }).click();
  await page.getByRole("button", { name: "Go on" }).click();
  await page.waitForFunction(() => document.querySelector(".status")?.textContent.startsWith("Your move"));
  await page.getByRole("button", { name: "Hint" }).click();
  await page.getByRole("heading", { name: /Hint for/ }).waitFor();
  await page.locator(".board g.cell.next").first().click();
  await page.waitForFunction((last) => Number(document.querySelector(".counter")?.textContent.split("/")[1]) > last, last);
  assert.deepEqual(complaints, []);
  await context.close();
});

test("two people choose at once in two browsers, and neither sees the other's choice", async () => {
  const one = await visit(at.browser);
  await begin(one.page, at.server.place, "rock-paper-scissors", ["person", "person"]);
  await one.page.getByRole("button", { name: "Share" }).click();
  const link = await one.page.locator(".link input").nth(2).inputValue();
  assert.match(link, /#role=1&key=/);
  await one.page.getByRole("button", { name: "Done" }).click();
  const two = await visit(at.browser);
  const heard = [];
  two.page.on("response", async (response) => {
    if (response.url().includes("/api/")) heard.push(await response.text().catch(() => ""));
  });
  await two.page.goto(link);
  await two.page.waitForFunction(() => document.querySelector(".status")?.textContent.startsWith("Your move"));
  assert.ok(!two.page.url().includes("key="), "the key does not stay in the address");
  // The first one chooses for its first role.
  await one.page.locator(".moves summary").waitFor();
  if (!(await one.page.locator("button.move").first().isVisible())) await one.page.locator(".moves summary").click();
  const chosen = await one.page.locator("button.move").nth(1).getAttribute("title");
  await one.page.locator("button.move").nth(1).click();
  await two.page.getByText("has chosen").waitFor();
  const before = heard.join("\n");
  assert.ok(before.includes('"has_moved":true') && !before.includes(`"chosen":"${chosen}"`), "no peeking");
  assert.equal(await two.page.locator(".counter").textContent(), "0 / 0");
  await shot(two.page, "at-once");
  if (!(await two.page.locator("button.move").first().isVisible())) await two.page.locator(".moves summary").click();
  await two.page.locator("button.move").first().click();
  for (const { page } of [one, two]) {
    await page.waitForFunction(() => document.querySelector(".counter") && !document.querySelector(".counter").textContent.startsWith("0 /"));
  }
  assert.deepEqual([...one.complaints, ...two.complaints], []);
  await one.context.close();
  await two.context.close();
});

test("nothing is lost when the page is loaded again and the server starts anew", async () => {
  const database = join(folder(), "web.db");
  let own = await serve(database);
  const { page, context, complaints } = await visit(at.browser);
  await begin(page, own.place, "tic-tac-toe", ["person", "level easy"]);
  await cell(page, 4).click();
  await page.waitForFunction(() => document.querySelector(".counter")?.textContent === "2 / 2");
  // The board is drawn a moment after the counter has changed.
  const isDrawn = () => [...document.querySelectorAll(".board g.cell title")].filter((title) => /: [xo]$/.test(title.textContent)).length === 2;
  await page.waitForFunction(isDrawn);
  const shown = () => page.locator(".board g.cell title").allTextContents();
  const before = await shown();
  await page.reload();
  await page.waitForFunction(() => document.querySelector(".counter")?.textContent === "2 / 2");
  await page.waitForFunction(isDrawn);
  assert.deepEqual(await shown(), before);
  await own.stop();
  own = await serve(database, own.port);
  await page.locator(".board g.cell.next").first().click().catch(() => {});
  await page.waitForFunction(() => document.querySelector(".counter")?.textContent === "4 / 4");
  await page.goto(`${own.place}/matches`);
  await page.getByRole("link", { name: /Tic-tac-toe/i }).first().click();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.waitForFunction(() => document.querySelector(".counter")?.textContent === "2 / 2");
  await page.waitForFunction(isDrawn);
  assert.deepEqual(await shown(), before);
  assert.deepEqual(complaints, []);
  await context.close();
  await own.stop();
});

test("rules are pasted, mended and played", async () => {
  const { page, context, complaints } = await visit(at.browser);
  await page.goto(`${at.server.place}/write`);
  const sheet = page.locator("#sheet");
  await sheet.fill(GAME.replace("(<= terminal (true (pile 0)))", "(<= terminal (true (pile 0))"));
  await page.locator(".findings li.error").first().waitFor();
  await shot(page, "broken-rules");
  assert.ok(await page.getByRole("button", { name: "Play it now" }).isDisabled());
  await page.locator(".findings li.error button").first().click();
  assert.equal(await page.evaluate(() => document.activeElement.id), "sheet");
  await sheet.fill(GAME);
  await page.waitForFunction(() => document.querySelector(".actions button.primary")?.disabled === false);
  assert.equal(await page.locator(".findings li.error").count(), 0);
  await page.getByRole("button", { name: "Format" }).click();
  await page.getByText("Formatted").waitFor();
  await page.waitForFunction(() => document.querySelector(".actions button.primary")?.disabled === false);
  await page.getByRole("button", { name: "Play it now" }).click();
  await page.locator(".seat select").nth(0).selectOption("person");
  await page.locator(".seat select").nth(1).selectOption("level random");
  await page.getByRole("button", { name: "Start" }).click();
  await page.waitForURL(/\/match\//);
  for (const turn of [0, 2]) {
    await page.waitForFunction((turn) => document.querySelector(".counter")?.textContent === `${turn} / ${turn}`, turn);
    await page.getByRole("button", { name: "slowly" }).click();
  }
  await page.waitForFunction(() => /has won|have won/.test(document.querySelector(".status")?.textContent));
  assert.deepEqual(complaints, []);
  await context.close();
});

test("the record of a referee is replayed", async () => {
  const records = folder();
  execFileSync(LUDENS, ["referee", "tic-tac-toe", "--players", "random", "--players", "random",
    "--start-clock", "1", "--play-clock", "1", "--records", records], { stdio: "ignore" });
  const file = join(records, readdirSync(records).find((name) => name.endsWith(".json")));
  const { page, context, complaints } = await visit(at.browser);
  await page.goto(`${at.server.place}/matches`);
  await page.locator("#record").setInputFiles(file);
  await page.getByRole("button", { name: "Show it" }).click();
  await page.waitForURL(/\/match\//);
  await page.waitForFunction(() => /won|draw/.test(document.querySelector(".status")?.textContent));
  await page.getByRole("button", { name: "To the beginning" }).click();
  await page.waitForFunction(() => document.querySelector(".counter")?.textContent.startsWith("0 /"));
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save" }).click()]);
  const told = execFileSync(LUDENS, ["replay", await download.path()], { encoding: "utf8" });
  assert.match(told, /The match is over/);
  assert.deepEqual(complaints, []);
  await context.close();
});

test("all of it works by the keyboard alone", async () => {
  const { page, context, complaints } = await visit(at.browser);
  await begin(page, at.server.place, "tic-tac-toe", ["person", "person"]);
  for (let move = 0; move < 5; move += 1) {
    await page.waitForFunction((move) => document.querySelector(".counter")?.textContent === `${move} / ${move}`, move);
    await page.locator(".board g.cell[tabindex='0']").focus();
    if (move === 1) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
  }
  await page.waitForFunction(() => document.querySelector(".counter")?.textContent === "5 / 5");
  assert.deepEqual(complaints, []);
  await context.close();
});

for (const [name, colorScheme, width] of [["light", "light", 1200], ["dark", "dark", 1200], ["light-small", "light", 360], ["dark-small", "dark", 360]]) {
  test(`the pages are fit for everybody (${name})`, async () => {
    const { page, context, complaints } = await visit(at.browser, { colorScheme, viewport: { width, height: 800 } });
    const judge = async (title) => {
      await shot(page, `${title}-${name}`);
      assert.deepEqual(await findings(page), [], title);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 0, `${title} is ${wide} pixels too wide`);
    };
    await page.goto(at.server.place);
    await page.locator("a.card").first().waitFor();
    await page.waitForFunction(() => [...document.images].slice(0, 6).every((image) => image.complete));
    await judge("games");
    await page.goto(`${at.server.place}/write`);
    await page.locator(".findings").waitFor();
    await page.waitForFunction(() => document.querySelector(".actions button.primary")?.disabled === false);
    await judge("write");
    await page.goto(`${at.server.place}/new/chess`);
    await page.locator(".board svg").waitFor();
    await judge("new");
    await begin(page, at.server.place, "connect-four", ["person", "level medium"]);
    await page.locator(".board g.cell.next").first().click();
    await page.waitForFunction(() => document.querySelector(".counter")?.textContent === "2 / 2");
    await judge("match");
    await page.goto(`${at.server.place}/matches`);
    await page.locator(".matches li").first().waitFor();
    await judge("matches");
    assert.deepEqual(complaints, []);
    await context.close();
  });
}
