/* The line in which the agent says how a claim shall be written anew. */
import { t } from "../i18n/index.js";
import { h, ofInputMethod } from "./dom.js";

export function instructionField(handlers) {
  const input = h("input", {
    type: "text",
    maxlength: "500",
    class: "field",
    "aria-label": t("重写要求"),
    placeholder: t("例如：写得更上位一些，不限定材料"),
  });
  const element = h(
    "form",
    { class: "claim-instruction" },
    input,
    h("button", { type: "submit", class: "small primary" }, t("重写")),
    h("button", { type: "button", class: "small", onclick: () => handlers.close() }, t("取消")),
  );
  // The Enter that confirms a candidate would submit the form in some browsers.
  input.addEventListener("keydown", (event) => {
    if (ofInputMethod(event)) {
      if (event.key === "Enter") event.preventDefault();
      return;
    }
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      handlers.close();
    }
  });
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    handlers.send(input.value.trim());
  });
  return { element, focus: () => input.focus() };
}
