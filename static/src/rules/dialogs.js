/* Small questions, in the page's own dialogs. */
import { h } from "../ui/dom.js";
import { t } from "./texts.js";

function open(element) {
  document.querySelector(".rules").append(element);
  element.showModal();
  return new Promise((resolve) => {
    element.addEventListener("close", () => {
      element.remove();
      resolve(element.returnValue);
    });
  });
}

/** Asks for one line; null when the reader goes back. `refuse(value)` is a sentence or "". */
export async function ask(question, { value = "", confirm = t("确定"), refuse = () => "", placeholder = "" } = {}) {
  const field = h("input", { type: "text", class: "field", value, placeholder, "aria-label": question, maxlength: "400" });
  const refusal = h("p", { class: "said bad", role: "alert" });
  const dialog = h(
    "dialog",
    { class: "ask", "aria-label": question },
    h(
      "form",
      {
        method: "dialog",
        onsubmit: (event) => {
          if (event.submitter?.value === "no") return;
          refusal.textContent = field.value.trim() ? refuse(field.value.trim()) : t("请填写。");
          if (refusal.textContent) event.preventDefault();
        },
      },
      h("h3", {}, question),
      field,
      refusal,
      h(
        "div",
        { class: "ask-foot" },
        h("button", { class: "plain", value: "no", formnovalidate: true }, t("取消")),
        h("button", { class: "main", value: "yes" }, confirm),
      ),
    ),
  );
  // Enter belongs to the answer, not to the first button.
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.isComposing) {
      event.preventDefault();
      dialog.querySelector("button.main").click();
    }
  });
  const done = open(dialog);
  field.select();
  return (await done) === "yes" ? field.value.trim() : null;
}

export async function confirmed(question, yes) {
  const dialog = h(
    "dialog",
    { class: "ask", "aria-label": question },
    h(
      "form",
      { method: "dialog" },
      h("p", {}, question),
      h(
        "div",
        { class: "ask-foot" },
        h("button", { class: "plain", value: "no" }, t("取消")),
        h("button", { class: "main", value: "yes" }, yes),
      ),
    ),
  );
  return (await open(dialog)) === "yes";
}

/** A wide dialog around any content. */
export function showWide(title, content) {
  const dialog = h(
    "dialog",
    { class: "wide", "aria-label": title },
    h(
      "header",
      { class: "wide-head" },
      h("h3", {}, title),
      h("button", { type: "button", class: "plain", onclick: () => dialog.close() }, t("关闭")),
    ),
    content,
  );
  open(dialog);
  return dialog;
}
