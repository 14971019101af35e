/* Requests to the JSON API of one matter. Every failure is an ApiError whose `kind` says what the
   page does about it: network and busy are retried, login waits for a new login, conflict and
   refused are the agent's to decide, gone ends the page. */

const WITHIN = 25_000;

export class ApiError extends Error {
  constructor(kind, { status = 0, body = {} } = {}) {
    super(body.message ?? kind);
    this.kind = kind;
    this.status = status;
    this.body = body;
  }
}

function cookie(name) {
  const found = document.cookie.split("; ").find((part) => part.startsWith(`${name}=`));
  return found ? decodeURIComponent(found.slice(name.length + 1)) : "";
}

function kindOf(status, code) {
  if (status === 401) return "login";
  // A login in another tab changes the CSRF token; the next try reads the new cookie.
  if (code === "csrf_failed") return "network";
  if (code === "edit_conflict" || code === "claim_gone") return "conflict";
  if (status === 404) return "gone";
  if (status === 429 || status >= 500) return "network";
  return "refused";
}

export async function request(url, { method = "GET", json, form, as = "json", within = WITHIN } = {}) {
  const headers = { Accept: "application/json", "X-Requested-With": "XMLHttpRequest" };
  if (method !== "GET") headers["X-CSRFToken"] = cookie("csrftoken");
  if (json !== undefined) headers["Content-Type"] = "application/json";
  const content = json === undefined ? form : JSON.stringify(json);
  let response;
  try {
    response = await fetch(url, {
      method,
      headers,
      body: content,
      // What was typed last is still sent while the page closes; browsers allow 64 KiB for that.
      keepalive: typeof content === "string" && content.length < 16_000,
      credentials: "same-origin",
      redirect: "error",
      signal: AbortSignal.timeout(within),
    });
  } catch {
    throw new ApiError("network");
  }
  if (response.ok && as === "blob") return response.blob();
  const body = await response.json().catch(() => ({}));
  if (!response.ok) {
    throw new ApiError(kindOf(response.status, body.code), { status: response.status, body });
  }
  return body;
}

/** The API of one matter at the addresses that its page carries. */
export function matterApi(urls) {
  return {
    /** `known` is the disclosure that the page has: its text, up to a book, is not sent again. */
    state: (known) =>
      request(known ? `${urls.state}?${new URLSearchParams({ disclosure: known.imported_at })}` : urls.state),
    operate: (op, operationId, revision) =>
      request(urls.operations, {
        method: "POST",
        json: { operation_id: operationId, base_revision: revision, op },
      }),
    importFile: (file) => {
      const form = new FormData();
      form.append("file", file);
      return request(urls.disclosure, { method: "POST", form, within: 120_000 });
    },
    importText: (text) =>
      request(urls.disclosure, { method: "POST", json: { text }, within: 120_000 }),
    versions: (before) => request(before ? `${urls.versions}?before=${before}` : urls.versions),
    version: (revision) => request(`${urls.versions}${revision}/`),
    restore: (revision, operationId, current) =>
      request(`${urls.versions}${revision}/restore/`, {
        method: "POST",
        json: { operation_id: operationId, base_revision: current },
      }),
    exported: () => request(urls.export, { as: "blob" }),
  };
}
