/* What every page has: the theme switch, the menu, forms that are sent once. */
import { t } from "./i18n/index.js";
import { liveList } from "./live-list.js";

const root = document.documentElement;

function themeInForce() {
  if (root.dataset.theme) return root.dataset.theme;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

for (const button of document.querySelectorAll('[data-act="theme"]')) {
  const label = () => {
    const words = themeInForce() === "dark" ? t("改用浅色") : t("改用深色");
    button.setAttribute("aria-label", words);
    button.title = words;
  };
  button.addEventListener("click", () => {
    root.dataset.theme = themeInForce() === "dark" ? "light" : "dark";
    try {
      localStorage.setItem("claimwright:theme", root.dataset.theme);
    } catch {
      // Not remembered, then; the page changes all the same.
    }
    label();
  });
  label();
}

for (const menu of document.querySelectorAll("details.menu")) {
  document.addEventListener("click", (event) => {
    if (!menu.contains(event.target)) menu.open = false;
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary").focus();
    event.stopPropagation();
  });
}

for (const form of document.querySelectorAll("form[data-once]")) {
  form.addEventListener("keydown", (event) => {
    // The Enter that confirms a Chinese candidate must not send the form.
    if (event.key === "Enter" && (event.isComposing || event.keyCode === 229)) event.preventDefault();
  });
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) return event.preventDefault();
    form.dataset.sent = "1";
    return undefined;
  });
}
// Back from the browser's cache: the form may be sent again.
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});

liveList();

for (const field of document.querySelectorAll("[data-count-to]")) {
  const target = document.getElementById(field.dataset.countTo);
  const usual = Number(field.dataset.usual);
  const count = () => {
    const length = [...field.value.trim()].length;
    target.textContent = length > usual ? t("{n} 字，超过通常的 {usual} 字", { n: length, usual }) : t("{n} 字", { n: length });
    target.toggleAttribute("data-over", length > usual);
  };
  field.addEventListener("input", count);
  count();
}
