/* The editor's own sentences; those of the rest of the console are not loaded twice. */
import { language, t as common } from "../i18n/index.js";
import en from "./en.json" with { type: "json" };

export { language };

export const t = (sentence, params) =>
  common(language === "en" ? (en[sentence] ?? sentence) : sentence, params);

/** A sentence that the server sends in both languages. */
export const said = (problem, name = "message") =>
  problem[`${name}_${language}`] ?? problem[language] ?? "";
