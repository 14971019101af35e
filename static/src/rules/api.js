/* The editor's JSON endpoints. Failures are ApiErrors (io/api.js) with the server's sentence. */
import { request } from "../io/api.js";

const post = (url, json, within) => request(url, { method: "POST", json: json ?? {}, within });

export function rulesApi(slug) {
  const pack = `/rules/packs/${slug}/`;
  const of = (version) => `${pack}${version}/`;
  return {
    overview: () => request(pack),
    version: (id) => request(of(id)),
    begin: (base, reason) => post(`${pack}begin/`, { base, reason }),
    save: (id, base_revision, document) => post(`${of(id)}save/`, { base_revision, document }),
    step: (id, name) => post(`${of(id)}${name}/`, {}, 300_000),
    giveBack: (id, reason) => post(`${of(id)}give-back/`, { reason }),
    goBack: (number, over) => post(`${pack}go-back/`, { number, over }),
    fourEyes: (on) => post(`${pack}four-eyes/`, { on }),
    exportUrl: (id) => `${of(id)}export/`,
    regression: (id) => request(`${of(id)}regression/`),
    startRegression: (id) => post(`${of(id)}regression/`),
    stopRegression: (id) => post(`${of(id)}regression/stop/`),
    claim: (matter, claim) => post("/rules/examples/", { matter, claim }),
    check: (document) => post("/rules/bench/check/", { document }, 60_000),
    judge: (document, examples) => post("/rules/bench/judge/", { document, examples }, 60_000),
    explain: (document, state, text) => post("/rules/bench/explain/", { document, state, text }, 60_000),
    sample: (document, state) => post("/rules/bench/sample/", { document, state }, 120_000),
  };
}

export const importPack = (document, reason) => post("/rules/import/", { document, reason });
