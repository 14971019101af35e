import test from "node:test";
import assert from "node:assert/strict";
import { initial, step } from "../../../static/src/core/saver.js";

const ROW = { id: "c1", rev: 3, text: "甲" };
let ids = 0;
const newId = () => `op-${(ids += 1)}`;

function play(state, ...list) {
  const all = [];
  for (const one of list) {
    const [next, actions] = step(state, one, newId);
    state = next;
    all.push(...actions);
  }
  return { state, actions: all };
}
const edit = (text) => ({ type: "edit", text });
const due = { type: "due" };
const saved = (rev, text) => ({ type: "saved", row: { id: "c1", rev, text } });
const lost = { type: "failed", kind: "network", message: "" };
const posts = (actions) => actions.filter((a) => a.do === "post");

test("typing is saved after a pause, on the revision it was based on", () => {
  const { state, actions } = play(initial(ROW), edit("甲乙"), due);
  assert.equal(state.phase, "saving");
  assert.equal(posts(actions)[0].rev, 3);
  assert.equal(posts(actions)[0].text, "甲乙");
});

test("an acknowledged text is clean and no longer kept", () => {
  const { state, actions } = play(initial(ROW), edit("甲乙"), due, saved(4, "甲乙"));
  assert.equal(state.phase, "clean");
  assert.equal(state.rev, 4);
  assert.equal(actions.at(-1).do, "forget");
});

test("one request is in flight; what is typed meanwhile follows on the new revision", () => {
  const { state, actions } = play(initial(ROW), edit("甲乙"), due, edit("甲乙丙"), due, saved(4, "甲乙"), due);
  assert.equal(posts(actions).length, 2);
  assert.equal(posts(actions)[1].rev, 4);
  assert.equal(state.sent, "甲乙丙");
});

test("a lost network repeats the same operation", () => {
  const { actions } = play(initial(ROW), edit("甲乙"), due, lost, due);
  const [first, second] = posts(actions);
  assert.equal(first.operation, second.operation);
});

test("after more typing it is another operation", () => {
  const { actions } = play(initial(ROW), edit("甲乙"), due, lost, edit("甲乙丙"), due);
  const [first, second] = posts(actions);
  assert.ok(first.operation !== second.operation);
});

test("our own text whose answer was lost is not taken for somebody else's", () => {
  const { state } = play(initial(ROW), edit("甲乙"), due, lost, edit("甲乙丙"), due, { type: "conflict", theirs: { rev: 4, text: "甲乙" } });
  assert.equal(state.phase, "dirty");
  assert.equal(state.rev, 4);
});

test("a later edit of somebody else is a conflict and nothing is sent over it", () => {
  const { state, actions } = play(initial(ROW), edit("甲乙"), { type: "remote", row: { rev: 4, text: "丁" } }, due);
  assert.equal(state.phase, "conflict");
  assert.equal(posts(actions).length, 0);
  assert.equal(state.text, "甲乙");
  assert.equal(state.theirs.text, "丁");
});

test("keeping mine is sent on top of theirs", () => {
  const { state, actions } = play(initial(ROW), edit("甲乙"), { type: "remote", row: { rev: 4, text: "丁" } }, { type: "resolve", text: "甲乙" }, due);
  assert.equal(posts(actions)[0].rev, 4);
  assert.equal(posts(actions)[0].text, "甲乙");
  assert.equal(state.phase, "saving");
});

test("taking theirs sends nothing", () => {
  const { state, actions } = play(initial(ROW), edit("甲乙"), { type: "remote", row: { rev: 4, text: "丁" } }, { type: "resolve", text: "丁" });
  assert.equal(state.phase, "clean");
  assert.deepEqual(actions.filter((a) => a.do === "replace"), [{ do: "replace", text: "丁" }]);
});

test("a clean claim follows the server", () => {
  const { state, actions } = play(initial(ROW), { type: "remote", row: { rev: 4, text: "丁" } });
  assert.equal(state.phase, "clean");
  assert.deepEqual(actions, [{ do: "replace", text: "丁" }]);
});

test("the same change made on both sides is no conflict", () => {
  const { state } = play(initial(ROW), edit("丁"), { type: "remote", row: { rev: 4, text: "丁" } });
  assert.equal(state.phase, "clean");
});

test("an expired login keeps the text and sends it after the next login", () => {
  const blocked = play(initial(ROW), edit("甲乙"), due, { type: "failed", kind: "login" }, edit("甲乙丙"), due);
  assert.equal(blocked.state.phase, "blocked");
  assert.equal(posts(blocked.actions).length, 1);
  const again = play(blocked.state, { type: "reconnected" });
  assert.equal(posts(again.actions)[0].text, "甲乙丙");
});

test("a text kept from before a reload is saved when nobody changed the claim", () => {
  const { state, actions } = play(initial(ROW), { type: "restore", kept: { rev: 3, text: "甲乙" } }, due);
  assert.equal(state.phase, "saving");
  assert.equal(actions[0].do, "replace");
});

test("a text kept from before a reload meets a newer version as a conflict", () => {
  const { state } = play(initial({ ...ROW, rev: 5, text: "戊" }), { type: "restore", kept: { rev: 3, text: "甲乙" } });
  assert.equal(state.phase, "conflict");
  assert.equal(state.theirs.text, "戊");
  assert.equal(state.text, "甲乙");
});

test("a claim removed elsewhere keeps the unsaved text as a conflict", () => {
  const { state } = play(initial(ROW), edit("甲乙"), { type: "remote", row: null });
  assert.equal(state.phase, "conflict");
  assert.equal(state.theirs, null);
});

test("typing back to the saved text leaves nothing to save", () => {
  const { state, actions } = play(initial(ROW), edit("甲乙"), edit("甲"), due);
  assert.equal(state.phase, "clean");
  assert.equal(posts(actions).length, 0);
});

test("a refusal says why and waits for the next edit", () => {
  const refused = play(initial(ROW), edit("甲乙"), due, { type: "failed", kind: "refused", message: "太长" });
  assert.equal(refused.state.phase, "refused");
  assert.equal(refused.state.reason, "太长");
  assert.equal(play(refused.state, edit("乙"), due).state.phase, "saving");
});
