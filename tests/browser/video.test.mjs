// Video games on the page: played by keys, watched, and looked at again.

import assert from "node:assert/strict";
import { test } from "node:test";

import { findings, shot, stage, status, visit } from "./support.mjs";

const at = stage();

const RULES = `BasicGame square_size=10
    SpriteSet
        coin > Resource
        avatar > MovingAvatar
    InteractionSet
        avatar wall > stepBack
        coin avatar > killSprite scoreChange=1
    TerminationSet
        SpriteCounter stype=coin win=True
    LevelMapping
        o > coin
`;
const LEVEL = "wwwwww\nwA  ow\nwwwwww\n";

const told = (page) => page.locator(".actions .counter").textContent();

// The colour of the middle of a cell of a level with cells of ten pixels.
const pixel = (page, x, y) => page.locator("canvas").evaluate((canvas, [x, y]) =>
  [...canvas.getContext("2d").getImageData(x * 10 + 5, y * 10 + 5, 1, 1).data].slice(0, 3).join(), [x, y]);
const AVATAR = "255,255,0";

test("a pasted game is won with the arrow keys, stepped through and loaded again", async () => {
  const { page, context, complaints } = await visit(at.browser);
  await page.goto(`${at.server.place}/video`);
  await page.getByLabel("Game", { exact: true }).selectOption("");
  await page.locator("#rules").fill(RULES);
  await page.locator("#map").fill(LEVEL);
  await page.getByLabel("Player 1").selectOption("person");
  assert.deepEqual(await findings(page), []);
  await page.getByRole("button", { name: "Start" }).click();
  await page.waitForURL(/\/video\/.+/);
  await page.waitForFunction(() => document.querySelector(".status")?.textContent === "Playing");
  assert.equal(await pixel(page, 1, 1), AVATAR);
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Go on" }).waitFor();
  const before = await told(page);
  await page.getByRole("button", { name: "Step" }).click();
  await page.waitForFunction((before) => document.querySelector(".actions .counter").textContent !== before, before);
  await page.getByRole("button", { name: "Go on" }).click();
  await page.locator("canvas").focus();
  await page.keyboard.down("ArrowRight");
  await page.waitForFunction(() => document.querySelector(".status").textContent === "you won");
  await page.keyboard.up("ArrowRight");
  assert.match(await page.locator(".scores").textContent(), /1 points/);
  await shot(page, "video-won");
  assert.deepEqual(await findings(page), []);
  // Back to the beginning, and on from there.
  await page.getByLabel("Tick", { exact: true }).fill("0");
  await page.waitForFunction(() => document.querySelector(".actions .counter").textContent.startsWith("tick 0 of"));
  assert.equal(await pixel(page, 1, 1), AVATAR);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save the record" }).click();
  const file = await (await download).path();
  await page.getByRole("button", { name: "Go on" }).click();
  await page.waitForFunction(() => document.querySelector(".status").textContent === "you won");
  await page.getByRole("link", { name: "Another game" }).click();
  await page.getByLabel("A record").setInputFiles(file);
  await page.waitForURL(/\/video\/.+/);
  await page.waitForFunction(() => document.querySelector(".actions .counter")?.textContent.startsWith("tick 0 of"));
  assert.equal(await pixel(page, 1, 1), AVATAR);
  await page.getByRole("button", { name: "Go on" }).click();
  await page.waitForFunction(() => document.querySelector(".status").textContent === "you won");
  assert.deepEqual(complaints, []);
  await context.close();
});

test("a bundled game is watched at twenty ticks a second and more", async () => {
  const { page, context, complaints } = await visit(at.browser);
  await page.goto(`${at.server.place}/video`);
  await page.getByLabel("Game", { exact: true }).selectOption("lantern");
  await page.getByLabel("Player 1").selectOption("random");
  await page.getByRole("button", { name: "Start" }).click();
  await page.waitForURL(/\/video\/.+/);
  const tick = async () => Number((await told(page)).match(/of (\d+)/)[1]);
  await page.waitForFunction(() => Number(document.querySelector(".actions .counter")?.textContent.match(/of (\d+)/)?.[1]) >= 5);
  const [from, begun] = [await tick(), performance.now()];
  await page.waitForFunction((until) => Number(document.querySelector(".actions .counter").textContent.match(/of (\d+)/)[1]) >= until, from + 40);
  const rate = 40 / ((performance.now() - begun) / 1000);
  // Others may use the machine; what is told is what a person sees.
  console.log(`${rate.toFixed(1)} ticks a second`);
  assert.ok(rate > 5, `${rate} ticks a second`);
  await page.getByLabel("Tick", { exact: true }).fill("3");
  await page.waitForFunction(() => document.querySelector(".actions .counter").textContent.startsWith("tick 3 of"));
  assert.equal(await status(page).textContent(), "What was played");
  await page.getByRole("button", { name: "Live" }).click();
  await page.waitForFunction(() => document.querySelector(".status").textContent === "Playing");
  assert.deepEqual(complaints, []);
  await context.close();
});
