/* The version history: every change of the claims, compared with the present and restored from here. */
import { language, t } from "../i18n/index.js";
import { differences, pairs } from "./compare.js";
import { clock, h, setText } from "./dom.js";

const day = (iso) =>
  new Date(iso).toLocaleDateString(language === "en" ? "en-GB" : "zh-CN", { month: "long", day: "numeric" });

export function versionsPane({ body, status, dialog, session }) {
  let open = false;
  let shownRevision = null;
  let opened = null;

  function entry(version) {
    const current = version.revision === session.model.doc.revision;
    return h(
      "li",
      {},
      h(
        "button",
        { type: "button", class: "version", onclick: () => compare(version), "aria-current": current ? "true" : null },
        h("time", { datetime: version.at }, clock(version.at, language)),
        h("span", { class: "version-summary" }, version.summary),
        h("span", { class: "version-author" }, version.author || t("模型")),
      ),
    );
  }

  function sections(versions) {
    const days = new Map();
    for (const version of versions) {
      const key = day(version.at);
      if (!days.has(key)) days.set(key, []);
      days.get(key).push(version);
    }
    return [...days].map(([name, list]) =>
      h("section", {}, h("h3", {}, name), h("ol", { class: "version-list" }, ...list.map(entry))),
    );
  }

  async function load() {
    if (!open || shownRevision === session.model.doc.revision) return;
    shownRevision = session.model.doc.revision;
    try {
      const answer = await session.versions();
      body.replaceChildren(...sections(answer.versions), ...older(answer));
      setText(status, answer.versions.length ? "" : t("还没有版本。"));
    } catch (error) {
      shownRevision = null;
      setText(status, t("版本列表没有载入：{reason}", { reason: reason(error) }));
    }
  }

  function older({ versions, more }) {
    if (!more) return [];
    const button = h(
      "button",
      {
        type: "button",
        class: "link version-older",
        async onclick() {
          try {
            const answer = await session.versions(versions.at(-1).revision);
            button.replaceWith(...sections(answer.versions), ...older(answer));
            setText(status, "");
          } catch (error) {
            setText(status, t("版本列表没有载入：{reason}", { reason: reason(error) }));
          }
        },
      },
      t("更早的版本"),
    );
    return [button];
  }

  const reason = (error) => (error.kind === "network" ? t("连接中断") : error.message);

  async function compare(version) {
    opened = version;
    const head = dialog.querySelector("h2");
    const list = dialog.querySelector(".compare");
    setText(head, t("版本 {n} 与当前版本", { n: version.revision }));
    setText(dialog.querySelector(".compare-about"), `${day(version.at)} ${clock(version.at, language)} · ${version.summary}`);
    list.replaceChildren(h("p", { class: "quiet" }, t("正在载入……")));
    dialog.showModal();
    try {
      const { claims } = await session.version(version.revision);
      const rows = pairs(claims, session.model.doc.claims).map(pair);
      list.replaceChildren(...(rows.length ? rows : [h("p", { class: "quiet" }, t("两个版本都没有权利要求。"))]));
    } catch (error) {
      list.replaceChildren(h("p", { class: "problem" }, reason(error)));
    }
  }

  function pair({ before, after }) {
    const same = before && after && before.text === after.text;
    const tag = !before ? t("新增") : !after ? t("已删除") : same ? "" : t("已改");
    const text = !after ? h("del", {}, before.text) : !before ? h("ins", {}, after.text) : null;
    return h(
      "section",
      { class: "compare-row", dataset: { same: String(Boolean(same)) } },
      h("span", { class: "compare-number" }, String((after ?? before).number)),
      h("p", { class: "legal", lang: "zh-Hans" }, ...(text ? [text] : differences(before.text, after.text))),
      h("span", { class: "compare-tag" }, tag),
    );
  }

  dialog.querySelector('[data-act="restore"]').addEventListener("click", async () => {
    dialog.close();
    await session.restore(opened.revision);
    shownRevision = null;
    load();
  });

  return {
    open(visible) {
      open = visible;
      load();
    },
    draw: load,
  };
}
