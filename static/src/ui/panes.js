/* The three panes: dragged or moved by keys at their separators, widths remembered. */
import { fit, keyChange, LIMITS } from "../core/layout.js";
import { preferences } from "../io/keep.js";

const NORMAL = { left: 400, right: 320 };

export function panes(root) {
  let wanted = preferences.get("panes", NORMAL);
  const separators = {
    left: root.querySelector('[data-separator="left"]'),
    right: root.querySelector('[data-separator="right"]'),
  };

  function apply() {
    const total = root.clientWidth;
    const sizes = fit(wanted, total);
    for (const side of ["left", "right"]) {
      // Through the CSSOM: the content policy allows no style attributes.
      root.style.setProperty(`--pane-${side}`, `${sizes[side]}px`);
      const bar = separators[side];
      bar.setAttribute("aria-valuenow", String(sizes[side]));
      bar.setAttribute("aria-valuemin", String(LIMITS[side][0]));
      bar.setAttribute("aria-valuemax", String(Math.floor(total * LIMITS[side][1])));
    }
    return sizes;
  }

  function resize(side, width, { remember = true } = {}) {
    wanted = fit({ ...wanted, [side]: width }, root.clientWidth);
    apply();
    if (remember) preferences.set("panes", wanted);
  }

  for (const [side, bar] of Object.entries(separators)) {
    const towards = side === "left" ? 1 : -1;
    bar.addEventListener("keydown", (event) => {
      const change = keyChange(event, towards);
      if (change === null) return;
      event.preventDefault();
      resize(side, fit(wanted, root.clientWidth)[side] + change);
    });
    bar.addEventListener("dblclick", () => resize(side, NORMAL[side]));
    bar.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      bar.setPointerCapture(event.pointerId);
      const start = fit(wanted, root.clientWidth)[side];
      const move = (moved) =>
        resize(side, start + (moved.clientX - event.clientX) * towards, { remember: false });
      bar.addEventListener("pointermove", move);
      bar.addEventListener(
        "lostpointercapture",
        () => {
          bar.removeEventListener("pointermove", move);
          preferences.set("panes", wanted);
        },
        { once: true },
      );
    });
  }
  new ResizeObserver(apply).observe(root);
  apply();
}
