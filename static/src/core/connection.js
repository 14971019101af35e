/* The WebSocket client as a state machine: events in, actions out. It knows no socket and no clock;
   io/socket.js carries the actions out. What it promises: each event of a job is delivered once and
   in order, whatever the network does. */

import { isActive } from "./job.js";

export const PING_EVERY = 20_000;
export const PONG_WITHIN = 8_000;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;
const WAIT_WHEN_THROTTLED = 30_000;
export const CODE = { expired: 4401, gone: 4404, throttled: 4429 };

/** phase: connecting | greeting | online | waiting | expired | gone */
export function initial({ job = null, seq = 0 } = {}) {
  return { phase: "connecting", attempt: 0, waitMs: 0, job, seq, asked: false, unanswered: [] };
}

/** How long to wait before attempt n: exponential with jitter, so that a restarted server is not
    met by everybody at once. `random` is in [0, 1). */
export function backoff(attempt, random) {
  const full = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** attempt);
  return Math.round(full * (0.5 + random / 2));
}

const hello = (state) => ({ do: "send", frame: { type: "hello", job: state.job, after: state.seq } });
const wait = (tag, ms) => ({ do: "wait", tag, ms });
const cancel = (tag) => ({ do: "cancel", tag });

/** [next state, actions] for one event. */
export function step(state, event, random = Math.random()) {
  switch (event.type) {
    case "start":
      return connect(state);
    case "signed_in":
      return state.phase === "expired" ? connect({ ...state, attempt: 0 }) : [state, []];
    case "open":
      return [
        { ...state, phase: "greeting", asked: true },
        [cancel("retry"), hello(state), wait("pong", PONG_WITHIN)],
      ];
    case "message":
      return receive(state, event.message);
    case "close":
      return closed(state, event, random);
    case "timeout":
      return timeout(state, event.tag);
    case "network":
      return network(state, event.online);
    case "login_required":
      return expired(state);
    case "command":
      return command(state, event.frame);
    default:
      throw new Error(`connection: unknown event ${event.type}`);
  }
}

function connect(state) {
  return [{ ...state, phase: "connecting", waitMs: 0 }, [cancel("retry"), { do: "connect" }]];
}

function expired(state) {
  if (state.phase === "expired") return [state, []];
  return [
    { ...state, phase: "expired" },
    [cancel("ping"), cancel("pong"), cancel("retry"), { do: "close" }, { do: "expired" }],
  ];
}

function closed(state, { code, opened }, random) {
  if (code === CODE.expired) return expired(state);
  if (code === CODE.gone) {
    return [{ ...state, phase: "gone" }, [cancel("ping"), cancel("pong"), { do: "gone" }]];
  }
  if (state.phase === "expired" || state.phase === "gone") return [state, []];
  const waitMs = code === CODE.throttled ? WAIT_WHEN_THROTTLED : backoff(state.attempt, random);
  const actions = [cancel("ping"), cancel("pong"), wait("retry", waitMs)];
  // A refused handshake shows no reason to a browser: one ordinary request tells whether the login
  // ran out or only the network.
  if (!opened) actions.push({ do: "probe" });
  return [{ ...state, phase: "waiting", attempt: state.attempt + 1, waitMs }, actions];
}

function timeout(state, tag) {
  if (tag === "retry") return state.phase === "waiting" ? connect(state) : [state, []];
  if (tag === "ping") {
    return [state, [{ do: "send", frame: { type: "ping" } }, wait("pong", PONG_WITHIN)]];
  }
  // No sign of life: the line is dead although nobody closed it.
  return [state, [{ do: "close" }]];
}

function network(state, online) {
  if (online && state.phase === "waiting") return connect({ ...state, attempt: 0 });
  if (!online && state.phase === "online") {
    return [state, [{ do: "send", frame: { type: "ping" } }, wait("pong", 2_000)]];
  }
  return [state, []];
}

function command(state, frame) {
  const kept = frame.request_id ? [...state.unanswered, frame] : state.unanswered;
  if (state.phase === "online") return [{ ...state, unanswered: kept }, [{ do: "send", frame }]];
  return [{ ...state, unanswered: frame.request_id ? kept : [...kept, frame] }, []];
}

function receive(state, message) {
  const alive = [cancel("pong"), wait("ping", PING_EVERY)];
  switch (message.type) {
    case "pong":
      return [state, alive];
    case "welcome":
      return welcome(state, message, alive);
    case "job.view":
      return view(state, message, alive);
    case "job.events":
      return events(state, message, alive);
    case "error":
      return [
        {
          ...state,
          unanswered: state.unanswered.filter((frame) => frame.request_id !== message.request_id),
        },
        [...alive, { do: "deliver", message }],
      ];
    default:
      return [state, [...alive, { do: "deliver", message }]];
  }
}

function welcome(state, message, alive) {
  const next = { ...state, phase: "online", attempt: 0, waitMs: 0, asked: true };
  const actions = [...alive, { do: "deliver", message }];
  const job = message.job;
  if (isActive(job) && job.id !== state.job) {
    next.job = job.id;
    next.seq = 0;
    actions.push(hello(next));
  }
  // A start whose answer was lost is said again; the server knows its request_id. Once a job is
  // there, the start was heard.
  const again = state.unanswered.filter((frame) => !(job && frame.type === "draft.start"));
  next.unanswered = again.filter((frame) => frame.request_id);
  return [next, [...actions, ...again.map((frame) => ({ do: "send", frame }))]];
}

function view(state, message, alive) {
  const changed = message.job.id !== state.job;
  return [
    {
      ...state,
      job: message.job.id,
      seq: changed ? 0 : state.seq,
      unanswered: state.unanswered.filter((frame) => !frame.request_id),
    },
    [...alive, { do: "deliver", message }],
  ];
}

function events(state, message, alive) {
  const next = { ...state };
  if (message.job !== state.job) {
    next.job = message.job;
    next.seq = 0;
  }
  const fresh = [];
  let missing = false;
  for (const event of message.events) {
    if (event.seq <= next.seq) continue;
    if (event.seq > next.seq + 1 && !next.asked) {
      missing = true;
      break;
    }
    // Asked already and the server still begins later: what is older is in the document by now.
    next.seq = event.seq;
    next.asked = false;
    fresh.push(event);
  }
  const actions = [...alive];
  if (fresh.length) {
    actions.push({ do: "deliver", message: { type: "job.events", job: message.job, events: fresh } });
  }
  if (missing) {
    next.asked = true;
    actions.push(hello(next));
  }
  return [next, actions];
}
