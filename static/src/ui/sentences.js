/* What worker and WebSocket say, in the page's language. They write their sentences without knowing
   who will read them; their codes are stable, and the sentence for a code stands here. */
import { language, t } from "../i18n/index.js";

const REFUSALS = () => ({
  no_disclosure: t("还没有技术交底书，请先导入或粘贴。"),
  nothing_to_write: t("已给出权利要求1，项数至少应为2。"),
  job_active: t("该案件已有起草任务，请先停止或等它完成。"),
  too_many_drafts: t("您在排队的起草任务过多，请等其中一个完成后再开始。"),
  job_not_found: t("没有这个起草任务。"),
  job_not_active: t("该起草任务已不在这一状态。"),
  claim_gone: t("要重写的权利要求已不存在或尚无文字。"),
  first_claim_refused: t("您给出的权利要求1未能写入。权利要求书须尚无内容，文字须为一项权利要求。"),
  request_reused: t("这一请求已用于另一案件，请刷新页面后重试。"),
  claim_refused: t("规则不允许这样的权利要求，请检查主题名称和可引用的权利要求。"),
  rules_unusable: t("规则包无法用于这项权利要求，请联系规则编写人。"),
  no_node: t("没有可用的推理节点，已写出的权利要求均已保留。请稍后继续起草。"),
  prompt_too_long: t("技术交底与已有权利要求过长，超出模型的处理范围。"),
  nothing_written: t("未能写出合格的权利要求，原有文字已保留。请补充交底书，或给出提示后重试。"),
  internal_error: t("出现内部错误，已写出的权利要求均已保留。请重试。"),
  pack_unknown: t("规则库中没有所需的规则包，请联系规则编写人。"),
  rules_unavailable: t("规则库暂时无法访问，本机也没有保存过该规则包。请稍后重试。"),
  store_refused: t("规则库拒绝了请求，请联系管理员。"),
  not_json: t("页面发出的消息无法读取，请刷新页面后重试。"),
  unknown_type: t("页面与服务器的版本不同，请刷新页面后重试。"),
  bad_field: t("有一项内容缺失或不正确，请检查后重试。"),
  frame_too_large: t("内容过长，未处理。请缩短后重试。"),
});

// These the server says with the particular cause, in Chinese: a Chinese reader gets to know it.
const PARTICULAR = new Set(["too_many_drafts", "job_not_active", "first_claim_refused", "claim_refused", "nothing_written"]);

/** The sentence for an error's code; the server's own for a code that this page does not know. */
export function refusal({ code, message }) {
  if (language === "zh" && message && PARTICULAR.has(code)) return message;
  return REFUSALS()[code] ?? message;
}

/** Why a claim of a draft is not there, by the reason in its `claim.failed`. */
export function whyNotWritten(reason) {
  if (reason === "removed") return t("写作过程中该权利要求被删除。");
  if (reason === "no_independent") return t("没有可供引用的独立权利要求（没有写成，或已被删除），因此没有写。");
  if (reason === "exhausted") return t("交底书中没有更多可写的特征。可补充交底书，或给出提示后继续起草。");
  return t("多次尝试仍未写出合格的权利要求，未保存。可补充交底书或给出提示后重试。");
}
