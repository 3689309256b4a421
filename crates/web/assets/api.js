// Talking to the server. Keys to matches stay in this browser.

const STORE = "ludens.keys";
const PACE = 400;

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
export const look = (rules, line, column) => ask("POST", "/api/look", { rules, line, column });
export const why = (rules, sentence) => ask("POST", "/api/why", { rules, sentence });
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

export const whyHere = (match, step, sentence) => ask("POST", of(match, "/why"), { step, sentence }, match);

// Matches of tournaments and referees that have ended; of one tournament if it is given.
export const ended = (from, tournament) => ask("GET", tournament ? ofTournament(tournament, `/matches/${from}`) : `/api/ended/${from}`);

const ofTournament = (id, rest = "") => `/api/tournaments/${encodeURIComponent(id)}${rest}`;

export const tournaments = () => ask("GET", "/api/tournaments");
export const tournament = (id) => ask("GET", ofTournament(id), undefined, id);
export const pauseTournament = (id, paused) => ask("POST", ofTournament(id, "/pause"), { paused }, id);
export const forgetTournament = (id) => ask("DELETE", ofTournament(id), undefined, id);

export async function createTournament(wish) {
  const made = await ask("POST", "/api/tournaments", wish);
  remember(made.id, { owner: made.owner, keys: [] });
  return made;
}

export async function takeOver(match, role, seat) {
  const { key } = await ask("POST", of(match, "/seats"), { role, seat }, match);
  if (key) remember(match, { keys: [{ role, key }] });
}

export async function rematch(match) {
  const made = await ask("POST", of(match, "/rematch"), {}, match);
  remember(made.id, made);
  return made;
}

const ofVideo = (id, rest = "") => `/api/videos/${encodeURIComponent(id)}${rest}`;

export const videoGames = () => ask("GET", "/api/video-games");
export const videoGame = (name) => ask("GET", `/api/video-games/${encodeURIComponent(name)}`);
export const video = (id) => ask("GET", ofVideo(id), undefined, id);
export const videoFrame = (id, tick) => ask("GET", ofVideo(id, `/frames/${tick}`));
export const videoRecord = (id) => ask("GET", ofVideo(id, "/record"));
export const videoKeys = (id, player, keys) => ask("POST", ofVideo(id, "/keys"), { player, keys }, id);
export const videoPace = (id, wish) => ask("POST", ofVideo(id, "/pace"), wish, id);
export const watchVideo = (id, changed) => listen(ofVideo(id, "/events"), changed);

export async function createVideo(wish) {
  const made = await ask("POST", "/api/videos", wish);
  remember(made.id, { owner: made.owner, keys: [] });
  return made;
}

export const watch = (match, changed) => listen(of(match, "/events"), changed);

// Matches of tournaments may end a hundred times a second: one look at a time, with a pause after it, and one more if
// something has changed meanwhile.
export function watchTournaments(look) {
  let [busy, again, left] = [false, false, false];
  const stop = listen("/api/tournaments/events", async () => {
    again = true;
    if (busy) return;
    busy = true;
    while (again && !left) {
      again = false;
      await look();
      await new Promise((resolve) => setTimeout(resolve, PACE));
    }
    busy = false;
  });
  return () => {
    left = true;
    stop();
  };
}

// Calls back at every change. A page that is not seen lets go: browsers keep few connections to one server.
function listen(path, changed) {
  let source = null;
  const open = () => {
    if (source || document.hidden) return;
    source = new EventSource(path);
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
