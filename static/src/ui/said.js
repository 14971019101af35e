/* What the session tells, put into notices and into the live region. */
import { t } from "../i18n/index.js";
import { refusal, whyNotWritten } from "./sentences.js";

/** → tell(kind, detail) for the session. */
export function said({ notice, announce, expired, gone }) {
  const problem = (text) => notice(text, { tone: "problem" });

  function event(one) {
    switch (one.kind) {
      case "claim.completed": {
        const mine = one.findings.filter((finding) => finding.claim_id === one.claim_id).length;
        return announce(
          mine
            ? t("权利要求 {n} 已写成，有 {k} 个问题", { n: one.number, k: mine })
            : t("权利要求 {n} 已写成", { n: one.number }),
        );
      }
      case "claim.failed":
        return announce(t("权利要求 {n} 没有写成：{why}", { n: one.number, why: whyNotWritten(one.reason) }));
      case "job.paused":
        return announce(t("起草已暂停"));
      case "job.completed":
        return announce(t("起草完成"));
      case "job.stopped":
        return announce(t("起草已停止"));
      case "job.failed":
        return problem(refusal(one));
      default:
        return undefined;
    }
  }

  function failure(error) {
    if (error.kind === "login") return undefined;
    if (error.kind === "network") return problem(t("连接中断，这一步没有完成。恢复后请再试。"));
    if (error.kind === "unsaved") return problem(t("还有文字没有保存，这一步先不做。恢复连接后请再试。"));
    return problem(error.message);
  }

  return (kind, detail) => {
    if (kind === "event") return event(detail);
    if (kind === "failed") return failure(detail);
    if (kind === "refused") return problem(refusal(detail));
    if (kind === "expired") return expired();
    return gone();
  };
}
