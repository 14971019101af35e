/* The thin shell around core/connection.js: a WebSocket, timers and the browser's network events. */
import { initial, step } from "../core/connection.js";

/** Opens the line at once. `probe()` is an ordinary request that resolves to "login", "gone" or "". */
export function openLine({ url, job, onMessage, onPhase, probe }) {
  let state = initial({ job });
  let socket = null;
  const timers = new Map();

  function happen(event) {
    const [next, actions] = step(state, event);
    const changed = next.phase !== state.phase;
    state = next;
    for (const action of actions) perform(action);
    if (changed) onPhase(state);
  }

  function perform(action) {
    switch (action.do) {
      case "connect":
        return connect();
      case "send":
        return socket?.readyState === WebSocket.OPEN && socket.send(JSON.stringify(action.frame));
      case "close":
        return hangUp();
      case "wait":
        clearTimeout(timers.get(action.tag));
        return timers.set(
          action.tag,
          setTimeout(() => happen({ type: "timeout", tag: action.tag }), action.ms),
        );
      case "cancel":
        return clearTimeout(timers.get(action.tag));
      case "deliver":
        return onMessage(action.message);
      case "probe":
        return probe().then((found) => {
          if (found === "login") happen({ type: "login_required" });
          if (found === "gone") happen({ type: "close", code: 4404, opened: true });
        });
      default:
        // "expired" and "gone" are told by the phase.
        return undefined;
    }
  }

  // A dead line answers no closing handshake: it counts as closed at once.
  function hangUp() {
    const line = socket;
    socket = null;
    if (!line) return;
    line.close();
    happen({ type: "close", code: 1006, opened: true });
  }

  function connect() {
    socket?.close();
    let opened = false;
    const line = new WebSocket(url);
    socket = line;
    const current = (handler) => (event) => socket === line && handler(event);
    line.onopen = current(() => {
      opened = true;
      happen({ type: "open" });
    });
    line.onmessage = current((event) => {
      let message;
      try {
        message = JSON.parse(event.data);
      } catch {
        return line.close();
      }
      return happen({ type: "message", message });
    });
    line.onclose = current((event) => {
      socket = null;
      happen({ type: "close", code: event.code, opened });
    });
  }

  addEventListener("online", () => happen({ type: "network", online: true }));
  addEventListener("offline", () => happen({ type: "network", online: false }));
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) happen({ type: "network", online: true });
  });
  happen({ type: "start" });
  return {
    get state() {
      return state;
    },
    command: (frame) => happen({ type: "command", frame }),
    loginRequired: () => happen({ type: "login_required" }),
    signedIn: () => happen({ type: "signed_in" }),
    retryNow: () => happen({ type: "network", online: true }),
  };
}
