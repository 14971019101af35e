/* The claims: rows kept by id, the keys of the list, and scrolling that never fights the reader. */
import { isActive } from "../core/job.js";
import { findingsByClaim } from "../core/document.js";
import { claimRow } from "./claim-row.js";
import { claimKeys } from "./claim-keys.js";
import { dragging } from "./drag.js";
import { order, reducedMotion, show } from "./dom.js";

const NEAR_THE_END = 64;
const NO_FINDINGS = [];

/** `acts` are the page's commands; `session` is read only, apart from its savings' registration. */
export function claimsPane({ scroller, list, emptyState, session, acts }) {
  const rows = new Map();
  let selected = null;
  let following = isActive(session.model.job);

  // Any step upwards is the reader's and ends the following; near the end on the way down, it begins.
  let place = 0;
  scroller.addEventListener("scroll", () => {
    const left = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
    following = left < 2 || (scroller.scrollTop >= place && left < NEAR_THE_END);
    place = scroller.scrollTop;
  });

  const visibleRows = () => {
    const { claims } = session.model.doc;
    const known = new Set(claims.map((row) => row.id));
    const orphans = [...session.saves.unsaved().keys()]
      .filter((id) => !known.has(id) && rows.has(id))
      .map((id) => ({ id, text: "", state: "accepted", number: null }));
    return [...claims, ...orphans];
  };

  function draw() {
    const { doc, job, busy, connection } = session.model;
    const all = visibleRows();
    const byClaim = findingsByClaim(doc.findings);
    const present = new Set(all.map((row) => row.id));
    if (!present.has(selected)) selected = all[0]?.id ?? null;
    for (const [id, row] of rows) {
      if (present.has(id)) continue;
      session.saves.remove(id);
      row.destroy();
      rows.delete(id);
    }
    for (const data of all) {
      if (!rows.has(data.id)) adopt(data);
    }
    for (const data of all) {
      rows.get(data.id).draw({
        row: data,
        findings: byClaim.get(data.id) ?? NO_FINDINGS,
        stream: job?.streams[data.id],
        saver: session.saves.state(data.id),
        selected: data.id === selected,
        busy: busy > 0,
        writable: connection.phase === "online",
      });
    }
    order(list, all.map((data) => rows.get(data.id).element));
    show(emptyState, all.length === 0);
    show(list, all.length > 0);
    follow();
  }

  function adopt(data) {
    const row = claimRow(data, { ...acts, chosen: choose, key: keys.inEditor });
    rows.set(data.id, row);
    session.saves.add(data, row.editor);
  }

  /** Only the streaming texts: called for every piece that arrives. */
  function drawStreams() {
    const streams = session.model.job?.streams ?? {};
    for (const [id, stream] of Object.entries(streams)) rows.get(id)?.stream(stream.text);
    follow();
  }

  /** While the model writes, the end stays in sight, unless the reader has scrolled away from it. */
  function follow() {
    if (following && isActive(session.model.job)) scroller.scrollTop = scroller.scrollHeight;
  }

  function choose(id) {
    if (id === selected) return;
    const before = rows.get(selected);
    selected = id;
    before?.element.removeAttribute("data-selected");
    rows.get(id)?.element.setAttribute("data-selected", "");
  }

  function reveal(id, { block = "nearest" } = {}) {
    // A jump is the reader's wish: the page must not drag him back to the end afterwards.
    following = false;
    rows.get(id)?.element.scrollIntoView({ block, behavior: reducedMotion() ? "auto" : "smooth" });
  }

  function focusRow(id) {
    const row = rows.get(id);
    if (!row) return;
    choose(id);
    acts.redraw();
    row.number.tabIndex = 0;
    row.number.focus({ preventScroll: true });
    reveal(id);
  }

  const ids = () => [...list.children].map((element) => element.dataset.claim);
  const neighbour = (id, step) => ids()[ids().indexOf(id) + step] ?? null;

  const keys = claimKeys({
    list,
    acts,
    selected: () => selected,
    go(step) {
      const next = neighbour(selected, step);
      if (next) focusRow(next);
    },
    edit: (id) => rows.get(id)?.editor.focus(),
    leave: focusRow,
  });
  dragging({ list, move: acts.moveTo });

  return {
    draw,
    drawStreams,
    reveal,
    focusRow,
    neighbour,
    edit: (id) => rows.get(id)?.editor.focus(),
    instruct: (id) => rows.get(id)?.askInstruction(),
    /** Selects a span of a claim's text, in UTF-16 units. */
    select(id, from, to) {
      choose(id);
      reveal(id, { block: "center" });
      rows.get(id)?.editor.select(from, to);
    },
    followEnd() {
      following = true;
      follow();
    },
    /** Texts kept on this machine from before a reload, met with what the server has now. */
    restore(kept) {
      for (const [id, text] of kept) {
        if (!rows.has(id)) adopt({ id, text: "", state: "accepted", rev: text.rev, number: null });
        session.saves.restore(id, text);
        if (!session.claim(id)) session.saves.remote(id, null);
      }
      draw();
    },
    textOf: (id) => rows.get(id)?.editor.text ?? "",
    /** The span that is selected in a claim's text, in UTF-16 units; empty where none is. */
    selection(id) {
      const { from, to } = rows.get(id).editor.view.state.selection.main;
      return { from, to };
    },
  };
}

