/* Every version with author and reason; comparing two side by side; going back. */
import { MergeView, unifiedMergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";

import { h, show } from "../ui/dom.js";
import { changesBetween } from "./changes.js";
import { showWide } from "./dialogs.js";
import { label } from "./settings.js";
import { language, t } from "./texts.js";

const NARROW = 800;
export const when = (iso) => new Date(iso).toLocaleString(language === "en" ? "en-GB" : "zh-CN", { dateStyle: "short", timeStyle: "short" });
export const nameOf = (version) => (version.number ? t("第{n}版", { n: version.number }) : `${version.state_title} #${version.id}`);

/** The changes as a list of sentences. */
export function changeList(before, after) {
  const { terms, grammarLines, examples, others } = changesBetween(before, after);
  const rows = [
    ...terms.added.map((row) => (row.replacement ? t("禁用“{term}”，改写为“{replacement}”", row) : t("禁用“{term}”", row))),
    ...terms.removed.map((term) => t("不再禁用“{term}”", { term })),
    ...terms.changed.map((term) => t("“{term}”一行有修改", { term })),
    grammarLines ? t("语法有 {n} 行不同", { n: grammarLines }) : "",
    examples.added ? t("新增 {n} 个示例", { n: examples.added }) : "",
    examples.removed ? t("删除 {n} 个示例", { n: examples.removed }) : "",
    others.length ? t("设置有修改：{names}", { names: others.join("、") }) : "",
  ].filter(Boolean);
  return h("ul", { class: "changes" }, ...(rows.length ? rows : [t("内容相同。")]).map((row) => h("li", {}, row)));
}

/** Two documents side by side; one under the other where the screen is narrow. */
export function compare(title, before, after, names) {
  const frame = h("div", { class: "merge" });
  const common = [EditorView.lineWrapping, EditorState.readOnly.of(true), lineNumbers()];
  const readable = (document) => `${document.grammar ?? ""}\n\n// ---- ${t("禁用词语")} ----\n${(document.forbidden ?? []).map((row) => `// ${row.term}${row.replacement ? ` → ${row.replacement}` : ""}  ${row.rule} ${(row.allowed_in ?? []).join("、")}`).join("\n")}\n`;
  const [left, right] = [readable(before), readable(after)];
  if (innerWidth < NARROW) {
    new EditorView({ parent: frame, doc: right, extensions: [...common, unifiedMergeView({ original: left, mergeControls: false, collapseUnchanged: { margin: 2 } })] });
  } else {
    new MergeView({ parent: frame, a: { doc: left, extensions: common }, b: { doc: right, extensions: common }, collapseUnchanged: { margin: 2 }, gutter: true });
  }
  showWide(title, h("div", { class: "compare" }, changeList(before, after), h("div", { class: "merge-names" }, ...names.map((name) => h("span", {}, name))), frame));
}

export function historyPanel(desk, world) {
  const list = h("ol", { class: "versions" });
  const passed = h("h3", {}, t("此版的经过"));
  const steps = h("ol", { class: "steps" });
  const ACTIONS = () => ({
    begin: t("开始"), import: t("导入"), save: t("保存"), submit: t("送审"), give_back: t("退回"), discard: t("放弃"),
    publish: t("发布"), regression: t("回归检查"),
  });

  async function against(version) {
    const other = await desk.api.version(version.id);
    compare(t("比较"), other.document, desk.document, [nameOf(version), nameOf(desk.version)]);
  }

  function draw() {
    list.replaceChildren(
      ...world.versions.map((version) => {
        const here = version.id === desk.version.id;
        return h(
          "li",
          { class: here ? "version here" : "version" },
          h(
            "div",
            { class: "version-head" },
            here ? h("strong", {}, nameOf(version)) : h("a", { href: `?version=${version.id}` }, nameOf(version)),
            version.number && version.number === world.active ? h("span", { class: "badge good" }, t("生效中")) : null,
            version.state === "review" ? h("span", { class: "badge wait" }, version.state_title) : null,
            h("span", { class: "gap" }),
            here ? null : h("button", { type: "button", class: "link", onclick: () => against(version) }, t("与当前比较")),
            h("a", { href: desk.api.exportUrl(version.id), download: true }, t("导出")),
            version.number && world.active && version.number !== world.active ? h("button", { type: "button", class: "link", onclick: () => world.goBack(version.number) }, t("恢复此版")) : null,
          ),
          h("p", {}, version.reason || t("随软件提供")),
          h("p", { class: "faint" }, [version.author, when(version.at), version.reviewer ? t("审核 {name}", { name: version.reviewer }) : ""].filter(Boolean).join(" · ")),
        );
      }),
    );
    show(passed, Boolean(desk.version.steps?.length));
    steps.replaceChildren(
      ...(desk.version.steps ?? []).map((step) =>
        h("li", {}, h("span", {}, ACTIONS()[step.action] ?? step.action), h("span", { class: "faint" }, [step.actor, when(step.at), step.detail.reason, step.detail.parts?.map(label).join(t("、"))].filter(Boolean).join(" · "))),
      ),
    );
  }
  world.addEventListener("change", draw);
  desk.on("version", draw);
  return h("div", { class: "panel" }, list, passed, steps);
}
