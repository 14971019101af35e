/* The table of forbidden terms: one row a term, as the author thinks of it. */
import { h } from "../ui/dom.js";
import { listFrom, listText } from "./lists.js";
import { t } from "./texts.js";

const SHOWN = 100;
const SEVERITIES = () => ({ error: t("错误"), warning: t("警告"), info: t("提示") });
const ONLY = () => ({ "": t("任何位置"), before_number: t("数字之前"), after_number: t("数字之后"), without_quantity: t("无量值的分句") });

export function termsPanel(desk) {
  let shown = SHOWN;
  let word = "";
  const body = h("tbody");
  const count = h("p", { class: "count", role: "status" });
  const finder = h("input", { type: "search", class: "field", placeholder: t("查找词语"), "aria-label": t("查找词语"), oninput: () => ((word = finder.value.trim()), (shown = SHOWN), draw()) });
  const add = h("button", { type: "button", class: "main", onclick: () => addRow() }, t("添加一行"));
  const more = h("button", { type: "button", class: "plain", onclick: () => ((shown += SHOWN), draw()) }, t("显示更多"));
  const rows = () => desk.document.forbidden ?? [];
  const table = h(
    "table",
    { class: "terms" },
    h("thead", {}, h("tr", {}, ...[t("禁用词语"), t("改写为"), t("规则"), t("严重程度"), t("可以出现在"), t("范围"), ""].map((name) => h("th", { scope: "col" }, name)))),
    body,
  );

  /** A new row before all others: seen at once, and easy to find again. */
  function addRow() {
    finder.value = word = "";
    const rule = desk.document.enforces?.includes("W01") ? "W01" : (desk.document.enforces?.[0] ?? "W01");
    // Until it has a word it stands in the table only: an empty term is no document.
    const row = { term: "", rule, severity: "error" };
    body.prepend(element(row, true));
    body.querySelector("input").focus();
  }

  function put(row, changes, fresh, line) {
    const next = { ...row, ...changes };
    for (const name of ["replacement", "only"]) if (!next[name]) delete next[name];
    if (!next.allowed_in?.length) delete next.allowed_in;
    if (!next.term) return next;
    desk.change("forbidden", fresh ? [next, ...rows()] : rows().map((other) => (other === row ? next : other)), line);
    return next;
  }

  function element(row, isNew) {
    let current = row;
    let fresh = isNew;
    const line = h("tr", { class: isNew ? "fresh" : null });
    const set = (changes) => {
      const before = current;
      current = put(current, changes, fresh, line);
      if (fresh && current.term && current !== before) fresh = false;
    };
    const locked = !desk.editable;
    const input = (label, read, write) => h("input", { type: "text", class: "field", value: read, disabled: locked, "aria-label": label, maxlength: "400", onchange: (event) => set(write(event.target.value.trim())), lang: "zh-Hans" });
    const select = (label, options, value, name) => {
      const chooser = h("select", { class: "field", disabled: locked, "aria-label": label, onchange: () => set({ [name]: chooser.value }) }, ...Object.entries(options).map(([key, text]) => h("option", { value: key }, text)));
      chooser.value = value;
      return chooser;
    };
    const rules = Object.fromEntries([...new Set([...Object.keys(desk.document.citations ?? {}), ...(desk.document.enforces ?? []), row.rule])].sort().map((rule) => [rule, desk.document.enforces?.includes(rule) ? rule : t("{rule}（仅检查）", { rule })]));
    line.append(
      ...[
        [t("禁用词语"), input(t("禁用词语"), row.term, (term) => ({ term }))],
        [t("改写为"), input(t("改写为"), row.replacement ?? "", (replacement) => ({ replacement }))],
        [t("规则"), select(t("规则"), rules, row.rule, "rule")],
        [t("严重程度"), select(t("严重程度"), SEVERITIES(), row.severity, "severity")],
        [t("可以出现在"), input(t("可以出现在"), listText(row.allowed_in), (value) => ({ allowed_in: listFrom(value) }))],
        [t("范围"), select(t("范围"), ONLY(), row.only ?? "", "only")],
      ].map(([label, field]) => h("td", { "data-label": label }, field)),
      h("td", { class: "end" }, locked ? "" : h("button", { type: "button", class: "link", "aria-label": t("删除“{term}”", { term: row.term }), onclick: () => (fresh ? line.remove() : desk.change("forbidden", rows().filter((other) => other !== current))) }, t("删除"))),
    );
    return line;
  }

  function draw() {
    count.textContent = t("{n} 个词语，最多 2000 个", { n: rows().length });
    add.hidden = !desk.editable;
    // The row that is being typed into says so itself: it stays as it is.
    if (desk.by instanceof Node && body.contains(desk.by)) return;
    const found = rows().filter((row) => !word || row.term.includes(word) || (row.replacement ?? "").includes(word));
    body.replaceChildren(...found.slice(0, shown).map((row) => element(row, false)));
    more.hidden = found.length <= shown;
  }
  desk.on("document version", draw);
  return h("div", { class: "panel" }, h("div", { class: "tools" }, add, finder), count, h("p", { class: "faint" }, t("“可以出现在”写包含该词的更长词语，用 | 分隔。")), h("div", { class: "table-frame" }, table), more);
}
