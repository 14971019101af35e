/* One claim's text in CodeMirror. The rule of this file: nothing is written into the document while
   the reader composes with an input method; what arrives meanwhile waits for the end. */
import { Compartment, EditorState, Transaction } from "@codemirror/state";
import { EditorView, keymap, placeholder } from "@codemirror/view";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { singleChange } from "../core/text.js";
import { findingMarks, setFindings } from "./finding-marks.js";
import { t } from "../i18n/index.js";

const nonce = document.querySelector('meta[name="csp-nonce"]')?.content ?? "";

// Claims are prose: keys of code editors are left to the page (moving a claim, next finding).
const taken = new Set(["Alt-ArrowUp", "Alt-ArrowDown", "Mod-Enter", "Mod-/", "Alt-A", "Mod-["]);
const proseKeys = defaultKeymap.filter((binding) => !taken.has(binding.key));

const theme = EditorView.theme({
  "&": { fontSize: "inherit", color: "inherit", backgroundColor: "transparent" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "inherit", lineHeight: "inherit", overflowX: "visible" },
  ".cm-content": { padding: "0", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0" },
  ".cm-placeholder": { color: "var(--ink-3)" },
});

/** handlers: onText(text), onFocus(), onKey(event) → true when the page took the key. */
export function claimEditor({ parent, text, label, handlers }) {
  const naming = new Compartment();
  const access = new Compartment();
  const waiting = [];
  let composing = false;
  let composed = false;

  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        history(),
        EditorView.domEventHandlers({
          keydown: (event) => handlers.onKey(event),
          focus: () => handlers.onFocus(),
          compositionstart: () => {
            composing = true;
          },
          // The editor reads the confirmed text after this event, hence the turn of the loop.
          compositionend: () => {
            setTimeout(ended, 20);
          },
        }),
        keymap.of([...proseKeys, ...historyKeymap]),
        EditorView.lineWrapping,
        EditorView.cspNonce.of(nonce),
        placeholder(t("在此写入权利要求的文字……")),
        naming.of(named(label)),
        access.of([]),
        findingMarks,
        theme,
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return;
          if (update.transactions.some((one) => one.annotation(Transaction.remote))) return;
          if (composing) composed = true;
          else handlers.onText(update.state.doc.toString());
        }),
      ],
    }),
  });

  function ended() {
    if (view.composing) {
      setTimeout(ended, 20);
      return;
    }
    composing = false;
    // The reader's text is told first: what waited then meets it as an unsaved edit.
    if (composed) handlers.onText(view.state.doc.toString());
    composed = false;
    for (const change of waiting.splice(0)) change();
  }

  /** Runs `change` now, or after the composition that is going on. */
  function whenIdle(change) {
    if (composing || view.composing) waiting.push(change);
    else change();
  }

  return {
    view,
    whenIdle,
    get text() {
      return view.state.doc.toString();
    },
    /** A text from the server, or the one that the reader chose. Not part of the typing's undo. */
    replace(next) {
      whenIdle(() => {
        const change = singleChange(view.state.doc.toString(), next);
        if (!change) return;
        view.dispatch({
          changes: change,
          annotations: [Transaction.remote.of(true), Transaction.addToHistory.of(false)],
        });
      });
    },
    setFindings(findings) {
      whenIdle(() => view.dispatch({ effects: setFindings.of(findings) }));
    },
    setLabel(next) {
      whenIdle(() => view.dispatch({ effects: naming.reconfigure(named(next)) }));
    },
    setReadOnly(readOnly) {
      whenIdle(() =>
        view.dispatch({
          effects: access.reconfigure(readOnly ? [EditorState.readOnly.of(true)] : []),
        }),
      );
    },
    /** Selects [from, to) in UTF-16 units, cut to the text. */
    select(from, to) {
      const length = view.state.doc.length;
      view.dispatch({
        selection: { anchor: Math.min(from, length), head: Math.min(to, length) },
      });
      view.focus();
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

const named = (label) =>
  EditorView.contentAttributes.of({
    "aria-label": label,
    "aria-multiline": "true",
    lang: "zh-Hans",
    spellcheck: "false",
    autocorrect: "off",
    autocapitalize: "off",
  });
