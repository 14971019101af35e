/* Type a text, see whether the grammar accepts it, where and why not, and what may follow. */
import { h } from "../ui/dom.js";
import { misfit } from "./beginning.js";
import { NAMES, marked } from "./examples.js";
import { stateForm } from "./states.js";
import { t } from "./texts.js";

const AFTER = 500;
const FRESH = { number: 1, kind: "independent", subject: "" };
const MISFITS = () => ({
  numbered: t("文字不带编号：编号在下面填写。"),
  independent: t("这像是独立权利要求，而类型是从属权利要求。"),
  dependent: t("这像是从属权利要求，而类型是独立权利要求。"),
});

export function sandboxPanel(desk, showLine) {
  let timer = null;
  let round = 0;
  const claims = (desk.document.kind ?? "claims") === "claims";
  const text = h("textarea", { class: "field legal", rows: "5", lang: "zh-Hans", "aria-label": t("要试的文字"), oninput: () => later(), maxlength: "5000" });
  // Of other documents an example's state shows at least which names there are.
  const state = stateForm(desk.document.kind ?? "claims", claims ? FRESH : (desk.examples[0]?.state ?? {}), () => later());
  const result = h("div", { class: "result", role: "status" });
  const verdictOf = h("select", { class: "field", "aria-label": t("应有的判定") }, ...["accepted", "refused", "incomplete"].map((kind) => h("option", { value: kind }, NAMES()[kind])));
  const rule = h("input", { type: "text", class: "field short", placeholder: t("规则，如 W01"), "aria-label": t("违反的规则"), pattern: "[A-Z][0-9]{2}" });
  const keep = h("div", { class: "tools keep" }, verdictOf, rule, h("button", { type: "button", class: "plain", onclick: () => addExample() }, t("存为示例")));
  const write = h("button", { type: "button", class: "plain", onclick: () => sample() }, t("让模型按此规则试写"));
  const kept = h("p", { class: "said", role: "status" });

  function addExample() {
    const one = { text: text.value.trim(), state: state.get(), verdict: verdictOf.value };
    if (!one.text || !one.state) return;
    if (one.verdict !== "accepted" && rule.value.trim()) one.rule = rule.value.trim();
    if (desk.examples.some((other) => other.text === one.text && JSON.stringify(other.state) === JSON.stringify(one.state))) {
      kept.textContent = t("这个示例已经有了。");
      return;
    }
    desk.change("examples", [one, ...desk.examples]);
    kept.textContent = t("已存为示例。");
  }

  function later() {
    clearTimeout(timer);
    kept.textContent = "";
    timer = setTimeout(judge, AFTER);
  }

  async function judge() {
    const mine = ++round;
    const values = state.get();
    if (!text.value.trim() || !values || desk.problems.length) return show(null);
    if (claims && !values.subject) return show({ error: { message: t("请填写主题名称，再看判定。") } });
    const answer = await desk.api.explain(desk.bare, values, text.value.trim()).catch((error) => ({ error }));
    if (mine !== round) return;
    show(answer);
  }

  function show(answer) {
    if (!answer) {
      result.replaceChildren(h("p", { class: "faint" }, desk.problems.length ? t("语法有错误，暂不判定。") : t("输入文字即可看到判定。")));
      return;
    }
    if (answer.error) {
      result.replaceChildren(h("p", { class: "said bad" }, answer.error.message));
      return;
    }
    const { verdict, allowed, term, symbols } = answer;
    verdictOf.value = verdict.kind;
    const wrong = claims && verdict.kind === "refused" && verdict.position === 0 ? MISFITS()[misfit(text.value.trim(), state.get().kind)] : "";
    const heads = { accepted: t("接受"), refused: t("在第 {n} 个字处拒绝", { n: (verdict.position ?? 0) + 1 }), incomplete: t("到此为止都对，但还没有写完") };
    result.replaceChildren(
      h("p", {}, h("span", { class: `badge ${verdict.kind === "accepted" ? "good" : verdict.kind === "refused" ? "bad" : "wait"}` }, heads[verdict.kind])),
      verdict.kind === "refused" ? h("p", { class: "legal", lang: "zh-Hans" }, ...marked(text.value.trim(), verdict.position)) : "",
      wrong ? h("p", { class: "said wait" }, wrong) : "",
      term ? h("p", { class: "said" }, t("此处有禁用词语“{term}”（{rule}）", term), term.replacement ? t("，可改写为“{replacement}”", term) : "", "。", term.citation ? h("cite", { class: "faint" }, term.citation) : "") : "",
      symbols?.length ? h("p", { class: "said" }, h("span", { class: "faint" }, t("正在写：")), ...symbols.slice(0, 6).map(([name, line]) => h("button", { type: "button", class: "link mono", onclick: () => showLine(line) }, name))) : "",
      allowed?.length ? h("p", { class: "allowed" }, h("span", { class: "faint" }, t("此处可以接：")), ...allowed.slice(0, 40).map((one) => h("code", {}, one))) : "",
    );
  }

  async function sample() {
    const values = state.get();
    if (!values) return;
    write.disabled = true;
    const label = write.textContent;
    write.textContent = t("模型正在写……");
    try {
      const written = await desk.api.sample(desk.bare, values);
      text.value = written.text;
      kept.textContent = written.finished ? t("由 {node} 写成。", { node: written.node }) : t("由 {node} 写成，到字数上限为止。", { node: written.node });
      await judge();
    } catch (error) {
      kept.textContent = error.kind === "network" && !error.body.message ? t("没有应答，请稍后再试。") : error.message;
    } finally {
      write.disabled = false;
      write.textContent = label;
    }
  }

  desk.on("problems", () => later());
  desk.on("version", () => (keep.hidden = !desk.editable));
  return {
    element: h("div", { class: "panel" }, text, state.element, result, h("div", { class: "tools" }, write), keep, kept),
    take(example) {
      text.value = example.text;
      state.set(example.state);
      rule.value = example.rule ?? "";
      judge();
    },
  };
}
