/* From draft to force: what changes, over which texts, who has taken it up, and the way back. */
import { h, show } from "../ui/dom.js";
import { marked } from "./examples.js";
import { changeList } from "./history.js";
import { t } from "./texts.js";

const LOOK_AGAIN = 1000;

export function publishingPanel(desk, world) {
  const changes = h("div");
  const ready = h("ul", { class: "ready" });
  const fourEyes = h("input", { type: "checkbox", onchange: () => world.setFourEyes(fourEyes.checked) });
  const acks = h("div", { role: "status" });
  const back = h("button", { type: "button", class: "plain", onclick: () => world.goBack(before().number) });
  const run = h("button", { type: "button", class: "plain", onclick: () => start() }, t("对已有文本做回归检查"));
  const halt = h("button", { type: "button", class: "plain", onclick: () => stop() }, t("停止"));
  const bar = h("progress", { max: "1", value: "0", hidden: true });
  const outcome = h("div", { role: "status" });
  let regression = null;
  let base = null;

  const before = () => world.versions.find((version) => version.number && version.number < (world.active ?? 0));

  function state(good, words) {
    return h("li", { class: good === null ? "wait" : good ? "good" : "bad" }, words);
  }

  function drawReady() {
    const judged = desk.examples.filter((one) => desk.fresh.has(one));
    const bad = judged.filter((one) => !desk.verdicts.get(one).as_stated).length;
    const all = judged.length === desk.examples.length;
    ready.replaceChildren(
      state(!desk.problems.length, desk.problems.length ? t("语法有 {n} 处错误", { n: desk.problems.length }) : desk.compileMs === undefined ? t("正在编译……") : t("编译通过，用时 {ms} 毫秒", { ms: desk.compileMs })),
      state(all ? !bad : null, all ? (bad ? t("{bad} 个示例不符", { bad }) : t("{n} 个示例全部相符", { n: judged.length })) : t("正在判定示例……")),
      world.fourEyes ? state(desk.version.may_publish, desk.version.may_publish ? t("四眼原则：您可以发布") : t("四眼原则：您修改过此草稿，须由他人发布")) : "",
      desk.version.base_number && world.active && desk.version.state !== "published" && desk.version.base_number !== world.active ? state(false, t("草稿基于第{base}版，而第{active}版已生效", { base: desk.version.base_number, active: world.active })) : "",
    );
    drawChanges();
  }

  function drawChanges() {
    changes.replaceChildren(base ? changeList(base.document, desk.document) : h("p", { class: "faint" }, t("这是该规则包的第一版。")));
  }

  async function loadBase() {
    if (desk.version.base && base?.id !== desk.version.base) base = await desk.api.version(desk.version.base).catch(() => null);
    drawChanges();
  }

  function drawAcks() {
    const { nodes, missing } = world.acknowledgements;
    const active = world.active;
    fourEyes.checked = world.fourEyes;
    const rows = (nodes ?? []).map((node) =>
      h(
        "tr",
        { class: node.reason ? "bad" : node.version === active ? "good" : "wait" },
        h("td", {}, node.id),
        h("td", {}, node.reason ? t("拒绝：{reason}", { reason: node.reason }) : node.version === active ? t("已采用") : t("仍为第{n}版", { n: node.version })),
        h("td", { class: "number" }, node.reason ? "" : t("{ms} 毫秒", { ms: node.compile_ms })),
      ),
    );
    for (const id of missing ?? []) rows.push(h("tr", { class: "wait" }, h("td", {}, id), h("td", { colspan: "2" }, t("尚未应答"))));
    acks.replaceChildren(
      h("p", {}, world.away ? t("规则库无法访问：{reason}", { reason: world.away }) : active ? t("第{n}版生效中", { n: active }) : t("还没有版本生效。")),
      rows.length
        ? h("table", { class: "acks" }, h("thead", {}, h("tr", {}, ...[t("节点"), t("状态"), t("编译用时")].map((name) => h("th", { scope: "col" }, name)))), h("tbody", {}, ...rows))
        : h("p", { class: "faint" }, world.away ? "" : t("没有节点登记，因此没有应答。节点启动后会自行采用生效的版本。")),
    );
    const older = before();
    show(back, Boolean(older && !world.away));
    if (older) back.textContent = t("一键恢复第{n}版", { n: older.number });
  }

  const open = () => regression && ["waiting", "running"].includes(regression.status);

  async function start() {
    await desk.save();
    try {
      regression = (await desk.api.startRegression(desk.version.id)).regression;
      drawRegression();
      watch();
    } catch (error) {
      outcome.replaceChildren(h("p", { class: "said bad" }, error.message));
    }
  }

  async function stop() {
    regression = (await desk.api.stopRegression(desk.version.id)).regression;
    drawRegression();
  }

  async function watch() {
    while (open()) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN));
      regression = (await desk.api.regression(desk.version.id).catch(() => ({ regression }))).regression;
      drawRegression();
    }
  }

  function changed(title, rows, count) {
    if (!count) return h("p", { class: "said good" }, t("{title}：没有", { title }));
    return h(
      "details",
      {},
      h("summary", {}, t("{title}：{n} 处", { title, n: count })),
      h(
        "ol",
        { class: "texts" },
        ...rows.map((row) =>
          h("li", {}, h("span", { class: "faint" }, `${row.source.startsWith("document:") ? t("本所文档 {id}", { id: row.source.slice(9, 17) }) : row.source} · ${t("第{n}项", { n: row.claim })}`), row.text ? h("p", { class: "legal", lang: "zh-Hans" }, ...marked(row.text, row.position)) : h("p", { class: "faint" }, t("客户文本不在此显示。"))),
        ),
      ),
    );
  }

  function drawRegression() {
    show(halt, Boolean(open()));
    show(run, !open());
    show(bar, Boolean(open()));
    if (!regression) return outcome.replaceChildren();
    bar.max = regression.total || 1;
    bar.value = regression.done;
    const waited = Date.now() - new Date(regression.at) > 10_000;
    const words = {
      waiting: waited ? t("后台工作进程没有应答。它启动后会开始检查。") : t("正在等候后台工作进程……"),
      running: t("已检查 {done}/{total} 段文本", regression),
      done: regression.total ? t("检查了 {total} 段文本，用时 {seconds} 秒", regression) : t("这种文档还没有可供检查的文本。"),
      stopped: t("已停止：检查了 {done}/{total} 段文本", regression),
      failed: t("回归检查没有完成，请先改正语法错误再试。"),
    };
    outcome.replaceChildren(
      h("p", {}, words[regression.status] ?? ""),
      regression.status !== "waiting" && regression.revision !== desk.version.revision ? h("p", { class: "said wait" }, t("之后草稿又有修改，结果可能不同。")) : "",
      // Which texts they are is known at the end.
      regression.done && !open() ? changed(t("原来接受、现在拒绝"), regression.refused, regression.refused_count) : "",
      regression.done && !open() ? changed(t("原来拒绝、现在接受"), regression.accepted, regression.accepted_count) : "",
    );
    return undefined;
  }

  const draftOnly = h("div", {}, h("h3", {}, t("将会改变的内容")), changes, ready, h("h3", {}, t("回归检查")), h("div", { class: "tools" }, run, halt), bar, outcome);
  world.addEventListener("change", () => (drawAcks(), drawReady()));
  desk.on("problems verdicts document", drawReady);
  desk.on("version", () => {
    loadBase();
    drawReady();
    show(draftOnly, desk.version.state !== "published" || Boolean(desk.version.base));
  });
  drawAcks();
  desk.api.regression(desk.version.id).then((answer) => {
    regression = answer.regression;
    drawRegression();
    watch();
  }, () => {});
  drawRegression();
  return h(
    "div",
    { class: "panel" },
    draftOnly,
    h("h3", {}, t("生效情况")),
    acks,
    h("div", { class: "tools" }, back),
    h("label", { class: "check" }, fourEyes, h("span", {}, t("四眼原则：发布人不得是修改过该草稿的人"))),
  );
}
