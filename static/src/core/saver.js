/* Saving one claim: events in, actions out. Promises: one request in flight; a text that the server
   has not acknowledged is kept on this machine; a newer text of somebody else is never overwritten.

   phase: clean | dirty | saving | retry | blocked | refused | conflict
   dirty: typed, waiting for a pause · retry: the network failed · blocked: the login ran out ·
   refused: the server said no, with a reason · conflict: both sides changed the claim. */

export const PAUSE_BEFORE_SAVING = 600;
const RETRY_AFTER = [1_000, 2_000, 5_000, 10_000, 20_000];

export function initial(row) {
  return {
    phase: "clean",
    rev: row.rev,
    saved: row.text,
    text: row.text,
    sent: null,
    operation: null,
    attempt: 0,
    theirs: null,
    reason: "",
    // Texts that were sent and never answered: met again at the server, they are ours.
    unanswered: [],
  };
}

/** Unsaved in the sense that matters: closing the page now would lose it if nothing were kept. */
export const isUnsaved = (state) => state.phase !== "clean";

const wait = (ms) => ({ do: "wait", ms });
const keep = { do: "keep" };
const forget = { do: "forget" };

/** [next state, actions]. `newId` makes the id of an operation. */
export function step(state, event, newId) {
  switch (event.type) {
    case "edit":
      return edit(state, event.text);
    case "due":
    case "flush":
    case "reconnected":
      return due(state, event.type, newId);
    case "saved":
      return acknowledged(state, event.row);
    case "failed":
      return failed(state, event);
    case "conflict":
      return conflict(state, event.theirs);
    case "remote":
      return remote(state, event.row);
    case "resolve":
      return resolve(state, event.text);
    case "restore":
      return restore(state, event.kept);
    default:
      throw new Error(`saver: unknown event ${event.type}`);
  }
}

function edit(state, text) {
  if (state.phase === "conflict" || state.phase === "blocked") return [{ ...state, text }, [keep]];
  if (state.phase === "saving") return [{ ...state, text }, [keep]];
  if (text === state.saved) return [{ ...state, text, phase: "clean", reason: "" }, [forget]];
  return [
    { ...state, text, phase: "dirty", operation: null, attempt: 0, reason: "" },
    [keep, wait(PAUSE_BEFORE_SAVING)],
  ];
}

function due(state, type, newId) {
  const ready = state.phase === "dirty" || state.phase === "retry";
  if (!ready && !(state.phase === "blocked" && type === "reconnected")) return [state, []];
  // The same operation is sent again after a lost answer, unless the text went on since: the server
  // knows the id and does it once.
  const operation =
    state.operation && state.sent === state.text ? state.operation : newId();
  return [
    { ...state, phase: "saving", sent: state.text, operation },
    [{ do: "post", operation, rev: state.rev, text: state.text }],
  ];
}

function acknowledged(state, row) {
  if (!row) return conflict(state, null);
  const unchanged = state.text === state.sent;
  const next = {
    ...state,
    rev: row.rev,
    saved: row.text,
    sent: null,
    operation: null,
    attempt: 0,
    unanswered: [],
  };
  if (unchanged) {
    const actions = [forget];
    if (row.text !== state.text) actions.push({ do: "replace", text: row.text });
    return [{ ...next, phase: "clean", text: row.text, reason: "" }, actions];
  }
  return [{ ...next, phase: "dirty" }, [keep, wait(PAUSE_BEFORE_SAVING)]];
}

function failed(state, { kind, message }) {
  if (kind === "login") return [{ ...state, phase: "blocked" }, [keep]];
  if (kind === "refused") {
    return [{ ...state, phase: "refused", operation: null, reason: message }, [keep]];
  }
  const ms = RETRY_AFTER[Math.min(state.attempt, RETRY_AFTER.length - 1)];
  const unanswered = [...state.unanswered, state.sent];
  return [{ ...state, phase: "retry", attempt: state.attempt + 1, unanswered }, [keep, wait(ms)]];
}

function conflict(state, theirs) {
  if (theirs && theirs.text === state.text) return acknowledged({ ...state, sent: state.text }, theirs);
  if (theirs && state.unanswered.includes(theirs.text)) {
    return acknowledged({ ...state, sent: theirs.text }, theirs);
  }
  return [{ ...state, phase: "conflict", theirs, sent: null, operation: null }, [keep]];
}

function remote(state, row) {
  if (state.phase === "saving") return [state, []];
  if (row === null) return state.phase === "clean" ? [state, []] : conflict(state, null);
  if (state.phase === "conflict") {
    return state.theirs && state.theirs.rev === row.rev ? [state, []] : [{ ...state, theirs: row }, []];
  }
  if (row.rev === state.rev && row.text === state.saved) return [state, []];
  if (state.phase === "clean") {
    const actions = row.text === state.text ? [] : [{ do: "replace", text: row.text }];
    return [{ ...state, rev: row.rev, saved: row.text, text: row.text }, actions];
  }
  if (row.rev === state.rev) return [{ ...state, saved: row.text }, []];
  return conflict(state, row);
}

/** The agent decided: the text that shall stand, on top of the version he was shown. */
function resolve(state, text) {
  const theirs = state.theirs;
  const next = { ...state, rev: theirs.rev, saved: theirs.text, text, theirs: null, reason: "" };
  const actions = text === state.text ? [] : [{ do: "replace", text }];
  if (text === theirs.text) return [{ ...next, phase: "clean" }, [...actions, forget]];
  return [{ ...next, phase: "dirty" }, [...actions, keep, wait(0)]];
}

/** A text kept from before a reload. */
function restore(state, kept) {
  if (kept.text === state.saved) return [state, [forget]];
  const next = { ...state, text: kept.text, rev: kept.rev };
  const actions = [{ do: "replace", text: kept.text }];
  if (kept.rev !== state.rev) {
    const theirs = { rev: state.rev, text: state.saved };
    return [{ ...next, phase: "conflict", theirs }, [...actions, keep]];
  }
  return [{ ...next, phase: "dirty" }, [...actions, keep, wait(0)]];
}
