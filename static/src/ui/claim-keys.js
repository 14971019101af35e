/* The keys of the claims list. On a claim's number: letters act on the claim; in its text: only
   combinations that no input method and no prose needs. Keys of an input method are never ours. */
import { ofInputMethod } from "./dom.js";

export function claimKeys({ list, acts, selected, go, edit, leave }) {
  const onRow = {
    ArrowUp: () => go(-1),
    k: () => go(-1),
    ArrowDown: () => go(1),
    j: () => go(1),
    Enter: () => edit(selected()),
    a: () => acts.accept(selected()),
    x: () => acts.reject(selected()),
    r: () => acts.instruct(selected()),
    i: () => acts.insert(selected()),
    Delete: () => acts.remove(selected()),
    Backspace: () => acts.remove(selected()),
  };

  function altKey(event, id) {
    if (!event.altKey || event.ctrlKey || event.metaKey) return false;
    if (event.key === "ArrowUp") acts.up(id);
    else if (event.key === "ArrowDown") acts.down(id);
    else if (event.key === "Enter") acts.accept(id);
    else return false;
    event.preventDefault();
    return true;
  }

  list.addEventListener("keydown", (event) => {
    if (!event.target.classList.contains("claim-number") || ofInputMethod(event)) return;
    if (altKey(event, selected())) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = onRow[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });

  return {
    /** True when the key shall not reach the text. The Enter that confirms a candidate comes after
        the composition in some browsers and would break the line. */
    inEditor(event, id) {
      if (ofInputMethod(event)) return event.key === "Enter" && !event.isComposing;
      if (altKey(event, id)) return true;
      if (event.key === "Escape") {
        event.stopPropagation();
        leave(id);
        return true;
      }
      return false;
    },
  };
}
