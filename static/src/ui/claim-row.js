/* One claim: its number and state in the margin, its text, its tools. Built once, then patched. */
import { citedAtHead } from "../core/text.js";
import { t } from "../i18n/index.js";
import { claimEditor } from "./claim-editor.js";
import { conflictBox } from "./conflict.js";
import { h, iconButton, setText, show, shortcut } from "./dom.js";
import { severityName } from "./finding-words.js";
import { instructionField } from "./instruction.js";

const STATES = () => ({
  writing: t("撰写中"),
  proposed: t("待定"),
  accepted: t("已接受"),
  failed: t("未写成"),
});

const SAVING = () => ({
  dirty: t("未保存"),
  saving: t("正在保存"),
  retry: t("未保存，正在重试"),
  blocked: t("未保存，等待重新登录"),
  refused: t("未保存"),
  conflict: t("有冲突，请选择"),
});

const RETRIES = () => ({
  loop: t("文字出现重复，正在重写"),
  junk: t("文字不成句，正在重写"),
  duplicate: t("与已有权利要求重复，正在重写"),
  too_long: t("过长，正在重写"),
  empty: t("没有写出文字，正在重写"),
  violation: t("不符合规则，正在重写"),
  node: t("推理节点出错，正在重写"),
});

/** acts: the page's commands, each called with the claim's id. */
export function claimRow(row, acts) {
  const id = row.id;
  const number = h("button", { type: "button", class: "claim-number", tabindex: "-1" });
  const state = h("span", { class: "claim-state" });
  const marks = h("button", { type: "button", class: "claim-marks", tabindex: "-1", hidden: true });
  const live = h("div", { class: "claim-live legal", lang: "zh-Hans", hidden: true });
  const liveText = document.createTextNode("");
  live.append(liveText, h("span", { class: "caret", "aria-hidden": "true" }));
  const host = h("div", { class: "claim-editor legal" });
  const note = h("p", { class: "claim-note", hidden: true });
  const kin = h("span", { class: "claim-kin" });
  const save = h("span", { class: "claim-save" });
  const extra = h("div", { class: "claim-extra" });
  const tool = (name, label, keys, act) =>
    iconButton(name, keys ? `${label} (${shortcut(keys)})` : label, () => act(id), {
      tabindex: "-1",
      "aria-label": label,
    });
  const decide = h(
    "span",
    { class: "claim-decide" },
    h("button", { type: "button", class: "small accept", tabindex: "-1", onclick: () => acts.accept(id) }, t("接受")),
    h("button", { type: "button", class: "small reject", tabindex: "-1", onclick: () => acts.reject(id) }, t("拒绝")),
  );
  const tools = h(
    "span",
    { class: "claim-tools" },
    tool("rewrite", t("按要求重写"), "R", acts.instruct),
    tool("insert", t("在其后插入"), "I", acts.insert),
    tool("up", t("上移"), "Alt-Up", acts.up),
    tool("down", t("下移"), "Alt-Down", acts.down),
    acts.example ? tool("example", t("选中的文字作规则示例"), "", acts.example) : null,
    tool("remove", t("删除"), "Delete", acts.remove),
  );
  const foot = h("div", { class: "claim-foot" }, kin, save, h("span", { class: "gap" }), tools, decide);
  const element = h(
    "li",
    { class: "claim", dataset: { claim: id } },
    h("div", { class: "claim-margin" }, number, state, marks),
    h("div", { class: "claim-body" }, live, host, note, extra, foot),
  );

  const editor = claimEditor({
    parent: host,
    text: row.text,
    label: "",
    handlers: {
      onText: (text) => acts.typed(id, text),
      onFocus: () => acts.chosen(id),
      onKey: (event) => acts.key(event, id),
    },
  });

  number.addEventListener("click", () => acts.chosen(id));
  element.addEventListener("focusin", () => acts.chosen(id));
  marks.addEventListener("click", () => acts.firstFinding(id));

  let drawn = { findings: null, label: "", text: null };
  let box = null;
  let instruction = null;

  function drawMargin(current, findings, label) {
    setText(number, current.number ? String(current.number) : "–");
    setText(state, STATES()[current.state] ?? "");
    const counts = ["error", "warning", "info"].map((s) => [s, findings.filter((f) => f.severity === s).length]);
    const worst = counts.find(([, count]) => count > 0);
    show(marks, Boolean(worst));
    if (worst) {
      marks.className = `claim-marks severity-${worst[0]}`;
      setText(marks, String(findings.length));
      const words = counts.filter(([, n]) => n).map(([s, n]) => `${severityName(s)} ${n}`);
      marks.title = words.join("，");
      marks.setAttribute("aria-label", t("权利要求 {n}：{what}", { n: current.number, what: words.join("，") }));
    }
    number.setAttribute("aria-label", `${label}，${state.textContent}`);
  }

  function drawNote(current, stream, saver) {
    let words = "";
    if (saver.phase === "refused") words = saver.reason;
    else if (current.state === "writing" && stream?.reason) words = RETRIES()[stream.reason] ?? t("正在重写");
    else if (current.state === "failed") words = t("这一项没有写成，可以重写或删除。");
    setText(note, words);
    show(note, Boolean(words));
    note.dataset.tone = current.state === "writing" ? "progress" : "problem";
  }

  function drawConflict(current, saver) {
    const wanted = saver.phase === "conflict";
    if (wanted && box?.theirs !== saver.theirs) {
      box?.element.remove();
      box = conflictBox({ claim: current, saver, resolve: (choice) => acts.resolve(id, choice) });
      extra.prepend(box.element);
      if (element.hasAttribute("data-selected")) box.element.scrollIntoView({ block: "nearest" });
    } else if (!wanted && box) {
      box.element.remove();
      box = null;
    }
  }

  return {
    element,
    editor,
    number,
    /** Draws what changed. `stream` is the text being written, `saver` core/saver.js's state. */
    draw({ row: current, findings, stream, saver, selected, busy, writable }) {
      const writing = current.state === "writing";
      const label = t("权利要求 {n}", { n: current.number || "–" });
      element.dataset.state = current.state;
      element.dataset.saving = saver.phase;
      element.toggleAttribute("data-selected", selected);
      number.tabIndex = selected ? 0 : -1;
      for (const button of element.querySelectorAll(".claim-foot button, .claim-marks")) {
        button.tabIndex = selected ? 0 : -1;
      }
      drawMargin(current, findings, label);
      drawNote(current, stream, saver);
      drawConflict(current, saver);
      show(live, writing);
      show(host, !writing);
      if (writing) this.stream(stream?.text ?? "");
      if (label !== drawn.label) editor.setLabel(t("{claim}的文字", { claim: label }));
      if (findings !== drawn.findings) editor.setFindings(findings);
      drawn = { findings, label };
      const cited = citedAtHead(writing ? (stream?.text ?? "") : saver.text);
      const empty = !writing && !saver.text;
      setText(kin, empty ? "" : cited ? t("引用 {numbers}", { numbers: cited }) : writing && !stream?.text ? "" : t("独立"));
      setText(save, SAVING()[saver.phase] ?? "");
      show(decide, current.state === "proposed");
      for (const button of decide.children) button.disabled = busy;
      for (const button of tools.children) button.disabled = busy || (writing && button !== tools.lastChild);
      if (!writable) tools.firstChild.disabled = true;
    },
    /** The text being written, as far as it has come: appended, so that a selection stays. */
    stream(text) {
      const old = liveText.data;
      if (text === old) return;
      if (text.startsWith(old)) liveText.appendData(text.slice(old.length));
      else liveText.data = text;
    },
    askInstruction() {
      if (!instruction) {
        instruction = instructionField({
          send(text) {
            acts.regenerate(id, text);
            this.close();
          },
          close: () => {
            instruction?.element.remove();
            instruction = null;
            number.focus();
          },
        });
        extra.append(instruction.element);
      }
      instruction.focus();
    },
    destroy() {
      editor.destroy();
      element.remove();
    },
  };
}
