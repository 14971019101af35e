/* node:assert/strict for a browser, as far as the tests of this folder use it. */
const shown = (value) => JSON.stringify(value);

function same(a, b) {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]))
  );
}

function demand(holds, message) {
  if (!holds) throw new Error(message);
}

export default {
  ok: (value, message) => demand(value, message ?? `${shown(value)} is not true`),
  equal: (a, b) => demand(Object.is(a, b), `${shown(a)} is not ${shown(b)}`),
  deepEqual: (a, b) => demand(same(a, b), `${shown(a)} is not ${shown(b)}`),
};
