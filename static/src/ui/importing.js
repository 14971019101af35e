/* Bringing a disclosure in: by file, by dropping, by pasting. Replacing asks first; the earlier text
   stays until the new one was read. */
import { t } from "../i18n/index.js";
import { setText, show } from "./dom.js";

/** root: the disclosure pane. Returns {chooseFile, paste}. */
export function importing({ root, session, limits, dialogs, tell }) {
  const input = root.querySelector('input[type="file"]');
  const progress = root.querySelector(".import-progress");
  const problem = root.querySelector(".import-problem");
  const pasteDialog = dialogs.paste;
  const area = pasteDialog.querySelector("textarea");
  let working = false;

  function fail(message) {
    setText(problem, message);
    show(problem, true);
  }

  async function bring(source) {
    if (working) return;
    const replacing = Boolean(session.model.disclosure);
    if (replacing && !(await dialogs.confirm(replaceQuestion()))) return;
    working = true;
    show(problem, false);
    show(progress, true);
    setText(progress, typeof source === "string" ? t("正在读取……") : t("正在读取“{name}”……", { name: source.name }));
    root.setAttribute("aria-busy", "true");
    try {
      await session.importDisclosure(source);
      tell(t("交底书已导入。"));
    } catch (error) {
      fail(error.kind === "network" ? t("连接中断，文件没有导入。请稍后再试。") : error.message);
    } finally {
      working = false;
      show(progress, false);
      root.removeAttribute("aria-busy");
    }
  }

  const replaceQuestion = () => ({
    title: t("替换交底书？"),
    text: t("新的交底书将用于以后的起草，已有的权利要求不变。"),
    yes: t("替换"),
  });

  function take(file) {
    if (!file) return;
    if (!/\.(docx|txt|md|markdown)$/i.test(file.name)) {
      fail(t("“{name}”不是可以导入的格式。请用 .docx、.txt 或 .md 文件，或者粘贴文字。", { name: file.name }));
    } else if (file.size > limits.import_bytes) {
      const most = Math.round(limits.import_bytes / 1048576);
      fail(t("“{name}”超过 {n} MB。请删去图片后再导入，或者粘贴文字。", { name: file.name, n: most }));
    } else {
      bring(file);
    }
  }

  input.addEventListener("change", () => {
    take(input.files[0]);
    input.value = "";
  });

  let depth = 0;
  const hasFile = (event) => event.dataTransfer?.types.includes("Files");
  const over = (on) => root.toggleAttribute("data-dropping", on);
  root.addEventListener("dragenter", (event) => {
    if (!hasFile(event)) return;
    depth += 1;
    over(true);
  });
  root.addEventListener("dragleave", (event) => {
    if (!hasFile(event)) return;
    depth -= 1;
    if (depth <= 0) over(false);
  });
  // A file dropped beside the pane must not replace the page by the browser's view of it.
  addEventListener("dragover", (event) => hasFile(event) && event.preventDefault());
  addEventListener("drop", (event) => {
    if (!hasFile(event)) return;
    event.preventDefault();
    depth = 0;
    over(false);
    if (root.contains(event.target)) take(event.dataTransfer.files[0]);
  });

  pasteDialog.addEventListener("close", () => {
    const text = area.value;
    if (pasteDialog.returnValue === "yes" && text.trim()) bring(text);
    area.value = "";
  });

  return {
    chooseFile: () => input.click(),
    paste() {
      pasteDialog.returnValue = "";
      pasteDialog.showModal();
      area.focus();
    },
  };
}
