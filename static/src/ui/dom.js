/* Elements without a framework. Text only ever enters through text nodes and attributes. */

/** h("button", {class: "x", type: "button", onclick: f, dataset: {id: 1}}, "text", node, null) */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "dataset") Object.assign(element.dataset, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** One of the drawn icons of the sprite in workspace.html; decorative, so hidden from readers. */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#i-${name}`);
  svg.append(use);
  return svg;
}

/** A button with an icon; its name is read and shown as a tooltip. */
export function iconButton(name, label, onclick, props = {}) {
  return h(
    "button",
    { type: "button", class: "icon-button", "aria-label": label, title: label, onclick, ...props },
    icon(name),
  );
}

/** Sets a text only when it differs: a live region must not repeat itself. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export function show(element, visible) {
  element.hidden = !visible;
}

/** Puts `children` into `parent` in this order, moving only what stands wrong: a moved editor would
    lose its focus and its scroll place. */
export function order(parent, children) {
  const wanted = new Set(children);
  for (const child of [...parent.children]) if (!wanted.has(child)) child.remove();
  let at = parent.firstElementChild;
  for (const child of children) {
    if (child === at) at = at.nextElementSibling;
    else parent.insertBefore(child, at);
  }
}

/** True for the keydown that belongs to an input method: the Enter that confirms a candidate
    arrives with keyCode 229 after the composition has ended in some browsers. */
export const ofInputMethod = (event) => event.isComposing || event.keyCode === 229;

export const reducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** The shortcut as the keyboard in front of the reader writes it. */
export function shortcut(keys) {
  const mac = { Mod: "⌘", Alt: "⌥", Shift: "⇧", Enter: "↵", Up: "↑", Down: "↓", Delete: "⌫" };
  const other = { Mod: "Ctrl", Up: "↑", Down: "↓" };
  const names = isMac ? mac : other;
  return keys
    .split("-")
    .map((key) => names[key] ?? key)
    .join(isMac ? "" : "+");
}

/** A clock time in the page's language and the reader's time zone. */
export function clock(iso, lang) {
  return new Date(iso).toLocaleTimeString(lang === "en" ? "en-GB" : "zh-CN", {
    hour: "2-digit",
    minute: "2-digit",
    hour12: false,
  });
}
