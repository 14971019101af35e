/* Interface texts: the Chinese sentence is its own key; en.json holds the English one. */
import en from "./en.json" with { type: "json" };

const root = typeof document === "undefined" ? null : document.documentElement;
export const language = root && root.lang.toLowerCase().startsWith("en") ? "en" : "zh";

/** The sentence in the page's language, {name} replaced from `params`. */
export function t(sentence, params = {}) {
  const text = language === "en" ? (en[sentence] ?? sentence) : sentence;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in params ? String(params[name]) : whole));
}
