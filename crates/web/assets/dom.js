// Elements in few words. Texts are always texts: nothing that comes from rules is read as markup.

export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else if (name in element && !name.startsWith("aria") && name !== "list") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  add(element, children);
  return element;
}

export function add(element, children) {
  for (const child of children.flat(3)) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

export function replace(element, ...children) {
  element.replaceChildren();
  return add(element, children);
}

const SVG = "http://www.w3.org/2000/svg";

export function s(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  for (const child of children.flat()) element.append(child);
  return element;
}

// A picture that the server has drawn, as elements of this page.
export function picture(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  return document.importNode(parsed.documentElement, true);
}

export function toast(text, kind = "info") {
  const element = h("p", { class: `toast ${kind}` }, text);
  document.getElementById("toasts").append(element);
  setTimeout(() => element.remove(), kind === "error" ? 8000 : 4000);
}

// Numbers as people read them.
export function amount(value) {
  if (value >= 1e6) return `${(value / 1e6).toFixed(1)} M`;
  if (value >= 1e4) return `${Math.round(value / 1e3)} k`;
  return Math.round(value).toLocaleString("en");
}

export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1).replaceAll("_", " ");
}

const COLOURS = ["red", "blue", "green", "yellow", "orange", "purple", "white", "black"];

// The class that gives a role its colour: that of its name, if it has one.
export function colour(name, number) {
  const word = name.toLowerCase();
  return COLOURS.includes(word) ? `role-${word}` : `role-${number % 6}`;
}

export function ago(milliseconds) {
  const seconds = Math.max(0, (Date.now() - milliseconds) / 1000);
  const steps = [[60, "second"], [60, "minute"], [24, "hour"], [1e9, "day"]];
  let value = seconds;
  for (const [size, unit] of steps) {
    if (value < size) {
      const whole = Math.floor(value);
      return unit === "second" ? "just now" : `${whole} ${unit}${whole === 1 ? "" : "s"} ago`;
    }
    value /= size;
  }
  return "";
}
