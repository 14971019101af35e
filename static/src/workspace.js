/* The workspace page: brings the session, the panes and the keys together. */
import { plainText, utf16 } from "./core/text.js";
import { t } from "./i18n/index.js";
import { matterApi } from "./io/api.js";
import { copyText, saveBlob } from "./io/clipboard.js";
import { keeper } from "./io/keep.js";
import { createSession } from "./session.js";
import { claimsPane } from "./ui/claims.js";
import { dialogs as makeDialogs } from "./ui/dialogs.js";
import { disclosurePane } from "./ui/disclosure.js";
import { draftBar } from "./ui/draft-bar.js";
import { expiredLogin } from "./ui/expired.js";
import { findingsPane } from "./ui/findings.js";
import { importing } from "./ui/importing.js";
import { notices } from "./ui/notices.js";
import { pageKeys } from "./ui/page-keys.js";
import { panes } from "./ui/panes.js";
import { said } from "./ui/said.js";
import { statusLine } from "./ui/status.js";
import { tabs } from "./ui/tabs.js";
import { versionsPane } from "./ui/versions.js";

const at = (id) => document.getElementById(id);
const root = at("workspace");
const initial = JSON.parse(at("initial-state").textContent);
const { notice, announce } = notices({ stack: at("notices"), live: at("announcer") });
const problem = (text) => notice(text, { tone: "problem" });
const dialogs = makeDialogs();
const api = matterApi(initial.urls);
const keep = keeper(root.dataset.user, initial.matter.id);
const scheme = location.protocol === "https:" ? "wss:" : "ws:";

let scheduled = "";
const session = createSession({
  initial,
  api,
  keep,
  socketUrl: `${scheme}//${location.host}${initial.urls.socket}`,
  onChange: schedule,
  tell: said({ notice, announce, expired: () => expired.open(), gone: () => gone() }),
});
const expired = expiredLogin({ dialog: dialogs.expired, api, signedIn: () => session.signedIn() });

/** Draws at most once a frame; a stream alone redraws only the texts being written. */
function schedule(what) {
  if (!scheduled) requestAnimationFrame(draw);
  if (scheduled !== "state") scheduled = what;
}

function draw() {
  const what = scheduled;
  scheduled = "";
  if (what === "stream") return claims.drawStreams();
  claims.draw();
  findings.draw();
  versions.draw();
  disclosure.draw();
  draft.draw();
  status.draw();
  at("undo").disabled = !session.model.canUndo || session.model.busy > 0;
  at("redo").disabled = !session.model.canRedo || session.model.busy > 0;
  for (const id of ["copy", "export"]) at(id).disabled = !session.model.doc.claims.some((row) => row.text);
  return undefined;
}

function gone() {
  problem(t("这个案件已不可用，或者您已不在它的团队里。"));
}

const acts = {
  typed: (id, text) => session.saves.typed(id, text),
  accept: (id) => decide(id, "accept"),
  reject: (id) => decide(id, "reject"),
  instruct: (id) => session.claim(id)?.state !== "writing" && claims.instruct(id),
  regenerate: (id, text) => session.regenerate(id, text),
  async insert(id) {
    const made = await session.insertAfter(id);
    if (made) requestAnimationFrame(() => claims.edit(made));
  },
  up: (id) => move(id, -1),
  down: (id) => move(id, 1),
  moveTo: (id, to) => session.operate({ kind: "move", claim_id: id, to }),
  async remove(id) {
    const next = claims.neighbour(id, 1) ?? claims.neighbour(id, -1);
    const done = await session.operate({ kind: "remove", claim_id: id });
    if (!done) return;
    announce(t("已删除。可以撤销。"));
    if (next) claims.focusRow(next);
  },
  resolve(id, { choice, text }) {
    if (choice === "mine") return session.saves.resolve(id, session.saves.state(id).text);
    if (session.claim(id)) return session.saves.resolve(id, text);
    session.saves.discard(id);
    schedule("state");
    if (choice === "reinsert") session.insertAfter(session.model.doc.claims.at(-1)?.id ?? null, text);
    return undefined;
  },
  example: initial.urls.rules ? example : null,
  firstFinding: (id) => jump(session.model.doc.findings.find((finding) => finding.claim_id === id)),
  redraw: draw,
};

async function decide(id, kind) {
  const row = session.claim(id);
  if (row?.state !== "proposed") return;
  const after = claims.neighbour(id, 1) ?? claims.neighbour(id, -1);
  const inList = document.activeElement?.closest("#claims") !== null;
  const done = await session.operate({ kind, claim_id: id });
  if (!done) return;
  announce(kind === "accept" ? t("权利要求 {n} 已接受", { n: row.number }) : t("权利要求 {n} 已拒绝", { n: row.number }));
  if (after && inList) claims.focusRow(after);
}

async function move(id, by) {
  const row = session.claim(id);
  const to = row.number - 1 + by;
  if (!row || to < 0 || to >= session.model.doc.claims.length) return;
  const inText = document.activeElement?.closest(".cm-editor");
  const done = await session.operate({ kind: "move", claim_id: id, to });
  if (!done) return;
  announce(t("现在是权利要求 {n}", { n: to + 1 }));
  requestAnimationFrame(() => (inText ? claims.edit(id) : claims.focusRow(id)));
}

/** Opens the rule editor with the claim, or what is selected of it, as an example to be confirmed. */
async function example(id) {
  if (!(await session.saves.flush())) return problem(t("还有文字没有保存，这一步先不做。恢复连接后请再试。"));
  const query = new URLSearchParams({ matter: initial.matter.id, claim: id, ...claims.selection(id) });
  open(`${initial.urls.rules}?${query}`, "_blank", "noopener");
  return undefined;
}

let jumped = null;
function jump(finding) {
  if (!finding) return;
  jumped = finding;
  mainTabs.select("pane-claims");
  const text = claims.textOf(finding.claim_id);
  claims.select(finding.claim_id, utf16(text, finding.start), utf16(text, finding.end));
}

function nextFinding(step) {
  const all = findings.ordered();
  if (!all.length) return notice(t("没有发现问题。"));
  const index = all.findIndex((one) => one === jumped);
  return jump(all[index < 0 ? (step > 0 ? 0 : all.length - 1) : (index + step + all.length) % all.length]);
}

const claims = claimsPane({
  scroller: at("claims-scroll"),
  list: at("claims"),
  emptyState: at("claims-empty"),
  session,
  acts,
});
const findings = findingsPane({
  filters: at("finding-filters"),
  body: at("finding-groups"),
  summary: at("finding-summary"),
  session,
  jump,
  onCount(total) {
    for (const badge of document.querySelectorAll("[data-finding-count]")) {
      badge.textContent = total ? String(total) : "";
    }
  },
});
const versions = versionsPane({
  body: at("version-days"),
  status: at("version-status"),
  dialog: dialogs.compare,
  session,
});
const bring = importing({
  root: at("pane-disclosure"),
  session,
  limits: initial.limits,
  dialogs,
  tell: notice,
});
const disclosure = disclosurePane({ root: at("pane-disclosure"), session, ...bring });
const draft = draftBar({
  root: at("draft"),
  session,
  subjects: initial.subjects ?? { product: "", method: "" },
  notice,
  started: () => claims.followEnd(),
});
const status = statusLine({ connection: at("connection"), saving: at("saving"), session });

panes(root);
const mainTabs = tabs(at("pane-tabs"), { initial: "pane-claims" });
tabs(at("side-tabs"), {
  initial: "panel-findings",
  onSelect: (id) => versions.open(id === "panel-versions"),
});

const undo = () => session.operate({ kind: "undo" });
const redo = () => session.operate({ kind: "redo" });
at("undo").addEventListener("click", undo);
at("redo").addEventListener("click", redo);
at("keys").addEventListener("click", () => dialogs.keys.showModal());
at("first-claim").addEventListener("click", () => acts.insert(null));
at("copy").addEventListener("click", async () => {
  try {
    // What the agent sees, also where the network does not let it be saved now.
    const shown = session.model.doc.claims.map((row) => ({ ...row, text: claims.textOf(row.id) }));
    await copyText(plainText(shown));
    notice(t("已复制 {n} 项权利要求。", { n: shown.filter((row) => row.text).length }));
  } catch {
    problem(t("浏览器不允许复制。请在正文中选取后复制。"));
  }
});
at("export").addEventListener("click", async () => {
  try {
    saveBlob(await session.exported(), `${initial.matter.title}-${t("权利要求书")}.docx`);
  } catch (error) {
    const words = { network: t("连接中断，没有导出。请稍后再试。"), unsaved: t("还有文字没有保存，这一步先不做。恢复连接后请再试。") };
    problem(words[error.kind] ?? error.message);
  }
});

pageKeys({
  start: () => draft.start(),
  escape: () => draft.escape(),
  undo,
  redo,
  nextFinding,
  search() {
    mainTabs.select("pane-disclosure");
    disclosure.focusSearch();
  },
  help: () => dialogs.keys.showModal(),
});

document.addEventListener("visibilitychange", () => document.hidden && session.saves.flush());
addEventListener("beforeunload", (event) => session.saves.wouldLose() && event.preventDefault());

scheduled = "state";
draw();
claims.restore(keep.all());
root.removeAttribute("data-loading");
