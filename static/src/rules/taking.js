/* A claim of one of the author's own matters, on its way into the examples. The address names it by
   ids and places only; its text comes from the server, which asks who may read it. */
import { t } from "./texts.js";

/** {matter, claim, from, to} of the page's address, or null. */
export function claimAsked(search) {
  const query = new URLSearchParams(search);
  if (!query.has("matter") || !query.has("claim")) return null;
  return {
    matter: query.get("matter"),
    claim: query.get("claim"),
    from: Number(query.get("from")) || 0,
    to: Number(query.get("to")) || 0,
  };
}

/** What is selected of the text, or all of it. */
export const selected = (text, { from, to }) => (text.slice(from, to).trim() ? text.slice(from, to) : text).trim();

/** Puts the claim into the sandbox, where the author keeps it as an example or not. */
export async function takeClaim(asked, { api, desk, tell, show }) {
  try {
    const { text, state } = await api.claim(asked.matter, asked.claim);
    show({ text: selected(text, asked), state });
    tell(
      desk.editable
        ? t("文字来自您的案件。示例随规则包保存，所有规则编写人都能看到：请先改写其中的保密内容，再存为示例。")
        : t("文字来自您的案件，已放入沙盒。“开始修改”之后可以存为示例。"),
    );
    // Taken once: loading the page again does not bring it back.
    if (desk.editable) history.replaceState(null, "", `?version=${desk.version.id}`);
  } catch (error) {
    tell(error.body?.message ?? t("没有应答，请稍后再试。"), true);
  }
}
