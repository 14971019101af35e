/* The connection and the saving, in words. */
import { language, t } from "../i18n/index.js";
import { clock, setText } from "./dom.js";

function connectionWords({ phase, waitMs }) {
  switch (phase) {
    case "online":
      return ["ok", t("已连接")];
    case "connecting":
    case "greeting":
      return ["wait", t("正在连接")];
    case "waiting":
      if (!navigator.onLine) return ["off", t("离线，修改保存在本机")];
      return ["off", t("连接中断，{n} 秒后重试", { n: Math.max(1, Math.round(waitMs / 1000)) })];
    case "expired":
      return ["off", t("登录已过期")];
    default:
      return ["off", t("案件不可用")];
  }
}

function savingWords(unsaved, savedAt) {
  const phases = new Set([...unsaved.values()].map((state) => state.phase));
  if (phases.has("conflict")) return ["problem", t("有冲突")];
  if (phases.has("refused")) return ["problem", t("有修改未保存")];
  if (phases.has("blocked")) return ["problem", t("未保存，等待重新登录")];
  if (phases.has("retry")) return ["problem", t("未保存，正在重试")];
  if (phases.has("saving")) return ["busy", t("正在保存")];
  if (phases.has("dirty")) return ["busy", t("未保存")];
  return ["ok", savedAt ? t("已保存 {time}", { time: clock(savedAt, language) }) : t("已保存")];
}

export function statusLine({ connection, saving, session }) {
  connection.addEventListener("click", () => session.retryNow());
  return {
    draw() {
      const [tone, words] = connectionWords(session.model.connection);
      connection.dataset.tone = tone;
      setText(connection.querySelector("span"), words);
      const [saveTone, saveWords] = savingWords(session.saves.unsaved(), session.model.savedAt);
      saving.dataset.tone = saveTone;
      setText(saving, saveWords);
    },
  };
}
