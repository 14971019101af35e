/* The workspace's one controller: what the page knows, and the only place that talks to the server. */
import { applyEvent, claimById, empty, replace } from "./core/document.js";
import { fold, fromView, isActive, mergeView } from "./core/job.js";
import { newId } from "./io/ids.js";
import { openLine } from "./io/socket.js";
import { savings } from "./saving.js";

/** Emits through `onChange(what)`: "state" (something to draw), "stream" (only streaming text),
    and through `tell(kind, detail)` what a reader should hear of. */
export function createSession({ initial, api, keep, socketUrl, onChange, tell }) {
  const model = {
    matter: initial.matter,
    disclosure: initial.disclosure,
    doc: replace(empty, initial.document),
    job: initial.job ? fromView(initial.job) : null,
    canUndo: Boolean(initial.can_undo),
    canRedo: Boolean(initial.can_redo),
    connection: { phase: "connecting" },
    savedAt: null,
    busy: 0,
  };
  let refreshing = null;
  let refreshAgain = false;
  let queue = Promise.resolve();

  const saves = savings({
    keep,
    onChange(saved) {
      if (saved) model.savedAt = new Date().toISOString();
      onChange("state");
    },
    async post({ claimId, rev, text, operation }) {
      const answer = await guarded(() =>
        api.operate({ kind: "edit", claim_id: claimId, rev, text }, operation, model.doc.revision),
      );
      take(answer);
      return answer.claims.find((row) => row.id === claimId) ?? null;
    },
  });

  /** Every request passes here, so that an expired login is noticed whoever asked. */
  async function guarded(ask) {
    try {
      return await ask();
    } catch (thrown) {
      const error = await meant(thrown);
      if (error.kind === "login") line.loginRequired();
      if (error.kind === "gone") tell("gone");
      throw error;
    }
  }

  /** The CSRF check comes before the login check: when the login ran out as well, that is what the
      reader can do something about. */
  async function meant(error) {
    if (error.body?.code !== "csrf_failed") return error;
    return api.state().then(
      () => error,
      (second) => second,
    );
  }

  function take(answer) {
    const before = new Set(model.doc.claims.map((row) => row.id));
    model.doc = replace(model.doc, answer);
    if ("can_undo" in answer) model.canUndo = answer.can_undo;
    if ("can_redo" in answer) model.canRedo = answer.can_redo;
    for (const row of model.doc.claims) before.delete(row.id);
    // A removed claim whose text is still unsaved here stays visible as a conflict.
    for (const id of before) if (saves.has(id)) saves.remote(id, null);
    for (const row of model.doc.claims) if (saves.has(row.id)) saves.remote(row.id, row);
    onChange("state");
  }

  /** GET state/, at most one at a time; calls during one lead to exactly one more. */
  function refresh() {
    if (refreshing) {
      refreshAgain = true;
      return refreshing;
    }
    refreshing = guarded(() => api.state(model.disclosure))
      .then((state) => {
        model.matter = state.matter;
        if ("disclosure" in state) model.disclosure = state.disclosure;
        if (state.job) model.job = mergeView(model.job, state.job);
        take({ ...state.document, can_undo: state.can_undo, can_redo: state.can_redo });
      })
      .finally(() => {
        refreshing = null;
        if (refreshAgain) {
          refreshAgain = false;
          refresh().catch(() => {});
        }
      });
    return refreshing;
  }

  const line = openLine({
    url: socketUrl,
    job: isActive(initial.job) ? initial.job.id : null,
    onMessage: hear,
    onPhase(state) {
      const was = model.connection.phase;
      model.connection = { phase: state.phase, waitMs: state.waitMs, since: Date.now() };
      if (state.phase === "online" && was !== "online") saves.reconnected();
      if (state.phase === "expired") tell("expired");
      if (state.phase === "gone") tell("gone");
      onChange("state");
    },
    probe: () =>
      api.state(model.disclosure).then(
        () => "",
        (error) => error.kind,
      ),
  });

  function hear(message) {
    switch (message.type) {
      case "welcome":
        if (message.job) model.job = mergeView(model.job, message.job);
        if (message.document_revision > model.doc.revision || (!message.job && isActive(model.job))) {
          refresh().catch(() => {});
        }
        return onChange("state");
      case "job.view":
        model.job = mergeView(model.job, message.job);
        return onChange("state");
      case "job.events":
        return message.events.forEach((event) => happened(message.job, event));
      case "document.changed":
        if (message.revision > model.doc.revision) refresh().catch(() => {});
        return undefined;
      case "error":
        return tell("refused", { code: message.code, message: message.message });
      default:
        return undefined;
    }
  }

  function happened(jobId, event) {
    if (!model.job || model.job.id !== jobId) {
      model.job = fromView({ id: jobId, status: "queued", done: 0, total: 0, last_seq: 0 });
    }
    const fresh = event.seq > model.job.counted;
    model.job = fold(model.job, event);
    model.doc = applyEvent(model.doc, event);
    // The editor shows the finished text at once, not only when the whole state has come.
    const written = event.kind === "claim.completed" && claimById(model.doc, event.claim_id);
    if (written && saves.has(written.id)) saves.remote(written.id, written);
    if (event.kind === "claim.delta") return onChange("stream");
    if (fresh) tell("event", event);
    const newer = event.kind === "claim.completed" && event.revision > model.doc.revision;
    const ended = ["claim.failed", "job.completed", "job.stopped", "job.failed"].includes(event.kind);
    if (fresh && (newer || ended)) refresh().catch(() => {});
    return onChange("state");
  }

  /** Everything typed is saved, or the step that needs it does not happen. */
  async function settled() {
    if (!(await saves.flush())) throw Object.assign(new Error("unsaved"), { kind: "unsaved" });
  }

  /** One change of the claims at a time, each after everything typed was saved. */
  function change(ask) {
    model.busy += 1;
    onChange("state");
    const run = queue.then(async () => {
      await settled();
      const answer = await guarded(ask);
      take(answer);
      return answer;
    });
    queue = run.catch(() => {});
    return run
      .catch((error) => {
        tell("failed", error);
        return null;
      })
      .finally(() => {
        model.busy -= 1;
        onChange("state");
      });
  }

  const operate = (op) => {
    const id = newId();
    return change(() => api.operate(op, id, model.doc.revision));
  };

  const command = (type, fields = {}) => line.command({ type, ...fields });

  return {
    model,
    saves,
    refresh,
    operate,
    claim: (id) => claimById(model.doc, id),
    async insertAfter(afterId, text = "") {
      const answer = await operate({ kind: "insert", after_id: afterId, text });
      return answer?.claim_id ?? null;
    },
    restore: (revision) => {
      const id = newId();
      return change(() => api.restore(revision, id, model.doc.revision));
    },
    async importDisclosure(source) {
      const answer = await guarded(() =>
        typeof source === "string" ? api.importText(source) : api.importFile(source),
      );
      model.disclosure = answer.disclosure;
      onChange("state");
    },
    versions: (before) => guarded(() => api.versions(before)),
    version: (revision) => guarded(() => api.version(revision)),
    exported: async () => {
      await settled();
      return guarded(api.exported);
    },
    start: async (params) => {
      await saves.flush();
      command("draft.start", { request_id: newId(), params });
    },
    regenerate: async (claimId, instruction) => {
      await saves.flush();
      command("draft.regenerate", { request_id: newId(), claim_id: claimId, instruction });
    },
    control: (verb) => model.job && command(`draft.${verb}`, { job: model.job.id }),
    signedIn() {
      line.signedIn();
      saves.reconnected();
      refresh().catch(() => {});
    },
    retryNow: () => line.retryNow(),
  };
}
