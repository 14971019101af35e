/* Small questions about texts. */

/** The UTF-16 offset of a code-point offset: the server counts characters, the editor code units. */
export function utf16(text, offset) {
  let units = 0;
  let left = offset;
  while (left > 0 && units < text.length) {
    units += text.codePointAt(units) > 0xffff ? 2 : 1;
    left -= 1;
  }
  return units;
}

/** The one replacement {from, to, insert} that turns `before` into `after`; null when equal.
    Keeps a cursor outside the changed part where it is. */
export function singleChange(before, after) {
  if (before === after) return null;
  const limit = Math.min(before.length, after.length);
  let start = 0;
  while (start < limit && before[start] === after[start]) start += 1;
  let end = 0;
  while (
    end < limit - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  ) {
    end += 1;
  }
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}

const CITATION =
  /^[^，。；：,;:]{0,12}?权利要求\s*([0-9０-９]+(?:[\s\-~–—～至到、或和及]*(?:权利要求)?\s*[0-9０-９]+)*)/;

/** The claims that a text cites at its head, as written ("1至3"), or "" when it cites none there.
    Only for the reader's eye; the checks are the server's. */
export function citedAtHead(text) {
  const match = CITATION.exec(text);
  return match ? match[1].replace(/权利要求|\s/g, "") : "";
}

/** The claims as they are pasted into a letter: "1. …" each on its own line. */
export function plainText(claims) {
  return claims
    .filter((row) => row.text)
    .map((row) => `${row.number}. ${row.text}`)
    .join("\n");
}

/** Where `query` stands in `text`, case-insensitively, at most `limit` times: [[from, to], …]. */
export function occurrences(text, query, limit = 2000) {
  const found = [];
  const needle = query.toLowerCase();
  if (!needle) return found;
  const hay = text.toLowerCase();
  for (let at = hay.indexOf(needle); at >= 0 && found.length < limit; ) {
    found.push([at, at + needle.length]);
    at = hay.indexOf(needle, at + needle.length);
  }
  return found;
}
