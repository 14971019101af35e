/* The page's dialogs are <dialog> elements of the template; here is only what they share. */
import { setText } from "./dom.js";

export function dialogs(root = document) {
  const confirmDialog = root.getElementById("dialog-confirm");
  for (const dialog of root.querySelectorAll("dialog")) {
    dialog.addEventListener("click", (event) => {
      // A click on the backdrop has the dialog itself as target.
      if (event.target === dialog && !dialog.hasAttribute("data-stays")) dialog.close("no");
    });
    for (const button of dialog.querySelectorAll("[data-close]")) {
      button.addEventListener("click", () => dialog.close(button.dataset.close));
    }
  }

  return {
    paste: root.getElementById("dialog-paste"),
    compare: root.getElementById("dialog-compare"),
    expired: root.getElementById("dialog-expired"),
    keys: root.getElementById("dialog-keys"),
    /** Resolves to true when the reader says yes. */
    confirm({ title, text, yes }) {
      setText(confirmDialog.querySelector("h2"), title);
      setText(confirmDialog.querySelector("p"), text);
      setText(confirmDialog.querySelector('[data-close="yes"]'), yes);
      confirmDialog.returnValue = "";
      confirmDialog.showModal();
      return new Promise((done) => {
        confirmDialog.addEventListener("close", () => done(confirmDialog.returnValue === "yes"), {
          once: true,
        });
      });
    },
  };
}
