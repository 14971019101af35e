/* The pack's examples with their verdicts under the grammar as it stands in the editor. */
import { h } from "../ui/dom.js";
import { confirmed } from "./dialogs.js";
import { summary } from "./states.js";
import { said, t } from "./texts.js";

const SHOWN = 60;
export const NAMES = () => ({ accepted: t("接受"), refused: t("拒绝"), incomplete: t("不完整"), error: t("无法判定") });

/** The text with the character at which it is refused marked. */
export function marked(text, position) {
  if (position === null || position === undefined) return [text];
  const characters = [...text];
  const at = characters.length > position ? characters[position] : "⏎";
  return [characters.slice(0, position).join(""), h("mark", { class: "refused-at" }, at), characters.slice(position + 1).join("")];
}

export function examplesPanel(desk, tryOut) {
  let filter = "all";
  let word = "";
  let shown = SHOWN;
  const count = h("p", { class: "count", role: "status" });
  const list = h("ol", { class: "examples" });
  const more = h("button", { type: "button", class: "plain", onclick: () => ((shown += SHOWN), draw()) }, t("显示更多"));
  const choices = [["all", t("全部")], ["failing", t("仅不符")], ["accepted", t("应接受")], ["refused", t("应拒绝")], ["incomplete", t("应不完整")]];
  const chooser = h(
    "select",
    { class: "field", "aria-label": t("筛选示例"), onchange: () => ((filter = chooser.value), (shown = SHOWN), draw()) },
    choices.map(([value, label]) => h("option", { value }, label)),
  );
  const finder = h("input", { type: "search", class: "field", placeholder: t("查找文字、规则或备注"), "aria-label": t("查找示例"), oninput: () => ((word = finder.value.trim()), (shown = SHOWN), draw()) });

  const failing = (one) => desk.fails(one);
  const wanted = (one) =>
    (filter === "all" || (filter === "failing" ? failing(one) : one.verdict === filter)) &&
    (!word || one.text.includes(word) || (one.rule ?? "").includes(word) || (one.note ?? "").includes(word));

  function row(one) {
    const verdict = desk.verdicts.get(one);
    const names = NAMES();
    const bad = failing(one);
    const badge = verdict
      ? h("span", { class: `badge ${bad ? "bad" : "good"}` }, bad ? t("应{wanted}，实为{found}", { wanted: names[one.verdict], found: names[verdict.kind] }) : names[verdict.kind])
      : h("span", { class: "badge" }, names[one.verdict]);
    return h(
      "li",
      { class: bad ? "example bad" : "example" },
      h(
        "div",
        { class: "example-head" },
        badge,
        one.rule ? h("span", { class: "rule" }, one.rule) : null,
        h("span", { class: "faint" }, summary(one.state)),
        h("button", { type: "button", class: "link", onclick: () => tryOut(one) }, t("试验")),
        desk.editable ? h("button", { type: "button", class: "link", onclick: () => remove(one) }, t("删除")) : null,
      ),
      h("p", { class: "legal", lang: "zh-Hans" }, ...marked(one.text, verdict?.kind === "refused" ? verdict.position : null)),
      verdict?.kind === "error" ? h("p", { class: "said bad" }, said(verdict)) : null,
      one.note ? h("p", { class: "faint" }, one.note) : null,
    );
  }

  async function remove(one) {
    if (await confirmed(t("删除这个示例？"), t("删除")))
      desk.change("examples", desk.examples.filter((other) => other !== one));
  }

  function draw() {
    const all = desk.examples;
    const bad = all.filter(failing).length;
    const fresh = all.filter((one) => desk.fresh.has(one)).length;
    count.textContent = desk.problems.length
      ? t("{n} 个示例；语法有错误，暂不判定", { n: all.length })
      : fresh < all.length
        ? t("正在判定 {done}/{n}……", { done: fresh, n: all.length })
        : bad
          ? t("{n} 个示例，{bad} 个不符", { n: all.length, bad })
          : t("{n} 个示例，全部相符", { n: all.length });
    count.className = `count ${bad ? "bad" : fresh === all.length && !desk.problems.length ? "good" : ""}`;
    const found = all.filter(wanted);
    list.replaceChildren(...found.slice(0, shown).map(row));
    if (!found.length) list.append(h("li", { class: "empty" }, filter === "failing" ? t("没有不符的示例。") : t("没有这样的示例。")));
    more.hidden = found.length <= shown;
  }
  desk.on("document verdicts problems version", draw);
  return h("div", { class: "panel" }, h("div", { class: "tools" }, chooser, finder), count, list, more);
}
