/* Lists of words in one field. A word may hold any Chinese mark and spaces, never a bar. */
export const listText = (words = []) => words.join(" | ");
export const listFrom = (text) => text.split(/[|｜\n]/).map((word) => word.trim()).filter(Boolean);
