/* The findings of the whole document: by claim, with severity and article, each a jump to its text. */
import { countBySeverity, findingsByClaim, SEVERITIES } from "../core/document.js";
import { t } from "../i18n/index.js";
import { h, icon, setText } from "./dom.js";
import { consequenceName, messageOf, severityName } from "./finding-words.js";

/** jump(finding) goes to the text; `onCount(count)` hears how many there are. */
export function findingsPane({ filters, body, summary, session, jump, onCount }) {
  let shown = new Set(SEVERITIES);
  let drawn = null;
  const buttons = new Map(
    SEVERITIES.map((severity) => {
      const count = h("span", { class: "count" });
      const button = h(
        "button",
        {
          type: "button",
          class: `filter severity-${severity}`,
          "aria-pressed": "true",
          onclick: () => toggle(severity),
        },
        icon(severity),
        severityName(severity),
        count,
      );
      return [severity, { button, count }];
    }),
  );
  filters.append(...[...buttons.values()].map((entry) => entry.button));

  function toggle(severity) {
    shown = new Set(shown);
    if (!shown.delete(severity)) shown.add(severity);
    buttons.get(severity).button.setAttribute("aria-pressed", String(shown.has(severity)));
    drawn = null;
    draw();
  }

  function item(finding, text) {
    const quoted = [...text].slice(finding.start, finding.end).join("");
    return h(
      "li",
      {},
      h(
        "button",
        { type: "button", class: `finding-item severity-${finding.severity}`, onclick: () => jump(finding) },
        icon(finding.severity),
        h(
          "span",
          { class: "finding-words" },
          h("span", { class: "visually-hidden" }, `${severityName(finding.severity)}：`),
          messageOf(finding),
          quoted ? h("q", { lang: "zh-Hans" }, quoted.length > 24 ? `${quoted.slice(0, 24)}…` : quoted) : null,
          h(
            "span",
            { class: "finding-source" },
            h("cite", {}, finding.article),
            h("span", {}, consequenceName(finding.consequence)),
            h("code", {}, finding.rule),
          ),
        ),
      ),
    );
  }

  function draw() {
    const { doc } = session.model;
    if (drawn === doc.findings) return;
    drawn = doc.findings;
    const counts = countBySeverity(doc.findings);
    for (const [severity, entry] of buttons) setText(entry.count, String(counts[severity]));
    onCount(doc.findings.length, counts);
    const groups = findingsByClaim(doc.findings.filter((finding) => shown.has(finding.severity)));
    const sections = doc.claims
      .filter((row) => groups.has(row.id))
      .map((row) =>
        h(
          "section",
          { class: "finding-group" },
          h("h3", {}, t("权利要求 {n}", { n: row.number })),
          h("ul", {}, ...groups.get(row.id).map((finding) => item(finding, row.text))),
        ),
      );
    body.replaceChildren(...sections);
    const written = doc.claims.some((row) => row.text);
    setText(
      summary,
      sections.length
        ? ""
        : doc.findings.length
          ? t("所选级别没有发现问题。")
          : written
            ? t("没有发现问题。检查范围：形式、引用、用词。")
            : t("有了权利要求以后，检查结果显示在这里。"),
    );
  }

  return {
    draw,
    /** The finding after (or before) the one jumped to last, for the keys. */
    ordered: () => {
      const groups = findingsByClaim(session.model.doc.findings);
      return session.model.doc.claims.flatMap((row) => groups.get(row.id) ?? []);
    },
  };
}
