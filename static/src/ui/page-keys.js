/* Keys that work anywhere on the page. A key that belongs to an input method is never one of them. */
import { ofInputMethod } from "./dom.js";

const inText = (target) => Boolean(target.closest("input, textarea, select, .cm-editor"));

export function pageKeys(acts) {
  document.addEventListener("keydown", (event) => {
    if (ofInputMethod(event) || event.defaultPrevented) return;
    if (document.querySelector("dialog[open]")) return;
    const mod = event.ctrlKey || event.metaKey;
    const take = (act) => {
      event.preventDefault();
      act();
    };
    if (mod && event.key === "Enter") return take(acts.start);
    if (event.key === "F8") return take(() => acts.nextFinding(event.shiftKey ? -1 : 1));
    if (event.key === "Escape") return acts.escape();
    if (inText(event.target) || event.altKey) return undefined;
    if (mod && event.key.toLowerCase() === "z") return take(event.shiftKey ? acts.redo : acts.undo);
    if (mod && event.key.toLowerCase() === "y") return take(acts.redo);
    if (mod) return undefined;
    if (event.key === "/") return take(acts.search);
    if (event.key === "?") return take(acts.help);
    return undefined;
  });
}
