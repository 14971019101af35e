/* The names in a pack's grammar: where each is defined and used. Pure. */

const TOKEN =
  /(?<comment>\/\/[^\n]*)|(?<string>"(?:\\.|[^"\\\n])*"?)|(?<pattern>\/(?!\/)(?:\\.|[^/\\\n])+\/?)|(?<directive>%[a-z]+)|(?<name>_?[A-Za-z][_A-Za-z0-9]*)|(?<operator>[|&~?*+:(){}[\],])/g;
const BUILT_IN = new Set(["ONE", "ANY_OF", "TEXT", "in"]);

/** The tokens of a text: {kind, text, from}. */
export function* tokens(text) {
  for (const match of text.matchAll(TOKEN)) {
    const kind = Object.keys(match.groups).find((name) => match.groups[name] !== undefined);
    yield { kind, text: match[0], from: match.index };
  }
}

/** Every name with its place: {name, from, to, defines}. */
export function occurrences(text) {
  const found = [];
  let before = null;
  for (const token of tokens(text)) {
    const starts = text.slice(text.lastIndexOf("\n", token.from - 1) + 1, token.from).trim() === "";
    if (token.kind === "name" && !(BUILT_IN.has(token.text) && !starts)) {
      const rest = text.slice(token.from + token.text.length, token.from + token.text.length + 200);
      const parameter = before?.kind === "directive" && before.text === "%param";
      found.push({
        name: token.text,
        from: token.from,
        to: token.from + token.text.length,
        defines: parameter || (starts && /^\s*(\{[^}\n]*\})?\s*:/.test(rest)),
      });
    }
    if (token.kind !== "comment") before = token;
  }
  return found;
}

/** The occurrence that `position` touches. */
export const nameAt = (text, position) =>
  occurrences(text).find((one) => one.from <= position && position <= one.to) ?? null;

export const definitionOf = (text, name) =>
  occurrences(text).find((one) => one.defines && one.name === name) ?? null;

/** The end of each definition that spans several lines, by the position of its first line's end. */
export function folds(text) {
  const found = new Map();
  const starts = occurrences(text).filter((one) => one.defines && /(^|\n)$/.test(text.slice(0, one.from)));
  starts.forEach((one, index) => {
    const end = text.slice(one.from, starts[index + 1]?.from ?? text.length).replace(/(\n[ \t]*((\/\/|%)[^\n]*)?)*$/, "");
    const first = end.indexOf("\n");
    if (first > 0) found.set(one.from, { from: one.from + first, to: one.from + end.length });
  });
  return found;
}

/** Whether a name may take the place of another: terminals stay terminals, rules stay rules. */
export function mayBecome(text, old, next) {
  const terminal = (name) => /^_?[A-Z]/.test(name);
  return (
    /^_?([a-z][_a-z0-9]*|[A-Z][_A-Z0-9]*)$/.test(next) &&
    terminal(old) === terminal(next) &&
    !BUILT_IN.has(next) &&
    !occurrences(text).some((one) => one.name === next)
  );
}
