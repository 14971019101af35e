/* The pack's settings, drawn from the published JSON Schema: a new setting needs no new form. */
import { h } from "../ui/dom.js";
import { listFrom, listText } from "./lists.js";
import { language, t } from "./texts.js";

// These have places of their own on the page, or are not for editing.
const ELSEWHERE = new Set(["grammar", "forbidden", "examples", "schema", "schema_version", "slug", "version", "bases"]);
const LABELS = {
  title: ["名称", "Name"], jurisdiction: ["受理局", "Office"], kind: ["文档类型", "Kind of document"], language: ["语言", "Language"],
  enforces: ["语法强制的规则", "Rules that the grammar enforces"], citations: ["法律依据", "Legal sources"],
  subjects: ["主题名称", "Subjects"], refused_endings: ["不明确类别的结尾", "Endings that leave the category open"],
  refused_parts: ["两种类别并列", "Two categories side by side"], linter: ["检查器开关", "Linter"], frequent: ["高频字", "Frequent characters"],
  tempting: ["一写即错的词语", "Terms that the model is tempted by"], extends: ["扩展的规则包", "Pack that this one extends"],
  max_depth: ["递归深度上限", "Depth of recursion"], unbounded_runs: ["可无限重复的字符", "Characters that may repeat without end"],
  zh: ["中文", "Chinese"], en: ["英文", "English"], free_claims: ["免附加费的项数", "Claims free of extra fees"], off: ["不报告的规则", "Rules not reported"],
  grammar: ["语法", "Grammar"], forbidden: ["禁用词语", "Forbidden terms"], examples: ["示例", "Examples"],
};
const CHOICES = {
  cn: ["中国", "China"], us: ["美国", "United States"], ep: ["欧洲", "Europe"], claims: ["权利要求书", "Claims"], abstract: ["摘要", "Abstract"],
  drawings: ["附图说明", "Brief description of the drawings"], reply: ["意见陈述书", "Reply to an office action"],
  zh: ["中文", "Chinese"], en: ["英文", "English"],
};
const named = (table, name) => table[name]?.[language === "en" ? 1 : 0] ?? name.replaceAll("_", " ");
const choice = (name) => named(CHOICES, name);

/** The name of a part of the pack's document. */
export const label = (name) => named(LABELS, name);

export function settingsPanel(desk, schema) {
  const form = h("div", { class: "panel settings" });
  const resolve = (part) => (part.$ref ? schema.$defs[part.$ref.split("/").pop()] : part);

  function field(name, part, value, changed) {
    const about = resolve(part);
    const locked = !desk.editable;
    const help = about.description && language === "en" ? h("small", { class: "faint" }, about.description) : null;
    const text = (read, parse, rows) => {
      const area = h("textarea", { class: "field", rows: String(rows), disabled: locked, lang: "zh-Hans" });
      area.value = read;
      area.addEventListener("change", () => {
        try {
          area.setCustomValidity("");
          changed(parse(area.value));
        } catch {
          area.setCustomValidity(t("格式不正确。"));
          area.reportValidity();
        }
      });
      return area;
    };
    const wrap = (control) => h("label", {}, h("span", {}, label(name)), control, help);
    if (about.enum) {
      const chooser = h("select", { class: "field", disabled: locked, onchange: () => changed(chooser.value) }, ...about.enum.map((one) => h("option", { value: one }, choice(one))));
      chooser.value = value ?? about.enum[0];
      return wrap(chooser);
    }
    if (about.type === "boolean") return wrap(h("input", { type: "checkbox", checked: Boolean(value), disabled: locked, onchange: (event) => changed(event.target.checked) }));
    if (about.type === "integer") return wrap(h("input", { type: "number", class: "field", value: value ?? "", disabled: locked, onchange: (event) => changed(Number(event.target.value)) }));
    if (about.type === "string") return wrap(h("input", { type: "text", class: "field", value: value ?? "", disabled: locked, onchange: (event) => changed(event.target.value) }));
    if (about.type === "array" && resolve(about.items ?? {}).type === "string")
      return wrap(text(listText(value), listFrom, 2));
    if (about.type === "object" && about.properties) {
      const parts = Object.entries(about.properties).map(([key, one]) => field(key, one, value?.[key], (next) => changed({ ...(desk.document[name] ?? {}), [key]: next })));
      return h("fieldset", {}, h("legend", {}, label(name)), help, ...parts);
    }
    return wrap(text(JSON.stringify(value ?? {}, null, 1), JSON.parse, 6));
  }

  function draw() {
    if (form.contains(document.activeElement)) return;
    const parts = Object.entries(schema.properties).filter(([name]) => !ELSEWHERE.has(name));
    form.replaceChildren(...parts.map(([name, part]) => field(name, part, desk.document[name], (value) => desk.change(name, value))));
  }
  desk.on("document version", draw);
  return form;
}
