/* Unsaved claim texts on this machine, until the server has acknowledged them. They outlive a
   reload, a crash and an expired login. One user never sees another's: the key carries his id. */

const PREFIX = "claimwright:unsaved";

export function keeper(userId, matterId, storage = localStorage) {
  const scope = `${PREFIX}:${userId}:${matterId}:`;
  return {
    put(claimId, { rev, text }) {
      try {
        storage.setItem(scope + claimId, JSON.stringify({ rev, text, at: Date.now() }));
        return true;
      } catch {
        return false;
      }
    },
    drop: (claimId) => storage.removeItem(scope + claimId),
    all() {
      const kept = new Map();
      for (let i = 0; i < storage.length; i += 1) {
        const key = storage.key(i);
        if (!key.startsWith(scope)) continue;
        try {
          kept.set(key.slice(scope.length), JSON.parse(storage.getItem(key)));
        } catch {
          storage.removeItem(key);
        }
      }
      return kept;
    },
  };
}

/** Remembered settings of the page (pane widths, chosen tab): never client text. */
export const preferences = {
  get(name, otherwise) {
    try {
      const raw = localStorage.getItem(`claimwright:${name}`);
      return raw === null ? otherwise : JSON.parse(raw);
    } catch {
      return otherwise;
    }
  },
  set(name, value) {
    try {
      localStorage.setItem(`claimwright:${name}`, JSON.stringify(value));
    } catch {
      // A full or forbidden storage only means that the setting is not remembered.
    }
  },
};
