/* The claims as the server last gave them. Unsaved typing lives in core/saver.js, never here. */

export const empty = { id: null, revision: -1, claims: [], findings: [] };

const numbered = (claims) => claims.map((row, index) => ({ ...row, number: index + 1 }));

/** A whole state from the server; an answer that was overtaken by a newer one changes nothing. */
export function replace(doc, server) {
  if (server.revision < doc.revision) return doc;
  return {
    id: server.id ?? doc.id,
    revision: server.revision,
    claims: numbered(server.claims),
    findings: server.findings ?? doc.findings,
  };
}

// What the server stores has a revision from 1 on.
const UNCONFIRMED = 0;

/** A claim that an event alone brought and that the newest document lacks: it is gone by now. */
function withoutUnconfirmed(doc, at) {
  if (doc.claims[at].rev !== UNCONFIRMED) return doc;
  return { ...doc, claims: numbered(doc.claims.filter((_, index) => index !== at)) };
}

/** What an event of the job says about the document, until the next whole state confirms it. */
export function applyEvent(doc, event) {
  const at = doc.claims.findIndex((row) => row.id === event.claim_id);
  if (event.kind === "claim.started") {
    if (at >= 0) return doc;
    const row = { id: event.claim_id, text: "", state: "writing", origin: "model", rev: UNCONFIRMED };
    const claims = [...doc.claims];
    claims.splice(Math.min(event.number - 1, claims.length), 0, row);
    return { ...doc, claims: numbered(claims) };
  }
  if (event.kind === "claim.failed" && at >= 0) return withoutUnconfirmed(doc, at);
  if (event.kind === "claim.completed" && at >= 0) {
    // The replay after a reload brings old completions; the document has gone on since.
    if (event.revision <= doc.revision) return withoutUnconfirmed(doc, at);
    if (doc.claims[at].state !== "writing") return doc;
    const claims = [...doc.claims];
    claims[at] = { ...claims[at], text: event.text, state: "proposed", rev: event.revision };
    return { ...doc, claims, findings: event.findings ?? doc.findings };
  }
  return doc;
}

export const claimById = (doc, id) => doc.claims.find((row) => row.id === id);

/** Findings by claim id, each list in the order of the text. */
export function findingsByClaim(findings) {
  const groups = new Map();
  for (const finding of findings) {
    if (!groups.has(finding.claim_id)) groups.set(finding.claim_id, []);
    groups.get(finding.claim_id).push(finding);
  }
  for (const list of groups.values()) list.sort((a, b) => a.start - b.start || a.end - b.end);
  return groups;
}

export const SEVERITIES = ["error", "warning", "info"];

export function countBySeverity(findings) {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const finding of findings) counts[finding.severity] += 1;
  return counts;
}
