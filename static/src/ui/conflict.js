/* Two versions of one claim, side by side; the agent decides, nothing is lost before he does. */
import { t } from "../i18n/index.js";
import { differences } from "./compare.js";
import { h } from "./dom.js";

/** resolve({choice: "mine" | "theirs" | "merged" | "reinsert", text}) */
export function conflictBox({ claim, saver, resolve }) {
  const { theirs, text } = saver;
  const gone = theirs === null;
  const merged = h("textarea", {
    class: "field legal",
    rows: "5",
    lang: "zh-Hans",
    "aria-label": t("合并后的文字"),
  });
  merged.value = text;
  const mergeArea = h(
    "div",
    { class: "conflict-merge", hidden: true },
    merged,
    h(
      "button",
      {
        type: "button",
        class: "small primary",
        onclick: () => resolve({ choice: "merged", text: merged.value }),
      },
      t("采用合并后的文字"),
    ),
  );
  const choose = (label, choice, value) =>
    h("button", { type: "button", class: "small", onclick: () => resolve({ choice, text: value }) }, label);
  const element = h(
    "section",
    { class: "conflict", "aria-label": t("权利要求 {n} 有冲突", { n: claim.number || "–" }) },
    h(
      "p",
      { class: "conflict-head", role: "alert" },
      gone
        ? t("这一项已在别处删除，您的修改还没有保存。")
        : t("这一项已在别处修改。两个版本都还在，请选择。"),
    ),
    h(
      "div",
      { class: "conflict-sides" },
      gone
        ? null
        : h(
            "div",
            {},
            h("h4", {}, t("别处的版本")),
            h("p", { class: "legal", lang: "zh-Hans" }, theirs.text || t("（空）")),
            choose(t("用别处的版本"), "theirs", theirs.text),
          ),
      h(
        "div",
        {},
        h("h4", {}, t("我的版本")),
        h("p", { class: "legal", lang: "zh-Hans" }, ...(gone ? [text] : differences(theirs.text, text))),
        gone
          ? [choose(t("作为新的一项插入"), "reinsert", text), choose(t("放弃我的修改"), "theirs", "")]
          : choose(t("用我的版本"), "mine", text),
      ),
    ),
    gone
      ? null
      : h(
          "button",
          {
            type: "button",
            class: "link",
            onclick: () => {
              mergeArea.hidden = false;
              merged.focus();
            },
          },
          t("两者合并……"),
        ),
    mergeArea,
  );
  return { element, theirs };
}
