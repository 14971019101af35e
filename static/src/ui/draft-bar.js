/* The bar below the claims: what to draft, and the running draft with its progress. */
import { isActive } from "../core/job.js";
import { t } from "../i18n/index.js";
import { ofInputMethod, setText, shortcut, show } from "./dom.js";
import { preferences } from "../io/keep.js";
import { refusal } from "./sentences.js";

const MOVED = () => ({
  node_loading: t("推理节点正在加载模型，加载完就开始写。"),
  waiting_for_node: t("没有可用的推理节点，正在等待；已写的文字都在。"),
  overloaded: t("推理节点正忙，稍后接着写。"),
  worker: t("起草进程已更换，正在接着写。"),
});

const STATUS = () => ({
  completed: t("起草完成"),
  stopped: t("已停止"),
  failed: t("起草失败"),
});

/** `subjects` {product, method} is what the title offers. */
export function draftBar({ root, session, subjects, notice, started }) {
  const form = root.querySelector("form");
  const running = root.querySelector(".draft-running");
  const options = root.querySelector(".draft-options");
  const more = root.querySelector('[data-act="more"]');
  const submit = root.querySelector('[type="submit"]');
  const bar = root.querySelector(".draft-progress");
  const words = root.querySelector(".draft-words");
  const moved = root.querySelector(".draft-moved");
  const last = root.querySelector(".draft-last");
  const act = (name) => root.querySelector(`[data-act="${name}"]`);
  const field = (name) => form.elements[name];
  setText(submit.querySelector("kbd"), shortcut("Mod-Enter"));

  field("product_subject").value = subjects.product;
  field("method_subject").value = subjects.method;
  const kept = preferences.get("draft", { count: 8, pause: false });
  field("count").value = kept.count;
  field("pause_after_each").checked = kept.pause;
  const announced = subjects.categories ?? ["product"];
  field("categories").value = announced.length > 1 ? "both" : announced[0];

  const step = (by) => {
    const next = Math.max(1, Math.min(30, (Number(field("count").value) || 1) + by));
    field("count").value = next;
  };
  act("fewer").addEventListener("click", () => step(-1));
  act("more-claims").addEventListener("click", () => step(1));
  more.addEventListener("click", () => {
    const open = more.getAttribute("aria-expanded") !== "true";
    more.setAttribute("aria-expanded", String(open));
    show(options, open);
  });

  function params() {
    const categories = { both: ["product", "method"], product: ["product"], method: ["method"] };
    return {
      count: Number(field("count").value),
      categories: categories[field("categories").value],
      product_subject: field("product_subject").value.trim(),
      method_subject: field("method_subject").value.trim(),
      first_claim: field("first_claim").value.trim(),
      pause_after_each: field("pause_after_each").checked,
      instruction: field("instruction").value.trim(),
    };
  }

  async function start() {
    if (submit.disabled || !form.reportValidity()) return;
    const asked = params();
    preferences.set("draft", { count: asked.count, pause: asked.pause_after_each });
    submit.disabled = true;
    await session.start(asked);
    started();
    setTimeout(draw, 1_500);
  }

  form.addEventListener("keydown", (event) => {
    if (ofInputMethod(event) && event.key === "Enter") event.preventDefault();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    start();
  });
  act("pause").addEventListener("click", () => session.control("pause"));
  act("resume").addEventListener("click", () => session.control("resume"));
  act("stop").addEventListener("click", () => session.control("stop"));

  function runningWords(job) {
    if (job.status === "queued") {
      return job.queue_position > 1
        ? t("排队中，前面还有 {n} 项", { n: job.queue_position - 1 })
        : t("排队中，即将开始");
    }
    if (job.status === "paused") return t("已暂停。可以接受、修改或重写已写的权利要求，再继续。");
    const number = job.streams[job.current_claim_id]?.number;
    return number ? t("正在撰写权利要求 {n}", { n: number }) : t("正在准备");
  }

  function lastWords(job) {
    if (!job || isActive(job)) return "";
    const parts = [STATUS()[job.status]];
    if (job.error) parts.push(refusal(job.error));
    if (job.failures.length) {
      const list = job.failures.map((one) => one.number).join(t("、"));
      parts.push(t("未写成：权利要求 {list}", { list }));
    }
    return parts.map((part) => part.replace(/[。.]$/, "")).join(t("。"));
  }

  function hint({ phase }) {
    if (!session.model.disclosure) return t("先导入技术交底书，再起草。");
    return phase === "waiting" ? t("连接恢复后才能起草。") : "";
  }

  function draw() {
    const { job, disclosure, connection } = session.model;
    const active = isActive(job);
    show(form, !active);
    show(running, active);
    root.dataset.status = job?.status ?? "";
    submit.disabled = !disclosure || connection.phase !== "online";
    submit.title = disclosure ? "" : t("请先导入技术交底书。");
    setText(last, hint(connection) || lastWords(job));
    last.dataset.tone = job?.status === "failed" || job?.failures?.length ? "problem" : "";
    if (!active) return;
    bar.max = Math.max(1, job.total);
    bar.value = job.done;
    setText(root.querySelector(".draft-count"), `${job.done}/${job.total || "…"}`);
    setText(words, runningWords(job));
    const note = job.moved ? (MOVED()[job.moved.reason] ?? t("原来的节点离开了，正在由另一个节点接着写。")) : "";
    setText(moved, note);
    show(moved, Boolean(note));
    show(act("pause"), job.status !== "paused");
    show(act("resume"), job.status === "paused");
    act("pause").disabled = job.status === "queued";
  }

  let firstEscape = 0;
  return {
    draw,
    start,
    /** Escape twice within a second stops the model. */
    escape() {
      if (!isActive(session.model.job)) return;
      const now = Date.now();
      if (now - firstEscape < 1_000) session.control("stop");
      else notice(t("再按一次 Esc 停止起草。"));
      firstEscape = now;
    },
  };
}
