/* Short notices at the foot of the page, and what a screen reader hears politely. */
import { t } from "../i18n/index.js";
import { h } from "./dom.js";

const STAYS = 5_000;

export function notices({ stack, live }) {
  return {
    /** tone: "info" or "problem"; a problem stays until it is closed. */
    notice(text, { tone = "info" } = {}) {
      const close = h("button", { type: "button", class: "link", onclick: () => item.remove() }, t("知道了"));
      const item = h("div", { class: `notice notice-${tone}`, role: tone === "problem" ? "alert" : null }, h("p", {}, text), close);
      for (const old of [...stack.children].slice(0, -2)) old.remove();
      stack.append(item);
      if (tone === "info") setTimeout(() => item.remove(), STAYS);
    },
    announce(text) {
      live.textContent = text;
    },
  };
}
