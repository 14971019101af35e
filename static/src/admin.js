/* The admin is shown in the theme chosen in the console, and the other way round. Runs before the
   admin's own scripts, as a plain script: the block keeps its names from theirs. */
{
  const ours = "claimwright:theme";
  const theirs = "adminTheme";
  try {
    localStorage.setItem(theirs, JSON.stringify(localStorage.getItem(ours) ?? "auto"));
    addEventListener("pagehide", () => {
      const chosen = JSON.parse(localStorage.getItem(theirs));
      if (chosen === "auto") localStorage.removeItem(ours);
      else localStorage.setItem(ours, chosen);
    });
  } catch {
    // Without storage each page has the system's theme.
  }
}
