/* The editor's reading of grammars, and its words for what differs between two packs. */
import assert from "node:assert/strict";
import test from "node:test";

import { misfit } from "../../../static/src/rules/beginning.js";
import { changesBetween } from "../../../static/src/rules/changes.js";
import { claimAsked, selected } from "../../../static/src/rules/taking.js";
import { definitionOf, folds, mayBecome, nameAt, occurrences } from "../../../static/src/rules/symbols.js";

const GRAMMAR = `// 权利要求
%param subject: text
%forbidden PROSE

claim: head "，head" body   // head here is a word in a comment
head{group in citable}: "如"? ONE{group}
    | TEXT{subject}
body: PROSE "。"
PROSE: /[^。head]+/
`;

test("a name is found where it is defined and used, not in strings, patterns and comments", () => {
  const heads = occurrences(GRAMMAR).filter((one) => one.name === "head");
  assert.deepEqual(heads.map((one) => one.defines), [false, true]);
  assert.equal(GRAMMAR.slice(heads[1].from, heads[1].to), "head");
});

test("a parameter is defined where it is declared", () => {
  assert.equal(definitionOf(GRAMMAR, "subject").from, GRAMMAR.indexOf("subject"));
});

test("the name under the cursor is found at both of its ends", () => {
  const at = GRAMMAR.indexOf("body");
  assert.equal(nameAt(GRAMMAR, at).name, "body");
  assert.equal(nameAt(GRAMMAR, at + 4).name, "body");
  assert.equal(nameAt(GRAMMAR, GRAMMAR.indexOf("如")), null);
});

test("a definition of several lines folds, one of a single line does not", () => {
  const found = [...folds(GRAMMAR)].map(([start, fold]) => [GRAMMAR.slice(start, start + 4), GRAMMAR.slice(fold.from, fold.to).trim()]);
  assert.deepEqual(found, [["head", "| TEXT{subject}"]]);
});

test("a claim that is tried in the state of another kind is told by how it begins", () => {
  const own = "一种散热装置，其特征在于，包括底座。";
  const citing = "根据权利要求1所述的散热装置，其特征在于，还包括翅片。";
  assert.equal(misfit(own, "dependent"), "independent");
  assert.equal(misfit(citing, "independent"), "dependent");
  assert.equal(misfit(`1. ${own}`, "independent"), "numbered");
  assert.equal(misfit(own, "independent"), "");
  assert.equal(misfit(citing, "dependent"), "");
  assert.equal(misfit("散热装置，包括底座。", "independent"), "");
});

test("a new name must be free and of the same case", () => {
  assert.ok(mayBecome(GRAMMAR, "head", "opening"));
  assert.ok(!mayBecome(GRAMMAR, "head", "body"));
  assert.ok(!mayBecome(GRAMMAR, "head", "HEAD"));
  assert.ok(!mayBecome(GRAMMAR, "PROSE", "prose"));
  assert.ok(!mayBecome(GRAMMAR, "head", "a b"));
});

test("what differs between two packs is told by term, line and example", () => {
  const before = { grammar: "a: B\nB: /x/", forbidden: [{ term: "例如" }, { term: "最好" }], examples: [{ text: "甲", state: {} }], title: "一" };
  const after = { grammar: "a: B\nB: /y/", forbidden: [{ term: "连接", replacement: "耦合" }, { term: "例如", rule: "W01" }], examples: [], title: "二" };
  const found = changesBetween(before, after);
  assert.deepEqual(found.terms, { added: [{ term: "连接", replacement: "耦合" }], removed: ["最好"], changed: ["例如"] });
  assert.equal(found.grammarLines, 2);
  assert.deepEqual(found.examples, { added: 0, removed: 1 });
  assert.deepEqual(found.others, ["title"]);
});

test("a claim that is taken over is named by ids and places, and without a selection taken whole", () => {
  assert.equal(claimAsked("?version=3"), null);
  const asked = claimAsked("?matter=m&claim=c&from=2&to=4");
  assert.deepEqual(asked, { matter: "m", claim: "c", from: 2, to: 4 });
  assert.equal(selected("一种散热装置。", asked), "散热");
  assert.equal(selected("一种散热装置。", { from: 3, to: 3 }), "一种散热装置。");
});
