import test from "node:test";
import assert from "node:assert/strict";
import { fold, fromView, isActive, mergeView } from "../../../static/src/core/job.js";

const view = (over = {}) => ({ id: "j", status: "running", done: 0, total: 3, error: null, last_seq: 0, queue_position: null, current_claim_id: null, ...over });
const LOG = [
  { kind: "job.queued", position: 2 },
  { kind: "job.started" },
  { kind: "claim.started", claim_id: "c1", number: 1, attempt: 1 },
  { kind: "claim.delta", claim_id: "c1", text: "一种" },
  { kind: "claim.delta", claim_id: "c1", text: "装置" },
  { kind: "claim.completed", claim_id: "c1", number: 1, text: "一种装置。", revision: 3, findings: [] },
  { kind: "claim.started", claim_id: "c2", number: 2, attempt: 1 },
  { kind: "claim.delta", claim_id: "c2", text: "根据" },
].map((event, index) => ({ ...event, seq: index + 1 }));
const run = (job, list) => list.reduce(fold, job);

test("the text being written is the pieces in order", () => {
  const job = run(fromView(view()), LOG.slice(0, 5));
  assert.equal(job.streams.c1.text, "一种装置");
  assert.equal(job.current_claim_id, "c1");
});

test("a completed claim counts and its stream is gone", () => {
  const job = run(fromView(view()), LOG);
  assert.equal(job.done, 1);
  assert.deepEqual(Object.keys(job.streams), ["c2"]);
});

test("a replay after a reload brings the text back and counts nothing twice", () => {
  const job = run(fromView(view({ done: 1, last_seq: 8, current_claim_id: "c2" })), LOG);
  assert.equal(job.done, 1);
  assert.equal(job.status, "running");
  assert.equal(job.streams.c2.text, "根据");
});

test("events after the replay count again", () => {
  const job = run(fromView(view({ done: 1, last_seq: 8 })), [
    ...LOG,
    { kind: "claim.completed", seq: 9, claim_id: "c2", number: 2, text: "x", revision: 5, findings: [] },
  ]);
  assert.equal(job.done, 2);
});

test("a retry throws the text so far away and says why", () => {
  const job = run(fromView(view()), [...LOG, { kind: "claim.retry", seq: 9, claim_id: "c2", attempt: 2, reason: "loop" }]);
  assert.equal(job.streams.c2.text, "");
  assert.equal(job.streams.c2.reason, "loop");
});

test("what was not written is told by its number, also a claim that was never begun", () => {
  const job = run(fromView(view()), [
    ...LOG,
    { kind: "claim.failed", seq: 9, claim_id: "c2", number: 2, reason: "loop", message: "" },
    { kind: "claim.failed", seq: 10, claim_id: "", number: 3, reason: "no_independent", message: "" },
  ]);
  assert.deepEqual(job.failures.map((one) => [one.number, one.reason]), [[2, "loop"], [3, "no_independent"]]);
  assert.deepEqual(job.streams, {});
});

test("a move to another node is shown until the text goes on", () => {
  const moved = run(fromView(view()), [...LOG, { kind: "job.moved", seq: 9, reason: "node_lost" }]);
  assert.equal(moved.moved.reason, "node_lost");
  assert.equal(fold(moved, { kind: "claim.delta", seq: 10, claim_id: "c2", text: "权" }).moved, null);
});

test("an older view does not undo what was folded", () => {
  const job = run(fromView(view()), LOG);
  assert.equal(mergeView(job, view({ last_seq: 3 })), job);
  assert.equal(mergeView(job, view({ last_seq: 8, status: "paused" })).status, "paused");
});

test("the endings end", () => {
  for (const kind of ["job.completed", "job.stopped", "job.failed"]) {
    const job = fold(run(fromView(view()), LOG), { kind, seq: 9, code: "x", message: "y" });
    assert.ok(!isActive(job));
    assert.deepEqual(job.streams, {});
  }
});

test("a kind that this page does not know changes nothing but the number", () => {
  const job = run(fromView(view()), LOG);
  assert.deepEqual(fold(job, { kind: "claim.dreamt", seq: 9 }), { ...job, last_seq: 9 });
});
