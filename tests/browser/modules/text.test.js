import test from "node:test";
import assert from "node:assert/strict";
import { fit, keyChange } from "../../../static/src/core/layout.js";
import { citedAtHead, occurrences, plainText, singleChange, utf16 } from "../../../static/src/core/text.js";

test("offsets in characters become offsets in code units", () => {
  assert.equal(utf16("𠮷野家", 1), 2);
  assert.equal(utf16("吉野家", 2), 2);
  assert.equal(utf16("短", 9), 1);
});

test("the smallest replacement leaves the rest of the text alone", () => {
  assert.deepEqual(singleChange("根据权利要求1所述", "根据权利要求2所述"), { from: 6, to: 7, insert: "2" });
  assert.deepEqual(singleChange("aa", "aaa"), { from: 2, to: 2, insert: "a" });
  assert.equal(singleChange("同", "同"), null);
});

test("the smallest replacement gives the new text", () => {
  for (const [a, b] of [["", "甲"], ["甲", ""], ["abcabc", "abc"], ["一二三", "三二一"]]) {
    const { from, to, insert } = singleChange(a, b);
    assert.equal(a.slice(0, from) + insert + a.slice(to), b);
  }
});

test("the head of a dependent claim names what it cites", () => {
  assert.equal(citedAtHead("根据权利要求1所述的装置"), "1");
  assert.equal(citedAtHead("如权利要求1至3中任一项所述的装置"), "1至3");
  assert.equal(citedAtHead("根据权利要求2或3所述的装置"), "2或3");
  assert.equal(citedAtHead("基于权利要求12所述的装置"), "12");
  assert.equal(citedAtHead("一种实现权利要求1所述方法的装置"), "1");
  assert.equal(citedAtHead("一种装置，包括权利要求1所述的壳体"), "");
});

test("all claims as text, unwritten ones left out", () => {
  assert.equal(plainText([{ number: 1, text: "甲。" }, { number: 2, text: "" }, { number: 3, text: "乙。" }]), "1. 甲。\n3. 乙。");
});

test("a search finds every place, whatever the case", () => {
  assert.deepEqual(occurrences("PVC管和pvc板", "pvc"), [[0, 3], [5, 8]]);
  assert.deepEqual(occurrences("文字", ""), []);
});

test("the panes fit every width and the claims keep theirs", () => {
  for (const total of [900, 1100, 1440, 3000]) {
    const { left, right } = fit({ left: 2000, right: 2000 }, total);
    assert.ok(total - left - right >= 360, `${total}: ${left} ${right}`);
  }
  assert.deepEqual(fit({ left: 400, right: 320 }, 1440), { left: 400, right: 320 });
});

test("arrows move a separator, with Shift further", () => {
  assert.equal(keyChange({ key: "ArrowRight" }, 1), 16);
  assert.equal(keyChange({ key: "ArrowRight", shiftKey: true }, -1), -64);
  assert.equal(keyChange({ key: "x" }, 1), null);
});
