import test from "node:test";
import assert from "node:assert/strict";
import { backoff, initial, step } from "../../../static/src/core/connection.js";

const JOB = "11111111-1111-1111-1111-111111111111";
const view = (id, status = "running") => ({ id, status, done: 0, total: 8, last_seq: 0 });
const event = (seq) => ({ seq, kind: "claim.delta", claim_id: "c1", text: String(seq) });
const events = (...seqs) => ({ type: "message", message: { type: "job.events", job: JOB, events: seqs.map(event) } });
const welcome = (job = null) => ({ type: "message", message: { type: "welcome", document_revision: 1, job } });

/** Runs events through the machine; returns the last state and every action in order. */
function play(state, ...list) {
  const all = [];
  for (const one of list) {
    const [next, actions] = step(state, one, 0);
    state = next;
    all.push(...actions);
  }
  return { state, actions: all };
}

const online = (state = initial({ job: JOB })) =>
  play(state, { type: "start" }, { type: "open" }, welcome(state.job && view(state.job))).state;
const delivered = (actions) =>
  actions.filter((a) => a.do === "deliver" && a.message.type === "job.events").flatMap((a) => a.message.events.map((e) => e.seq));
const sent = (actions) => actions.filter((a) => a.do === "send").map((a) => a.frame);

test("an opened line says hello with the job and the last number seen", () => {
  const { actions } = play(initial({ job: JOB, seq: 41 }), { type: "start" }, { type: "open" });
  assert.deepEqual(sent(actions), [{ type: "hello", job: JOB, after: 41 }]);
});

test("events are delivered once and in order although they arrive twice", () => {
  const { state, actions } = play(online(), events(1, 2), events(2, 3), events(1, 2, 3, 4));
  assert.deepEqual(delivered(actions), [1, 2, 3, 4]);
  assert.equal(state.seq, 4);
});

test("a gap asks again and delivers nothing beyond it", () => {
  const { state, actions } = play(online(), events(1), events(4, 5));
  assert.deepEqual(delivered(actions), [1]);
  assert.deepEqual(sent(actions), [{ type: "hello", job: JOB, after: 1 }]);
  const after = play(state, events(2, 3, 4, 5));
  assert.deepEqual(delivered(after.actions), [2, 3, 4, 5]);
});

test("a gap that the server cannot fill does not ask for ever", () => {
  const { state, actions } = play(online(), events(1), events(7), events(7, 8));
  assert.equal(sent(actions).length, 1);
  assert.deepEqual(delivered(actions), [1, 7, 8]);
  assert.equal(state.seq, 8);
});

test("a lost line is taken up again after the last delivered event", () => {
  const { state } = play(online(), events(1, 2, 3), { type: "close", code: 1006, opened: true });
  assert.equal(state.phase, "waiting");
  const again = play(state, { type: "timeout", tag: "retry" }, { type: "open" });
  assert.deepEqual(sent(again.actions), [{ type: "hello", job: JOB, after: 3 }]);
});

test("waits grow, are capped and never vanish", () => {
  assert.equal(backoff(0, 0), 250);
  assert.equal(backoff(3, 0.999), 3998);
  assert.equal(backoff(30, 0), 7500);
});

test("a line without any sign of life is hung up", () => {
  const { actions } = play(online(), { type: "timeout", tag: "ping" }, { type: "timeout", tag: "pong" });
  assert.deepEqual(sent(actions), [{ type: "ping" }]);
  assert.ok(actions.some((a) => a.do === "close"));
});

test("an answer to the ping keeps the line", () => {
  const { actions } = play(online(), { type: "timeout", tag: "ping" }, { type: "message", message: { type: "pong" } });
  assert.ok(actions.some((a) => a.do === "cancel" && a.tag === "pong"));
});

test("an expired login stops all tries until the reader has signed in", () => {
  const { state, actions } = play(online(), { type: "close", code: 4401, opened: true });
  assert.equal(state.phase, "expired");
  assert.ok(actions.some((a) => a.do === "expired"));
  assert.ok(!actions.some((a) => a.do === "wait"));
  const later = play(state, { type: "timeout", tag: "retry" }, { type: "network", online: true });
  assert.ok(!later.actions.some((a) => a.do === "connect"));
  assert.ok(play(state, { type: "signed_in" }).actions.some((a) => a.do === "connect"));
});

test("a refused handshake is probed by an ordinary request", () => {
  const { actions } = play(initial(), { type: "start" }, { type: "close", code: 1006, opened: false });
  assert.ok(actions.some((a) => a.do === "probe"));
});

test("a matter that is gone ends the line", () => {
  const { state, actions } = play(online(), { type: "close", code: 4404, opened: true });
  assert.equal(state.phase, "gone");
  assert.ok(!actions.some((a) => a.do === "wait"));
});

test("a start whose answer was lost is said again with the same request", () => {
  const frame = { type: "draft.start", request_id: "r1", params: {} };
  const lost = play(online(initial()), { type: "command", frame }, { type: "close", code: 1006, opened: true });
  const again = play(lost.state, { type: "timeout", tag: "retry" }, { type: "open" }, welcome());
  assert.deepEqual(sent(again.actions).filter((f) => f.type === "draft.start"), [frame]);
});

test("a start that made a job is not said again", () => {
  const frame = { type: "draft.start", request_id: "r1", params: {} };
  const made = play(online(initial()), { type: "command", frame }, { type: "message", message: { type: "job.view", job: view(JOB) } });
  const again = play(made.state, { type: "close", code: 1006, opened: true }, { type: "timeout", tag: "retry" }, { type: "open" }, welcome(view(JOB)));
  assert.ok(!sent(again.actions).some((f) => f.type === "draft.start"));
});

test("a stop pressed while the line is down is sent when it is back", () => {
  const down = play(online(), { type: "close", code: 1006, opened: true });
  const { actions } = play(down.state, { type: "command", frame: { type: "draft.stop", job: JOB } }, { type: "timeout", tag: "retry" }, { type: "open" }, welcome(view(JOB)));
  assert.deepEqual(sent(actions).at(-1), { type: "draft.stop", job: JOB });
});

test("a job that began elsewhere is followed from its first event", () => {
  const { actions } = play(online(initial()), welcome(view(JOB)));
  assert.deepEqual(sent(actions), [{ type: "hello", job: JOB, after: 0 }]);
});

test("a job that ended long ago is not replayed", () => {
  const { actions } = play(online(initial()), welcome(view("22222222-2222-2222-2222-222222222222", "completed")));
  assert.deepEqual(sent(actions), []);
});
