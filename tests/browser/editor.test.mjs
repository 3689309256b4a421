// The editor, reasons, clocks, and players on the network.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";

import { GAME, LUDENS, begin, cell, findings, shot, stage, visit } from "./support.mjs";

const at = stage();

const write = async (page, text) => {
  await page.goto(`${at.server.place}/write`);
  await page.locator("#sheet").fill(text);
};

// Puts the cursor into a word of the sheet: its last place, some letters in.
const into = (page, word) => page.locator("#sheet").evaluate((text, word) => {
  const at = text.value.lastIndexOf(word) + 1;
  text.focus();
  text.setSelectionRange(at, at);
}, word);
const line = (page) => page.locator("#sheet").evaluate((text) => text.value.slice(0, text.selectionStart).split("\n").length);

test("words are explained, and F12 goes to where they are defined", async () => {
  const { page, context, complaints } = await visit(at.browser);
  await write(page, GAME);
  await into(page, "smaller");
  await page.keyboard.press("Shift");
  const here = page.getByRole("status", { name: "The word at the cursor" });
  await here.getByText(/smaller of 2 arguments/).waitFor();
  assert.equal(await line(page), 8);
  await page.keyboard.press("F12");
  await page.waitForFunction(() => document.querySelector("#sheet").selectionStart < 100);
  assert.equal(await line(page), 3);
  await page.keyboard.press("Shift");
  await here.getByRole("button", { name: /Next of 4 uses/ }).click();
  // The pointer rests on `control` in the second line.
  const box = await page.locator("#sheet").boundingBox();
  const { left, top, width } = await page.locator("#sheet").evaluate((text) => {
    const style = getComputedStyle(text);
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = style.font;
    return { left: parseFloat(style.paddingLeft), top: parseFloat(style.paddingTop) + 1.5 * parseFloat(style.lineHeight), width: pen.measureText("0").width };
  });
  await page.locator("#sheet").evaluate((text) => { text.scrollTop = 0; });
  await page.mouse.move(box.x + left + 26 * width, box.y + top);
  await page.locator(".tip:visible").getByText(/control/).waitFor();
  await shot(page, "hover");
  assert.deepEqual(complaints, []);
  await context.close();
});

test("what is plain is mended by a click", async () => {
  const { page, context, complaints } = await visit(at.browser);
  await write(page, GAME.replace("(true (pile ?more)) (smaller", "(and (true (pile ?more)) (smaller").replace("?less))\n(<= (next (control r", "?less)))\n(<= (next (control r"));
  const mend = page.getByRole("button", { name: /^Mend:/ });
  await mend.first().click();
  await page.waitForFunction((text) => document.querySelector("#sheet").value === text, GAME);
  await page.waitForFunction(() => document.querySelector(".actions button.primary")?.disabled === false);
  assert.equal(await mend.count(), 0);
  assert.deepEqual(complaints, []);
  await context.close();
});

test("why something is so is told in the editor and in a match", async () => {
  const { page, context, complaints } = await visit(at.browser);
  await write(page, GAME);
  await page.getByText("Why is this so?").click();
  await page.getByRole("textbox", { name: "A sentence" }).fill("(legal right (take 1))");
  await page.getByRole("button", { name: "Why?" }).click();
  const reasons = page.getByLabel("Reasons");
  await reasons.getByText(/does not hold/).waitFor();
  await reasons.getByRole("button", { name: "line 4" }).first().click();
  assert.equal(await line(page), 4);
  await shot(page, "why");
  assert.deepEqual(await findings(page), []);
  await begin(page, at.server.place, "tic-tac-toe", ["person", "person"]);
  await cell(page, 4).click();
  await page.waitForFunction(() => document.querySelector(".counter")?.textContent === "1 / 1");
  await page.getByText("Why is this so?").click();
  const ask = async (sentence, answer) => {
    await page.getByRole("textbox", { name: "A sentence" }).fill(sentence);
    await page.getByRole("button", { name: "Why?" }).click();
    await page.getByLabel("Reasons").getByText(answer).first().waitFor();
  };
  await ask("(true (cell 2 2 x))", /\(true \(cell 2 2 x\)\) holds/);
  await ask("terminal", /terminal does not hold/);
  // A step before it was not so.
  await page.getByRole("button", { name: "One step back" }).click();
  await page.waitForFunction(() => document.querySelector(".counter")?.textContent.startsWith("0 /"));
  await ask("(true (cell 2 2 x))", /\(true \(cell 2 2 x\)\) does not hold/);
  assert.deepEqual(await findings(page), []);
  assert.deepEqual(complaints, []);
  await context.close();
});

test("people have a clock", async () => {
  const { page, context, complaints } = await visit(at.browser);
  await page.goto(`${at.server.place}/new/tic-tac-toe`);
  for (const number of [0, 1]) await page.locator(".seat select").nth(number).selectOption("person");
  await page.getByLabel("Seconds that people have for a move").fill("2");
  await page.getByRole("button", { name: "Start" }).click();
  await page.waitForURL(/\/match\//);
  await page.getByRole("timer").waitFor();
  assert.match(await page.getByRole("timer").textContent(), /^[0-2] s$/);
  // Nobody moves: a move is drawn, and the history tells why.
  await page.waitForFunction(() => document.querySelector(".counter")?.textContent === "1 / 1");
  await page.locator(".history summary").click();
  assert.match(await page.locator(".history .badge").first().getAttribute("title"), /./);
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Go on" }).waitFor();
  assert.equal(await page.getByRole("timer").count(), 0);
  assert.deepEqual(complaints, []);
  await context.close();
});

test("a player on the network takes a seat", async () => {
  const child = spawn(LUDENS, ["player", "--port", "0", "--agent", "random"], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const port = await new Promise((resolve) => {
      let told = "";
      child.stdout.on("data", (data) => {
        told += data;
        const found = told.match(/port (\d+)/);
        if (found) resolve(found[1]);
      });
    });
    const { page, context, complaints } = await visit(at.browser);
    await page.goto(`${at.server.place}/new/tic-tac-toe`);
    await page.locator(".seat select").nth(0).selectOption("person");
    await page.locator(".seat select").nth(1).selectOption("remote");
    await page.getByPlaceholder("localhost:9147").fill(`127.0.0.1:${port}`);
    await page.getByRole("button", { name: "Start" }).click();
    await page.waitForURL(/\/match\//);
    for (const turn of [0, 2]) {
      await page.waitForFunction((turn) => document.querySelector(".counter")?.textContent === `${turn} / ${turn}`, turn);
      await page.locator(".board g.cell.next").first().click();
    }
    await page.waitForFunction(() => Number(document.querySelector(".counter")?.textContent.split("/")[1]) >= 4);
    assert.equal(await page.locator(".history .badge").count(), 0, "no trouble with it");
    assert.deepEqual(complaints, []);
    await context.close();
  } finally {
    child.kill();
  }
});
