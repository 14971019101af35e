/* Runs before the page is painted: the chosen theme, without a flash of the other one. */
const chosen = (() => {
  try {
    return localStorage.getItem("claimwright:theme");
  } catch {
    return null;
  }
})();
if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
