/* One version on the author's desk: its document, what the server says about it, and saving.

   Listeners hear "document", "problems", "verdicts", "saving", "version". */

const SAVE_AFTER = 1200;
const CHECK_AFTER = 450;
const AT_ONCE = 40;
const TRY_AGAIN = 3000;

export class Desk extends EventTarget {
  constructor(api, version) {
    super();
    this.api = api;
    this.problems = [];
    this.checked = false;
    this.verdicts = new Map();
    // Of them, those under the grammar as it is now; the others are shown until they are replaced.
    this.fresh = new Set();
    this.saving = "saved";
    this.take(version);
  }

  /** Shows another state of the version: after a step, or the other author's text. */
  take(version) {
    this.version = version;
    this.document = this.#known(version.document);
    this.#tell("version");
    this.#tell("document");
    this.check(0);
  }

  /** The document with the examples that are here already as the same objects: their verdicts stay. */
  #known(document) {
    if (!document.examples) return document;
    const here = new Map((this.document?.examples ?? []).map((one) => [JSON.stringify(one), one]));
    return { ...document, examples: document.examples.map((one) => here.get(JSON.stringify(one)) ?? one) };
  }

  get editable() {
    return this.version.state === "draft";
  }

  get examples() {
    return this.document.examples ?? [];
  }

  /** Whether the example has another verdict than it states. */
  fails(one) {
    return this.verdicts.has(one) && !this.verdicts.get(one).as_stated;
  }

  /** What is judged: examples never change what the grammar is. */
  get bare() {
    const { examples: _examples, ...rest } = this.document;
    return rest;
  }

  change(part, value, by = null) {
    if (!this.editable) return;
    this.document = { ...this.document, [part]: value };
    this.by = by;
    this.#tell("document");
    this.by = null;
    this.#setSaving("pending");
    clearTimeout(this.saveTimer);
    this.saveTimer = setTimeout(() => this.save(), SAVE_AFTER);
    this.check(CHECK_AFTER);
  }

  /** Resolves to whether everything is on the server. */
  async save() {
    clearTimeout(this.saveTimer);
    while (this.running) await this.running;
    if (this.saving !== "pending" && this.saving !== "failed") return this.saving === "saved";
    const document = this.document;
    this.#setSaving("running");
    this.running = this.api.save(this.version.id, this.version.revision, document).then(
      ({ revision }) => {
        this.version = { ...this.version, revision };
        this.#setSaving(this.document === document ? "saved" : "pending");
        if (this.document !== document) this.saveTimer = setTimeout(() => this.save(), SAVE_AFTER);
      },
      (error) => {
        this.error = error;
        this.#setSaving(error.kind === "conflict" ? "conflict" : "failed");
        if (error.kind === "network") this.saveTimer = setTimeout(() => this.save(), 5000);
      },
    );
    await this.running;
    this.running = null;
    return this.saving === "saved";
  }

  /** After a conflict: goes on from the other's revision, with the text that the author chose. */
  settle(document) {
    this.version = { ...this.version, revision: this.error.body.revision };
    this.document = this.#known(document);
    this.#tell("document");
    this.#setSaving("pending");
    this.check(0);
    return this.save();
  }

  check(after) {
    clearTimeout(this.checkTimer);
    const round = (this.round = (this.round ?? 0) + 1);
    this.checkTimer = setTimeout(() => this.#check(round), after);
  }

  async #check(round) {
    const bare = this.bare;
    const key = JSON.stringify(bare);
    if (key !== this.judgedUnder) {
      const said = await this.api.check(bare).catch((error) => ({ failed: error }));
      if (round !== this.round) return;
      this.checked = !said.failed;
      this.problems = said.problems ?? [{ code: "", line: 0, column: 0, excerpt: "", message_zh: said.failed.message, message_en: said.failed.message }];
      this.compileMs = said.ms;
      this.#tell("problems");
      this.fresh = new Set();
      this.judgedUnder = key;
    }
    if (!this.problems.length) await this.#judge(round, bare);
    this.#tell("verdicts");
  }

  async #judge(round, bare) {
    const waiting = this.examples.filter((one) => !this.fresh.has(one));
    for (let at = 0; at < waiting.length; at += AT_ONCE) {
      const batch = waiting.slice(at, at + AT_ONCE);
      const said = await this.api.judge(bare, batch).catch((error) => ({ error }));
      if (round !== this.round) return;
      if (said.error) {
        // The checker is busy, or the network away: not given up.
        if (said.error.kind === "network") this.check(TRY_AGAIN);
        return;
      }
      batch.forEach((one, index) => {
        this.verdicts.set(one, said.verdicts[index]);
        this.fresh.add(one);
      });
      this.#tell("verdicts");
    }
  }

  #setSaving(state) {
    this.saving = state;
    this.#tell("saving");
  }

  #tell(what) {
    this.dispatchEvent(new Event(what));
  }

  on(names, listener) {
    for (const name of names.split(" ")) this.addEventListener(name, listener);
    listener();
  }
}
