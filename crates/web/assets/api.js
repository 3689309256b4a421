// Talking to the server. Keys to matches stay in this browser.

const STORE = "ludens.keys";

function all() {
  try {
    return JSON.parse(localStorage.getItem(STORE)) ?? {};
  } catch {
    return {};
  }
}

export function keysOf(match) {
  return all()[match] ?? { owner: "", roles: {} };
}

export function remember(match, { owner, keys }) {
  const known = all();
  const mine = known[match] ?? { owner: "", roles: {} };
  if (owner) mine.owner = owner;
  for (const { role, key } of keys) mine.roles[role] = key;
  known[match] = mine;
  localStorage.setItem(STORE, JSON.stringify(known));
}

function headers(match) {
  if (!match) return {};
  const { owner, roles } = keysOf(match);
  return { "X-Ludens-Keys": [owner, ...Object.values(roles)].filter(Boolean).join(",") };
}

export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function ask(method, path, body, match) {
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: body === undefined ? headers(match) : { "Content-Type": "application/json", ...headers(match) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Refused(0, "The server does not answer. Is `ludens web` still running?");
  }
  if (response.status === 204) return null;
  const text = await response.text();
  if (response.ok) return JSON.parse(text);
  let told = text;
  try {
    told = JSON.parse(text).error;
  } catch {
    // What is no JSON is told as it is.
  }
  throw new Refused(response.status, told);
}

export const about = () => ask("GET", "/api/about");
export const games = () => ask("GET", "/api/games");
export const game = (name) => ask("GET", `/api/games/${encodeURIComponent(name)}`);
export const check = (rules, quick) => ask("POST", "/api/check", { rules, quick });
export const format = (rules) => ask("POST", "/api/format", { rules });
export const matches = () => ask("GET", "/api/matches");

export async function create(wish) {
  const made = await ask("POST", "/api/matches", wish);
  remember(made.id, made);
  return made;
}

export async function load(text, rules) {
  const loaded = await ask("POST", "/api/records", rules ? { text, rules } : { text });
  loaded.matches.forEach((made) => remember(made.id, made));
  return loaded.matches;
}

const of = (match, rest = "") => `/api/matches/${encodeURIComponent(match)}${rest}`;

export const view = (match) => ask("GET", of(match), undefined, match);
export const position = (match, step) => ask("GET", of(match, `/positions/${step}`), undefined, match);
export const record = (match) => ask("GET", of(match, "/record"), undefined, match);
export const forget = (match) => ask("DELETE", of(match), undefined, match);
export const move = (match, role, text, turn) => ask("POST", of(match, "/moves"), { role, text, turn }, match);
export const undo = (match) => ask("POST", of(match, "/undo"), {}, match);
export const pause = (match, paused) => ask("POST", of(match, "/pause"), { paused }, match);
export const hint = (match, role, step) => ask("POST", of(match, "/hint"), { role, step }, match);

export async function takeOver(match, role, seat) {
  const { key } = await ask("POST", of(match, "/seats"), { role, seat }, match);
  if (key) remember(match, { keys: [{ role, key }] });
}

export async function rematch(match) {
  const made = await ask("POST", of(match, "/rematch"), {}, match);
  remember(made.id, made);
  return made;
}

// Calls back at every change. A page that is not seen lets go: browsers keep few connections to one server.
export function watch(match, changed) {
  let source = null;
  const open = () => {
    if (source || document.hidden) return;
    source = new EventSource(of(match, "/events"));
    source.addEventListener("change", changed);
    source.onerror = () => {
      if (source?.readyState === EventSource.CLOSED) {
        close();
        setTimeout(open, 2000);
      }
    };
  };
  const close = () => {
    source?.close();
    source = null;
  };
  const seen = () => (document.hidden ? close() : open());
  document.addEventListener("visibilitychange", seen);
  open();
  return () => {
    document.removeEventListener("visibilitychange", seen);
    close();
  };
}
