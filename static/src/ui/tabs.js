/* Tabs with the usual keys (arrows, Home, End). Panels are found by aria-controls. */

/** `onSelect(id)` hears every change, also the first. Returns {select(id)}. */
export function tabs(list, { initial, onSelect = () => {} } = {}) {
  const all = [...list.querySelectorAll('[role="tab"]')];
  const idOf = (tab) => tab.getAttribute("aria-controls");

  function select(id, { focus = false } = {}) {
    for (const tab of all) {
      const chosen = idOf(tab) === id;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      document.getElementById(idOf(tab))?.toggleAttribute("data-current", chosen);
      if (chosen && focus) tab.focus();
    }
    onSelect(id);
  }

  list.addEventListener("click", (event) => {
    const tab = event.target.closest('[role="tab"]');
    if (tab) select(idOf(tab));
  });
  list.addEventListener("keydown", (event) => {
    const at = all.indexOf(document.activeElement);
    const to = {
      ArrowRight: (at + 1) % all.length,
      ArrowLeft: (at - 1 + all.length) % all.length,
      Home: 0,
      End: all.length - 1,
    }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    select(idOf(all[to]), { focus: true });
  });
  select(initial ?? idOf(all[0]));
  return { select };
}
