/* Carries out core/saver.js for every claim of the page: timers, requests, the texts kept here. */
import { initial, isUnsaved, step } from "./core/saver.js";
import { newId } from "./io/ids.js";

/** Phases in which a change that moves claims may go ahead. */
const SETTLED = new Set(["clean", "conflict", "refused"]);

/** post({claimId, rev, text, operation}) → the claim's row after saving; rejects with ApiError.
    onChange(saved) hears every change of a phase; saved: a claim has just become clean. */
export function savings({ post, keep, onChange }) {
  const claims = new Map();

  function happen(id, event) {
    const claim = claims.get(id);
    if (!claim) return;
    const [next, actions] = step(claim.state, event, newId);
    const changed = next.phase !== claim.state.phase || next.theirs !== claim.state.theirs;
    claim.state = next;
    for (const action of actions) perform(id, claim, action);
    if (changed) onChange(next.phase === "clean");
  }

  function perform(id, claim, action) {
    switch (action.do) {
      case "wait":
        clearTimeout(claim.timer);
        claim.timer = setTimeout(() => happen(id, { type: "due" }), action.ms);
        return;
      case "post":
        clearTimeout(claim.timer);
        claim.request = send(id, action);
        return;
      case "keep":
        claim.kept = keep.put(id, claim.state);
        return;
      case "forget":
        keep.drop(id);
        return;
      case "replace":
        claim.editor.replace(action.text);
        return;
      default:
        throw new Error(`saver action ${action.do}`);
    }
  }

  async function send(id, action) {
    let event;
    try {
      event = { type: "saved", row: await post({ claimId: id, ...action }) };
    } catch (error) {
      if (error.kind === "conflict") event = { type: "conflict", theirs: error.body.theirs ?? null };
      else event = { type: "failed", kind: error.kind, message: error.message };
    }
    await settled(id, event);
  }

  /** An answer waits for the end of a composition: it may change the text. */
  function settled(id, event) {
    const claim = claims.get(id);
    if (!claim) return undefined;
    return new Promise((done) => {
      claim.editor.whenIdle(() => {
        happen(id, event);
        done();
      });
    });
  }

  return {
    add(row, editor) {
      const claim = { state: initial(row), editor, timer: 0, request: null, kept: true };
      claims.set(row.id, claim);
    },
    remove(id) {
      clearTimeout(claims.get(id)?.timer);
      claims.delete(id);
    },
    /** Gives up the unsaved text of a claim, by the agent's decision. */
    discard(id) {
      this.remove(id);
      keep.drop(id);
    },
    has: (id) => claims.has(id),
    state: (id) => claims.get(id)?.state,
    typed: (id, text) => happen(id, { type: "edit", text }),
    /** `row` is null when the claim was removed elsewhere. */
    remote: (id, row) => settled(id, { type: "remote", row }),
    restore: (id, kept) => happen(id, { type: "restore", kept }),
    resolve: (id, text) => happen(id, { type: "resolve", text }),
    retry: (id) => happen(id, { type: "flush" }),
    reconnected() {
      for (const id of claims.keys()) happen(id, { type: "reconnected" });
    },
    /** Sends what is waiting; true when every claim is settled afterwards. */
    async flush() {
      for (let round = 0; round < 3; round += 1) {
        for (const id of claims.keys()) happen(id, { type: "flush" });
        await Promise.all([...claims.values()].map((claim) => claim.request));
        if ([...claims.values()].every((claim) => SETTLED.has(claim.state.phase))) return true;
      }
      return false;
    },
    /** The states that are not saved, by claim id. */
    unsaved: () =>
      new Map(
        [...claims].filter(([, c]) => isUnsaved(c.state)).map(([id, c]) => [id, c.state]),
      ),
    /** True when leaving the page now loses text: unsaved and not even kept on this machine. */
    wouldLose: () => [...claims.values()].some((c) => isUnsaved(c.state) && !c.kept),
  };
}
