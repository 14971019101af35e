/* How findings are put into words, in one place for the pane, the margin and the tooltip. */
import { language, t } from "../i18n/index.js";

export function severityName(severity) {
  return { error: t("错误"), warning: t("警告"), info: t("提示") }[severity];
}

export function consequenceName(consequence) {
  return {
    formal: t("形式缺陷"),
    rejection: t("可致驳回"),
    fee: t("影响费用"),
    style: t("行文"),
  }[consequence] ?? "";
}

export function messageOf(finding) {
  return language === "en" && finding.message_en ? finding.message_en : finding.message;
}
