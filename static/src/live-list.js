/* The list of matters follows running drafts: looked at again while something runs and the tab is
   seen. What the reader has focused stays focused. */

const EVERY = 10_000;
const RUNNING = ".tag-running, .tag-waiting";

export function liveList() {
  const table = () => document.querySelector("table.matters tbody");
  if (!table()) return;

  async function look() {
    if (document.hidden || !table().querySelector(RUNNING)) return;
    const response = await fetch(location.href, { credentials: "same-origin" }).catch(() => null);
    if (!response?.ok || response.redirected) return;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const fresh = page.querySelector("table.matters tbody");
    if (!fresh || fresh.innerHTML === table().innerHTML) return;
    const focused = document.activeElement.closest("table.matters a")?.getAttribute("href");
    table().replaceWith(document.adoptNode(fresh));
    if (focused) table().querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus();
  }

  setInterval(look, EVERY);
  document.addEventListener("visibilitychange", look);
}
