/* The widths of the three panes, in CSS pixels of a given total. */

export const LIMITS = { left: [200, 0.5], right: [200, 0.4], middle: 360 };

const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

/** Widths that fit: the claims keep their minimum, whatever was remembered from a wider screen. */
export function fit({ left, right }, total) {
  const most = (limit) => Math.max(limit[0], Math.floor(total * limit[1]));
  let l = clamp(left, LIMITS.left[0], most(LIMITS.left));
  let r = clamp(right, LIMITS.right[0], most(LIMITS.right));
  const over = l + r + LIMITS.middle - total;
  if (over > 0) {
    const fromLeft = Math.min(over, l - LIMITS.left[0]);
    l -= fromLeft;
    r -= Math.min(over - fromLeft, r - LIMITS.right[0]);
  }
  return { left: Math.round(l), right: Math.round(r) };
}

/** What a key does to a separator: the change of the pane's width, or null. `towards` is 1 when the
    right arrow widens the pane. */
export function keyChange(event, towards) {
  const step = event.shiftKey ? 64 : 16;
  if (event.key === "ArrowRight") return step * towards;
  if (event.key === "ArrowLeft") return -step * towards;
  if (event.key === "Home") return -Infinity;
  if (event.key === "End") return Infinity;
  return null;
}
