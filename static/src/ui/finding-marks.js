/* Wavy underlines for findings, and what they say on hover. While the reader types, the marks move
   with the text; the next answer of the server replaces them. */
import { RangeSet, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, hoverTooltip } from "@codemirror/view";
import { utf16 } from "../core/text.js";
import { h } from "./dom.js";
import { messageOf, severityName } from "./finding-words.js";

/** Findings of this claim with offsets in code points. */
export const setFindings = StateEffect.define();

const ranks = { info: 0, warning: 1, error: 2 };

function marks(doc, findings) {
  const text = doc.toString();
  const ranges = [];
  for (const finding of findings) {
    const from = Math.min(utf16(text, finding.start), text.length);
    const to = Math.min(utf16(text, finding.end), text.length);
    if (from >= to) continue;
    ranges.push(
      Decoration.mark({ class: `finding finding-${finding.severity}`, finding }).range(from, to),
    );
  }
  return RangeSet.of(ranges, true);
}

const field = StateField.define({
  create: () => Decoration.none,
  update(value, transaction) {
    let next = value.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(setFindings)) next = marks(transaction.newDoc, effect.value);
    }
    return next;
  },
  provide: (self) => EditorView.decorations.from(self),
});

const tips = hoverTooltip((view, position) => {
  const here = [];
  view.state.field(field).between(position, position, (from, to, mark) => {
    here.push({ from, to, finding: mark.spec.finding });
  });
  if (!here.length) return null;
  here.sort((a, b) => ranks[b.finding.severity] - ranks[a.finding.severity]);
  return {
    pos: here[0].from,
    end: here[0].to,
    above: true,
    create: () => ({
      dom: h(
        "div",
        { class: "finding-tip" },
        ...here.map(({ finding }) =>
          h(
            "p",
            { class: `severity-${finding.severity}` },
            h("strong", {}, severityName(finding.severity)),
            " ",
            messageOf(finding),
            h("cite", {}, finding.article),
          ),
        ),
      ),
    }),
  };
});

export const findingMarks = [field, tips];
