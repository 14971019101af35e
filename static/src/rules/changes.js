/* What differs between two pack documents, in the words of an author. Pure. */

const byTerm = (document) => new Map((document.forbidden ?? []).map((row) => [row.term, row]));
const exampleKey = (one) => JSON.stringify([one.text, one.state]);

/** {terms: {added, removed, changed}, grammarLines, examples: {added, removed}, others} */
export function changesBetween(before, after) {
  const [old, now] = [byTerm(before), byTerm(after)];
  const lines = (document) => new Set((document.grammar ?? "").split("\n"));
  const [oldLines, newLines] = [lines(before), lines(after)];
  const examples = (document) => new Set((document.examples ?? []).map(exampleKey));
  const [oldExamples, newExamples] = [examples(before), examples(after)];
  const minus = (one, other) => [...one].filter((item) => !other.has(item));
  const named = new Set(["forbidden", "grammar", "examples"]);
  return {
    terms: {
      added: minus(now.keys(), old).map((term) => now.get(term)),
      removed: minus(old.keys(), now),
      changed: [...now.keys()].filter((term) => old.has(term) && JSON.stringify(old.get(term)) !== JSON.stringify(now.get(term))),
    },
    grammarLines: minus(newLines, oldLines).length + minus(oldLines, newLines).length,
    examples: { added: minus(newExamples, oldExamples).length, removed: minus(oldExamples, newExamples).length },
    others: [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .filter((name) => !named.has(name) && JSON.stringify(before[name]) !== JSON.stringify(after[name])),
  };
}
