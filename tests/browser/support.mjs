// A server of its own, a browser, and what tests have in common.

import { spawn } from "node:child_process";
import { mkdtempSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";

const require = createRequire(join(process.env.LUDENS_BROWSER_TOOLS, "package.json"));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

export const LUDENS = process.env.LUDENS;
export const folder = () => mkdtempSync(join(tmpdir(), "ludens-browser-"));

// Servers of tests that failed: none may outlive the run, or it would never end.
const children = new Set();
process.on("exit", () => children.forEach((child) => child.kill("SIGKILL")));

// Starts `ludens web`. The same port and file can be given to start it anew.
export async function serve(database, port = 0) {
  const child = spawn(LUDENS, ["web", "--port", String(port), "--db", database], { stdio: ["ignore", "pipe", "inherit"] });
  children.add(child);
  const place = await new Promise((resolve, reject) => {
    let told = "";
    child.stdout.on("data", (data) => {
      told += data;
      const found = told.match(/http:\/\/[^\s/]+/);
      if (found) resolve(found[0]);
    });
    child.on("exit", (code) => reject(new Error(`ludens web has ended with ${code}`)));
  });
  child.unref();
  child.stdout.unref();
  const stop = () => new Promise((resolve) => {
    child.removeAllListeners("exit");
    children.delete(child);
    child.on("exit", resolve);
    // As hard as it gets: nothing may depend on a last word.
    child.kill("SIGKILL");
  });
  return { place, port: Number(new URL(place).port), stop };
}

export async function browse() {
  return chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
}

// A server and a browser for all tests of a file.
export function stage() {
  const at = {};
  before(async () => {
    at.browser = await browse();
    at.server = await serve(join(folder(), "web.db"));
  });
  after(async () => {
    await at.browser?.close();
    await at.server?.stop();
  });
  return at;
}

// A small game that is not bundled.
export const GAME = `(role left) (role right)
(init (pile 3)) (init (control left))
(smaller 3 2) (smaller 2 1) (smaller 1 0)
(<= (legal ?player (take 1)) (true (control ?player)))
(<= (legal ?player (take slowly)) (true (control ?player)))
(<= (legal left noop) (true (control right)))
(<= (legal right noop) (true (control left)))
(<= (next (pile ?less)) (true (pile ?more)) (smaller ?more ?less))
(<= (next (control right)) (true (control left)))
(<= (next (control left)) (true (control right)))
(<= terminal (true (pile 0)))
(<= (goal ?player 0) (role ?player) (true (control ?player)))
(<= (goal left 100) (true (control right)))
(<= (goal right 100) (true (control left)))
`;

// A page of a visitor of its own, that fails the test if the page complains.
export async function visit(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60000);
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    // Refusals are part of some tests, and a server that was stopped is missed.
    const expected = /Failed to load resource|ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED/.test(message.text());
    if (message.type() === "error" && !expected) complaints.push(message.text());
  });
  page.on("request", (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (hostname !== "127.0.0.1" && protocol.startsWith("http")) complaints.push(`asked elsewhere: ${request.url()}`);
  });
  return { page, context, complaints };
}

// Serious findings of axe-core.
export async function findings(page) {
  // Not as a script of the page, which its policy forbids.
  await page.evaluate(`${axe}; undefined`);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  return violations.filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.html).join(" | ")}`);
}

export async function shot(page, name) {
  if (!process.env.SHOTS) return;
  mkdirSync(process.env.SHOTS, { recursive: true });
  await page.screenshot({ path: join(process.env.SHOTS, `${name}.png`), fullPage: true });
}

export const status = (page) => page.locator(".status").first();

// Begins a match: `seats` are the values of the fields, in the order of roles.
export async function begin(page, place, game, seats) {
  await page.goto(`${place}/new/${game}`);
  for (const [number, seat] of seats.entries()) {
    await page.locator(".seat select").nth(number).selectOption(seat);
  }
  await page.getByRole("button", { name: "Start" }).click();
  await page.waitForURL(/\/match\//);
  await status(page).waitFor();
}

export const cell = (page, number) => page.locator(`.board g.cell[data-cell="${number}"]`);
