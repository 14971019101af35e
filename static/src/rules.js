/* The editor of a rule pack, in the admin. The page carries the version and the pack's schema. */
import { h, show } from "./ui/dom.js";
import { importPack, rulesApi } from "./rules/api.js";
import { Desk } from "./rules/desk.js";
import { ask, confirmed } from "./rules/dialogs.js";
import { examplesPanel } from "./rules/examples.js";
import { grammarEditor } from "./rules/grammar-editor.js";
import { compare, historyPanel, nameOf } from "./rules/history.js";
import { publishingPanel } from "./rules/publishing.js";
import { sandboxPanel } from "./rules/sandbox.js";
import { settingsPanel } from "./rules/settings.js";
import { claimAsked, takeClaim } from "./rules/taking.js";
import { termsPanel } from "./rules/terms.js";
import { said, t } from "./rules/texts.js";
import { World } from "./rules/world.js";

const data = (id) => JSON.parse(document.getElementById(id).textContent);

/** Tabs over panels; the panels stay, so nothing typed in one is lost. */
function tabs(name, panels) {
  const buttons = panels.map(([label, panel], index) =>
    h("button", { type: "button", role: "tab", id: `${name}-tab-${index}`, "aria-controls": `${name}-${index}`, onclick: () => choose(index) }, label),
  );
  panels.forEach(([, panel], index) => {
    panel.id = `${name}-${index}`;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", `${name}-tab-${index}`);
  });
  function choose(index) {
    panels.forEach(([, panel], other) => show(panel, other === index));
    buttons.forEach((button, other) => button.setAttribute("aria-selected", String(other === index)));
  }
  const bar = h("div", { class: "tabs", role: "tablist" }, ...buttons);
  bar.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = (buttons.indexOf(document.activeElement) + step + buttons.length) % buttons.length;
    choose(next);
    buttons[next].focus();
  });
  choose(0);
  return { element: h("section", { class: `side ${name}` }, bar, ...panels.map(([, panel]) => panel)), choose };
}

function editor(root) {
  const api = rulesApi(root.dataset.slug);
  const notice = h("p", { class: "notice-line", role: "status" });
  const tell = (words, bad = false) => {
    notice.textContent = words;
    notice.classList.toggle("bad", bad);
  };
  const world = new World(api, tell);
  const desk = new Desk(api, data("rules-version"));

  // --- The grammar and what the server says about it
  const frame = h("div", { class: "grammar-frame" });
  const problems = h("ul", { class: "problems" });
  const grammarPanel = h("div", { class: "panel grammar" }, frame, problems, h("p", { class: "faint hint" }, t("Ctrl+空格 补全 · F12 或 Ctrl+点击 转到定义 · F2 改名 · Ctrl+F 查找")));
  const grammar = grammarEditor(frame, { text: desk.document.grammar, readOnly: !desk.editable, changed: (text) => text === desk.document.grammar || desk.change("grammar", text, "grammar") });
  desk.on("document", () => desk.by === "grammar" || grammar.replace(desk.document.grammar));
  desk.on("version", () => grammar.lock(!desk.editable));
  desk.on("problems", () => {
    grammar.problems(desk.problems);
    problems.replaceChildren(
      ...desk.problems.map((problem) =>
        h(
          "li",
          {},
          problem.line ? h("button", { type: "button", class: "link", onclick: () => (left.choose(0), grammar.show(problem)) }, t("第{line}行，第{column}列", problem)) : h("code", {}, problem.excerpt),
          " ",
          said(problem),
          said(problem, "hint") ? h("span", { class: "faint" }, ` ${said(problem, "hint")}`) : "",
          problem.code ? h("code", { class: "code" }, problem.code) : "",
        ),
      ),
    );
  });

  const sandbox = sandboxPanel(desk, (line) => (left.choose(0), grammar.show({ line, column: 1 })));
  const left = tabs("left", [[t("语法"), grammarPanel], [t("禁用词语"), termsPanel(desk)], [t("设置"), settingsPanel(desk, data("rules-schema"))]]);
  const right = tabs("right", [
    [t("示例"), examplesPanel(desk, (example) => (right.choose(1), sandbox.take(example)))],
    [t("沙盒"), sandbox.element],
    [t("版本"), historyPanel(desk, world)],
    [t("发布"), publishingPanel(desk, world)],
  ]);

  // --- The head: where the version stands, and its next step
  const badge = h("span", { class: "badge" });
  const about = h("span", { class: "faint" });
  const saving = h("span", { class: "saving", role: "status" });
  const steps = h("div", { class: "tools" });

  const refresh = async (version) => {
    desk.take({ ...version, ...(await api.version(version.id)) });
    await world.look();
  };
  const act = (work) => async (event) => {
    const button = event.currentTarget;
    button.disabled = true;
    tell("");
    try {
      if (desk.saving !== "saved" && !(await desk.save())) return tell(t("还有没保存的修改，请先处理。"), true);
      await work();
    } catch (error) {
      tell(error.body?.message ?? t("没有应答，请稍后再试。"), true);
      if (error.body?.failing) right.choose(0);
    } finally {
      button.disabled = false;
    }
    return undefined;
  };
  const button = (label, work, main = false) => h("button", { type: "button", class: main ? "main" : "plain", onclick: act(work) }, label);

  const begin = async () => {
    const reason = await ask(t("为什么要修改？"), { placeholder: t("例如：客户要求“连接”一律写作“耦合”"), confirm: t("开始修改") });
    if (!reason) return;
    const draft = await api.begin(desk.version.id, reason);
    const query = new URLSearchParams(location.search);
    query.set("version", draft.id);
    location.search = query;
  };
  const submit = async () => {
    const bad = desk.examples.filter((one) => desk.fails(one)).length;
    if (bad && !(await confirmed(t("{n} 个示例不符，这样不能发布。仍要送审？", { n: bad }), t("送审")))) return right.choose(0);
    return refresh(await api.step(desk.version.id, "submit"));
  };
  const giveBack = async () => {
    const reason = await ask(t("退回的理由"), { confirm: t("退回") });
    if (reason) await refresh(await api.giveBack(desk.version.id, reason));
  };
  const discard = async () => {
    if (!(await confirmed(t("放弃这份草稿？放弃后不再列出。"), t("放弃")))) return;
    await api.step(desk.version.id, "discard");
    location.search = "";
  };
  const publish = async () => {
    tell(t("正在编译，并由引擎和独立检查判定全部示例，约需一分钟……"));
    const published = await api.step(desk.version.id, "publish");
    await refresh(published);
    tell(t("第{n}版已生效。", { n: published.number }));
    right.choose(3);
  };

  const drawHead = () => {
    const version = desk.version;
    const inForce = version.number && version.number === world.active;
    badge.textContent = inForce ? t("生效中") : version.state_title;
    badge.className = `badge ${inForce ? "good" : version.state === "review" ? "wait" : ""}`;
    about.textContent = [nameOf(version), version.reason, version.author].filter(Boolean).join(" · ");
    const offered = {
      draft: [button(t("放弃"), discard), button(t("送审"), submit, true)],
      review: [button(t("退回"), giveBack), button(t("发布"), publish, true)],
      published: [button(t("开始修改"), begin, true)],
    };
    steps.replaceChildren(...(offered[version.state] ?? []));
  };
  desk.on("version", drawHead);
  world.addEventListener("change", drawHead);

  desk.on("saving version", () => {
    const words = { saved: desk.editable ? t("已保存") : "", pending: t("有修改"), running: t("正在保存……"), failed: t("没有保存"), conflict: t("有冲突") };
    saving.textContent = words[desk.saving];
    saving.classList.toggle("bad", desk.saving === "failed" || desk.saving === "conflict");
    if (desk.saving === "failed") tell(desk.error.body?.message ?? t("保存没有应答，正在重试。"), true);
    if (desk.saving === "conflict") conflict();
  });

  /** Somebody else saved first: both texts are shown, the author decides. */
  function conflict() {
    const { theirs, yours, by } = desk.error.body;
    notice.replaceChildren(
      t("{name} 刚刚保存了此草稿。两份内容都还在，请比较后决定。", { name: by || t("他人") }),
      " ",
      h("button", { type: "button", class: "link", onclick: () => compare(t("比较"), theirs, yours, [t("他人的内容"), t("我的内容")]) }, t("比较")),
      h("button", { type: "button", class: "link", onclick: () => (tell(""), desk.settle(yours)) }, t("用我的内容")),
      h("button", { type: "button", class: "link", onclick: () => (tell(""), desk.settle(theirs)) }, t("用他人的内容")),
    );
    notice.classList.add("bad");
  }

  addEventListener("beforeunload", (event) => {
    if (desk.saving !== "saved") event.preventDefault();
  });

  root.replaceChildren(
    h("header", { class: "rules-head" }, h("div", { class: "where" }, badge, about, saving), steps),
    notice,
    h("div", { class: "rules-columns" }, left.element, right.element),
  );
  root.removeAttribute("data-loading");
  const asked = claimAsked(location.search);
  if (asked) takeClaim(asked, { api, desk, tell, show: (example) => (right.choose(1), sandbox.take(example)) });
  world.look();
  world.watch();
}

/** The list's import: one file becomes a draft. */
function importer(root) {
  const words = h("p", { class: "said", role: "status" });
  const input = h("input", { type: "file", accept: ".json,application/json", hidden: true });
  input.addEventListener("change", async () => {
    const file = input.files[0];
    input.value = "";
    if (!file) return;
    try {
      const document_ = JSON.parse(await file.text());
      const reason = await ask(t("导入的理由"), { confirm: t("导入") });
      if (!reason) return;
      const { id, pack } = await importPack(document_, reason);
      location.href = `${root.dataset.packs}${pack}/change/?version=${id}`;
    } catch (error) {
      words.textContent = error instanceof SyntaxError ? t("这个文件不是规则包（JSON）。") : error.message;
      words.classList.add("bad");
    }
  });
  root.append(h("button", { type: "button", class: "plain", onclick: () => input.click() }, t("导入规则包文件")), input, words);
}

for (const root of document.querySelectorAll(".rules[data-slug]")) editor(root);
for (const root of document.querySelectorAll(".rules[data-packs]")) importer(root);
