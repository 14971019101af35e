/* What changed between two texts, marked for reading: struck out and added, word by word. */
import { presentableDiff } from "@codemirror/merge";
import { h } from "./dom.js";

/** Nodes of `after`, with what was taken from `before` as <del> and what is new as <ins>. */
export function differences(before, after) {
  const nodes = [];
  let at = 0;
  for (const change of presentableDiff(before, after)) {
    if (change.fromB > at) nodes.push(after.slice(at, change.fromB));
    if (change.toA > change.fromA) nodes.push(h("del", {}, before.slice(change.fromA, change.toA)));
    if (change.toB > change.fromB) nodes.push(h("ins", {}, after.slice(change.fromB, change.toB)));
    at = change.toB;
  }
  if (at < after.length) nodes.push(after.slice(at));
  return nodes;
}

/** Pairs of claims of two versions by id, in the order of `after`, the removed ones where they were.
    Each {before: row|null, after: row|null}. */
export function pairs(before, after) {
  const old = new Map(before.map((row) => [row.id, row]));
  const kept = new Set(after.map((row) => row.id));
  const result = after.map((row) => ({ before: old.get(row.id) ?? null, after: row }));
  for (const row of before) {
    if (!kept.has(row.id)) result.splice(Math.min(row.number - 1, result.length), 0, { before: row, after: null });
  }
  return result;
}
