/* The grammar in CodeMirror: highlighting, folding, completion, problems, definitions, renaming. */
import { autocompletion, closeBrackets, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import {
  HighlightStyle,
  StreamLanguage,
  bracketMatching,
  codeFolding,
  foldGutter,
  foldKeymap,
  foldService,
  syntaxHighlighting,
} from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState } from "@codemirror/state";
import {
  EditorView,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";

import { ask } from "./dialogs.js";
import { definitionOf, folds, mayBecome, nameAt, occurrences, tokens } from "./symbols.js";
import { said, t } from "./texts.js";

const KINDS = { comment: "comment", string: "string", pattern: "regexp", directive: "keyword", operator: "operator" };

const lark = StreamLanguage.define({
  token(stream) {
    if (stream.eatSpace()) return null;
    const first = tokens(stream.string.slice(stream.pos)).next().value;
    if (!first || first.from > 0) {
      stream.next();
      return null;
    }
    const starts = stream.string.slice(0, stream.pos).trim() === "";
    stream.pos += first.text.length;
    if (first.kind !== "name") return KINDS[first.kind];
    if (starts && /^\s*(\{[^}]*\})?\s*:/.test(stream.string.slice(stream.pos))) return "definition";
    return /^_?[A-Z]/.test(first.text) ? "typeName" : "variableName";
  },
  tokenTable: { definition: tags.definition(tags.variableName), typeName: tags.typeName },
  languageData: { commentTokens: { line: "//" } },
});

const colours = HighlightStyle.define([
  { tag: tags.comment, class: "lark-comment" },
  { tag: tags.string, class: "lark-string" },
  { tag: tags.regexp, class: "lark-pattern" },
  { tag: tags.keyword, class: "lark-directive" },
  { tag: tags.operator, class: "lark-operator" },
  { tag: tags.typeName, class: "lark-terminal" },
  { tag: tags.definition(tags.variableName), class: "lark-definition" },
]);

const PHRASES = {
  Find: "查找", Replace: "替换", next: "下一个", previous: "上一个", all: "全选", "match case": "区分大小写",
  regexp: "正则", "by word": "整词", replace: "替换", "replace all": "全部替换", close: "关闭",
};

function complete(context) {
  const word = context.matchBefore(/[%_A-Za-z][_A-Za-z0-9]*/);
  if (!word && !context.explicit) return null;
  const text = context.state.doc.toString();
  const names = new Map();
  for (const one of occurrences(text)) if (one.defines) names.set(one.name, one.from);
  const described = (from) => {
    const above = text.slice(0, from).split("\n").at(-2) ?? "";
    return above.startsWith("//") ? above.replace(/^\/+\s*-*\s*/, "") : undefined;
  };
  return {
    from: word ? word.from : context.pos,
    options: [
      ...[...names].map(([label, from]) => ({
        label,
        type: /^_?[A-Z]/.test(label) ? "class" : "function",
        info: described(from),
      })),
      ...["ONE", "ANY_OF", "TEXT"].map((label) => ({ label, type: "keyword", apply: `${label}{` })),
      ...["%param", "%forbidden"].map((label) => ({ label, type: "keyword" })),
    ],
  };
}

function toDefinition(view) {
  const text = view.state.doc.toString();
  const name = nameAt(text, view.state.selection.main.head);
  const place = name && definitionOf(text, name.name);
  if (!place) return false;
  view.dispatch({ selection: { anchor: place.from, head: place.to }, scrollIntoView: true });
  view.focus();
  return true;
}

async function rename(view) {
  const text = view.state.doc.toString();
  const old = nameAt(text, view.state.selection.main.head)?.name;
  if (!old || !definitionOf(text, old)) return;
  const next = await ask(t("把 {name} 改名为", { name: old }), {
    value: old,
    refuse: (name) => (name === old || mayBecome(text, old, name) ? "" : t("这个名称不能用：已被占用，或大小写与原名不一致。")),
  });
  if (!next || next === old) return;
  const changes = occurrences(view.state.doc.toString())
    .filter((one) => one.name === old)
    .map(({ from, to }) => ({ from, to, insert: next }));
  view.dispatch({ changes, userEvent: "rename" });
  view.focus();
}

export function grammarEditor(parent, { text, readOnly, changed }) {
  const mutable = new Compartment();
  const locked = (on) => [EditorState.readOnly.of(on), EditorView.editable.of(!on)];
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        foldGutter(),
        codeFolding(),
        lintGutter(),
        history(),
        drawSelection(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        highlightSelectionMatches(),
        bracketMatching(),
        closeBrackets(),
        search({ top: true }),
        EditorView.lineWrapping,
        lark,
        syntaxHighlighting(colours),
        foldService.of((state, start) => folds(state.doc.toString()).get(start) ?? null),
        autocompletion({ override: [complete] }),
        EditorState.phrases.of(document.documentElement.lang.startsWith("en") ? {} : PHRASES),
        EditorView.contentAttributes.of({ "aria-label": t("语法"), spellcheck: "false" }),
        keymap.of([
          { key: "F12", run: toDefinition },
          { key: "F2", run: (where) => (rename(where), true) },
          ...completionKeymap,
          ...searchKeymap,
          ...foldKeymap,
          ...lintKeymap,
          ...historyKeymap,
          ...defaultKeymap,
          indentWithTab,
        ]),
        EditorView.domEventHandlers({
          mousedown(event, where) {
            if (!event.ctrlKey && !event.metaKey) return false;
            const at = where.posAtCoords({ x: event.clientX, y: event.clientY });
            if (at === null) return false;
            where.dispatch({ selection: { anchor: at } });
            return toDefinition(where);
          },
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) changed(update.state.doc.toString());
        }),
        mutable.of(locked(readOnly)),
      ],
    }),
  });
  return {
    view,
    lock: (on) => view.dispatch({ effects: mutable.reconfigure(locked(on)) }),
    replace: (next) => {
      if (next !== view.state.doc.toString())
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } });
    },
    show(problem) {
      const { from, to } = placeOf(view.state.doc, problem);
      view.dispatch({ selection: { anchor: from, head: to }, scrollIntoView: true });
      view.focus();
    },
    problems(list) {
      const diagnostics = list
        .filter((problem) => problem.line > 0)
        .map((problem) => ({
          ...placeOf(view.state.doc, problem),
          severity: problem.severity ?? "error",
          source: problem.code,
          message: [said(problem), said(problem, "hint")].filter(Boolean).join("\n"),
        }));
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
  };
}

/** Columns count characters from 1; the document counts UTF-16 units. */
function placeOf(doc, { line, column }) {
  const at = doc.line(Math.min(Math.max(line, 1), doc.lines));
  const from = at.from + [...at.text].slice(0, column - 1).join("").length;
  const rest = /^[%_A-Za-z0-9]+|^./u.exec(doc.sliceString(from, at.to))?.[0] ?? "";
  return { from: Math.min(from, at.to), to: Math.min(from + rest.length, at.to) };
}
