/* The disclosure: reading, searching within it, bringing it in. Its text is never edited here. */
import { occurrences } from "../core/text.js";
import { language, t } from "../i18n/index.js";
import { clock, h, ofInputMethod, reducedMotion, setText, show } from "./dom.js";

const HEADING =
  /^(?:[一二三四五六七八九十]+[、.．]\s*.{1,20}|第[一二三四五六七八九十]+[章节部分].{0,20}|#{1,4}\s.{1,40}|【?(?:(?:专利)?技术交底书|发明名称|技术领域|背景技术|发明内容|实用新型内容|摘要|附图说明|具体实施方式|技术方案|有益效果|关键改进点|实施例\s*\d*)】?[：:]?)$/;

const highlights = globalThis.CSS?.highlights ?? null;

/** Paragraphs of a disclosure: the headings of the usual forms are set as headings. */
function paragraphs(text) {
  return text
    .split(/\n+/)
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) =>
      HEADING.test(line) ? h("h3", {}, line.replace(/^#+\s*/, "")) : h("p", {}, line),
    );
}

export function disclosurePane({ root, session, chooseFile, paste }) {
  const find = (selector) => root.querySelector(selector);
  const article = find(".disclosure-text");
  const about = find(".disclosure-about");
  const search = find('input[type="search"]');
  const result = find(".search-result");
  let drawn = undefined;
  let hits = [];
  let at = -1;

  function draw() {
    const { disclosure } = session.model;
    show(find(".disclosure-empty"), !disclosure);
    for (const part of root.querySelectorAll(".disclosure-reading")) show(part, Boolean(disclosure));
    if (!disclosure || disclosure === drawn) return;
    if (drawn && drawn.text === disclosure.text) return;
    drawn = disclosure;
    article.replaceChildren(...paragraphs(disclosure.text));
    const count = [...disclosure.text].length.toLocaleString("en");
    const when = new Date(disclosure.imported_at);
    const stamp = `${when.toLocaleDateString(language === "en" ? "en-GB" : "zh-CN")} ${clock(disclosure.imported_at, language)}`;
    setText(about, [disclosure.source_name || t("粘贴的文字"), t("{n} 字", { n: count }), stamp].join(" · "));
    look();
  }

  function look() {
    hits = [];
    at = -1;
    const query = search.value.trim();
    for (const block of query ? article.children : []) {
      const node = block.firstChild;
      for (const [from, to] of occurrences(node.data, query)) {
        const range = new Range();
        range.setStart(node, from);
        range.setEnd(node, to);
        hits.push(range);
      }
    }
    if (highlights) highlights.set("disclosure-hits", new Highlight(...hits));
    if (query && hits.length) go(1);
    else mark();
    setText(result, query ? (hits.length ? `${at + 1}/${hits.length}` : t("没有找到")) : "");
  }

  function mark() {
    if (!highlights) return;
    if (at >= 0) highlights.set("disclosure-hit", new Highlight(hits[at]));
    else highlights.delete("disclosure-hit");
  }

  function go(step) {
    if (!hits.length) return;
    at = (at + step + hits.length) % hits.length;
    mark();
    setText(result, `${at + 1}/${hits.length}`);
    hits[at].startContainer.parentElement.scrollIntoView({
      block: "center",
      behavior: reducedMotion() ? "auto" : "smooth",
    });
  }

  search.addEventListener("input", (event) => {
    if (!event.isComposing) look();
  });
  search.addEventListener("compositionend", look);
  search.addEventListener("keydown", (event) => {
    if (ofInputMethod(event)) return;
    if (event.key === "Enter") {
      event.preventDefault();
      go(event.shiftKey ? -1 : 1);
    } else if (event.key === "Escape" && search.value) {
      event.stopPropagation();
      search.value = "";
      look();
    }
  });

  for (const button of root.querySelectorAll('[data-act="choose-file"]')) {
    button.addEventListener("click", chooseFile);
  }
  for (const button of root.querySelectorAll('[data-act="paste"]')) {
    button.addEventListener("click", paste);
  }
  return { draw, focusSearch: () => search.focus() };
}
