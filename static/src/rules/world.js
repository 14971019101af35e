/* What surrounds the version on the desk: what is in force, who has taken it up, all versions. */
import { confirmed } from "./dialogs.js";
import { t } from "./texts.js";

const LOOK_AGAIN = 3000;

export class World extends EventTarget {
  constructor(api, tell) {
    super();
    this.api = api;
    this.tell = tell;
    this.take({ active: null, away: "", four_eyes: false, versions: [], acknowledgements: {} });
  }

  take(seen) {
    Object.assign(this, {
      active: seen.active,
      away: seen.away,
      fourEyes: seen.four_eyes,
      versions: seen.versions,
      acknowledgements: seen.acknowledgements,
    });
    this.dispatchEvent(new Event("change"));
  }

  async look() {
    const seen = await this.api.overview().catch(() => null);
    const key = JSON.stringify(seen);
    if (!seen || key === this.seen) return;
    this.seen = key;
    this.take(seen);
  }

  /** Goes on looking while somebody looks at the page. */
  watch() {
    setInterval(() => document.hidden || this.look(), LOOK_AGAIN);
  }

  async goBack(number) {
    if (!(await confirmed(t("让第{n}版重新生效，替换第{active}版？正在进行的撰写不受影响。", { n: number, active: this.active }), t("恢复第{n}版", { n: number })))) return;
    try {
      await this.api.goBack(number, this.active);
      this.tell(t("第{n}版已重新生效。", { n: number }));
    } catch (error) {
      this.tell(error.message, true);
    }
    await this.look();
  }

  async setFourEyes(on) {
    await this.api.fourEyes(on).catch((error) => this.tell(error.message, true));
    await this.look();
  }
}
