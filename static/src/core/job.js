/* What the page knows of a draft job: a fold over its events, by the rules of the server's replay. */

export const ACTIVE = new Set(["queued", "running", "paused"]);

/** The fold's starting point from a JobView, which knows everything up to event `counted`: a replay
    of older events brings back the texts being written and changes no status. `written` counts the
    completions met so far; a view may lag behind it, for it comes from the database. */
export function fromView(view) {
  return { ...view, counted: view.last_seq, written: 0, streams: {}, moved: null, failures: [] };
}

/** A newer JobView over what was folded: the view's figures, the fold's streaming texts. */
export function mergeView(job, view) {
  if (!job || job.id !== view.id) return fromView(view);
  if (view.last_seq < job.last_seq) return job;
  const done = Math.max(view.done, job.written);
  return { ...job, ...view, done, last_seq: job.last_seq, counted: view.last_seq };
}

export const isActive = (job) => Boolean(job) && ACTIVE.has(job.status);

/** The job after one event. */
export function fold(job, event) {
  const after = foldFresh(job, event);
  if (event.seq > job.counted) return after;
  const { streams, failures, written, done } = after;
  return { ...job, streams, failures, written, done };
}

function foldFresh(job, event) {
  const next = { ...job, last_seq: event.seq };
  const put = (change) => {
    const old = job.streams[event.claim_id] ?? { text: "", attempt: 0, reason: null };
    next.streams = { ...job.streams, [event.claim_id]: { ...old, ...change } };
  };
  const drop = () => {
    const { [event.claim_id]: _gone, ...rest } = job.streams;
    next.streams = rest;
    next.current_claim_id = null;
  };
  switch (event.kind) {
    case "job.queued":
      return { ...next, status: "queued", queue_position: event.position ?? null };
    case "job.started":
    case "job.resumed":
      return { ...next, status: "running", queue_position: null };
    case "job.paused":
      return { ...next, status: "paused" };
    case "job.moved":
      return { ...next, moved: { reason: event.reason, seq: event.seq } };
    case "claim.started":
      put({ text: "", number: event.number, attempt: event.attempt ?? 0, reason: null });
      return { ...next, status: "running", current_claim_id: event.claim_id, moved: null };
    case "claim.delta":
      put({ text: (job.streams[event.claim_id]?.text ?? "") + event.text });
      return { ...next, moved: null };
    case "claim.retry":
      put({ text: "", attempt: event.attempt, reason: event.reason });
      return next;
    case "claim.completed":
      drop();
      next.written = job.written + 1;
      return { ...next, done: Math.max(job.done, next.written), moved: null };
    case "claim.failed":
      drop();
      return {
        ...next,
        failures: [...job.failures, { number: event.number, reason: event.reason, message: event.message }],
      };
    case "job.completed":
      return { ...next, status: "completed", streams: {}, current_claim_id: null };
    case "job.stopped":
      return { ...next, status: "stopped", streams: {}, current_claim_id: null };
    case "job.failed":
      return {
        ...next,
        status: "failed",
        streams: {},
        current_claim_id: null,
        error: { code: event.code, message: event.message },
      };
    default:
      // A newer server may know more kinds; what this page does not know changes nothing here.
      return next;
  }
}
