/* Reordering by the mouse: a claim is taken at its number. The keyboard does the same by Alt+arrows. */

export function dragging({ list, move }) {
  let dragged = null;

  const rowAt = (event) => event.target.closest?.(".claim");
  const clear = () => {
    for (const row of list.querySelectorAll("[data-drop]")) delete row.dataset.drop;
  };
  const below = (row, event) => {
    const box = row.getBoundingClientRect();
    return event.clientY > box.top + box.height / 2;
  };

  list.addEventListener("pointerdown", (event) => {
    const row = rowAt(event);
    if (row) row.draggable = Boolean(event.target.closest(".claim-number"));
  });
  list.addEventListener("dragstart", (event) => {
    const row = rowAt(event);
    if (!row?.draggable) return;
    dragged = row;
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/x-claim", row.dataset.claim);
  });
  list.addEventListener("dragover", (event) => {
    const row = rowAt(event);
    if (!dragged || !row) return;
    event.preventDefault();
    clear();
    if (row !== dragged) row.dataset.drop = below(row, event) ? "after" : "before";
  });
  list.addEventListener("drop", (event) => {
    const row = rowAt(event);
    if (!dragged || !row) return;
    event.preventDefault();
    const all = [...list.children].filter((child) => child !== dragged);
    if (row !== dragged) move(dragged.dataset.claim, all.indexOf(row) + (below(row, event) ? 1 : 0));
  });
  list.addEventListener("dragend", () => {
    if (dragged) dragged.draggable = false;
    dragged = null;
    clear();
  });
}
