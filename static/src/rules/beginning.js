/* How a claim begins tells what it is; the state it is tried in may say something else. */

const CITES = /^(如|根据|按照|依据)?权利要求\s*\d/;

/** Why a text that is refused at its first character may be in the wrong state: "numbered",
    "independent" (it is one, and the state says dependent), "dependent", or "". */
export function misfit(text, kind) {
  if (/^\d+\s*[.．、]/.test(text)) return "numbered";
  if (kind === "dependent" && /^(一种|用于)/.test(text)) return "independent";
  if (kind === "independent" && CITES.test(text)) return "dependent";
  return "";
}
