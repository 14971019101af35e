/* The state that a text is written in, as a form: number, kind, subject, claims that may be cited. */
import { h } from "../ui/dom.js";
import { t } from "./texts.js";

/** "1 散热装置" or "3* 散热装置" (a multiple dependent claim), one a line. */
export const citableText = (citable = []) =>
  citable.map((one) => `${one.number}${one.multiple ? "*" : ""} ${one.subject}`).join("\n");

export function citableFrom(text) {
  return text
    .split("\n")
    .map((line) => /^\s*(\d+)(\*?)[\s.、]*(.*\S)\s*$/.exec(line))
    .filter(Boolean)
    .map(([, number, multiple, subject]) => ({
      number: Number(number),
      subject,
      ...(multiple ? { multiple: true } : {}),
    }));
}

export function summary(state) {
  if (state.number === undefined) return "";
  const kind = state.kind === "dependent" ? t("从属") : t("独立");
  const cited = (state.citable ?? []).map((one) => one.number);
  const range = cited.length > 2 ? `${cited[0]}–${cited.at(-1)}` : cited.join("、");
  return [t("第{n}项", { n: state.number }), kind, cited.length ? t("可引 {range}", { range }) : ""].filter(Boolean).join(" · ");
}

/** A form for the state of `kind` of document; claims have fields, other kinds their JSON. */
export function stateForm(kind, initial, changed) {
  if (kind !== "claims") {
    const raw = h("textarea", { class: "field mono", rows: "4", "aria-label": t("状态（JSON）"), oninput: changed });
    raw.value = JSON.stringify(initial, null, 1);
    const label = h("label", {}, h("span", {}, t("状态（JSON）")), raw);
    return {
      element: label,
      set: (state) => (raw.value = JSON.stringify(state, null, 1)),
      get() {
        try {
          return JSON.parse(raw.value);
        } catch {
          return null;
        }
      },
    };
  }
  const number = h("input", { type: "number", class: "field", min: "1", max: "999", oninput: changed });
  const role = h(
    "select",
    { class: "field", onchange: changed },
    h("option", { value: "independent" }, t("独立权利要求")),
    h("option", { value: "dependent" }, t("从属权利要求")),
  );
  const subject = h("input", { type: "text", class: "field", oninput: changed });
  const citable = h("textarea", { class: "field", rows: "2", oninput: changed, placeholder: t("每行一项，如：1 散热装置；多项从属写作 3*") });
  const set = (state) => {
    number.value = state.number ?? 1;
    role.value = state.kind ?? "independent";
    subject.value = state.subject ?? "";
    citable.value = citableText(state.citable);
  };
  set(initial);
  const labelled = (words, field, wide) => h("label", { class: wide ? "span" : null }, h("span", {}, words), field);
  return {
    element: h(
      "div",
      { class: "state-form" },
      labelled(t("编号"), number),
      labelled(t("类型"), role),
      labelled(t("主题名称（不含“一种”）"), subject, true),
      labelled(t("可引用的在前权利要求"), citable, true),
    ),
    set,
    get: () => ({
      number: Number(number.value) || 1,
      kind: role.value,
      subject: subject.value.trim(),
      citable: citableFrom(citable.value),
    }),
  };
}
