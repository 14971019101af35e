import test from "node:test";
import assert from "node:assert/strict";
import { applyEvent, countBySeverity, empty, findingsByClaim, replace } from "../../../static/src/core/document.js";

const row = (id, text = id, state = "accepted") => ({ id, text, state, origin: "agent", rev: 1 });
const base = replace(empty, { id: "d", revision: 4, claims: [row("a"), row("b")], findings: [] });

test("claims are numbered by their place", () => {
  assert.deepEqual(base.claims.map((one) => one.number), [1, 2]);
});

test("an answer that was overtaken changes nothing", () => {
  assert.equal(replace(base, { revision: 3, claims: [], findings: [] }), base);
});

test("a begun claim appears at its number before the server confirms it", () => {
  const doc = applyEvent(base, { kind: "claim.started", claim_id: "n", number: 2 });
  assert.deepEqual(doc.claims.map((one) => [one.id, one.number, one.state]), [["a", 1, "accepted"], ["n", 2, "writing"], ["b", 3, "accepted"]]);
});

test("a completed claim has its text and findings at once", () => {
  const begun = applyEvent(base, { kind: "claim.started", claim_id: "n", number: 3 });
  const doc = applyEvent(begun, { kind: "claim.completed", claim_id: "n", number: 3, text: "完", revision: 6, findings: [{ claim_id: "n", severity: "error" }] });
  assert.equal(doc.claims[2].text, "完");
  assert.equal(doc.claims[2].state, "proposed");
  assert.equal(doc.claims[2].rev, 6, "what is typed over it is typed over this revision");
  assert.equal(doc.findings.length, 1);
});

test("a replayed completion does not undo what the agent did since", () => {
  const doc = applyEvent(base, { kind: "claim.completed", claim_id: "a", number: 1, text: "旧", revision: 2, findings: [] });
  assert.equal(doc, base);
});

test("a replay does not bring a claim back that was removed since", () => {
  const began = { kind: "claim.started", claim_id: "gone", number: 2 };
  const completed = { kind: "claim.completed", claim_id: "gone", number: 2, text: "旧", revision: 3, findings: [] };
  const failed = { kind: "claim.failed", claim_id: "gone", number: 2, reason: "removed" };
  for (const end of [completed, failed]) {
    const doc = [began, end].reduce(applyEvent, base);
    assert.deepEqual(doc.claims.map((one) => [one.id, one.number]), [["a", 1], ["b", 2]]);
  }
});

test("a failure leaves a claim that the server knows", () => {
  const doc = applyEvent(base, { kind: "claim.failed", claim_id: "a", number: 1, reason: "loop" });
  assert.equal(doc, base);
});

test("findings are grouped by claim and in the order of the text", () => {
  const groups = findingsByClaim([{ claim_id: "a", start: 5, end: 6 }, { claim_id: "b", start: 0, end: 1 }, { claim_id: "a", start: 2, end: 3 }]);
  assert.deepEqual(groups.get("a").map((one) => one.start), [2, 5]);
});

test("severities are counted", () => {
  assert.deepEqual(countBySeverity([{ severity: "error" }, { severity: "info" }, { severity: "error" }]), { error: 2, warning: 0, info: 1 });
});
