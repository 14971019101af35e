/* The login ran out: the page stays as it is, asks for a new login in another tab, and goes on by
   itself as soon as the server knows the reader again. */

const LOOK_AGAIN = 3_000;

export function expiredLogin({ dialog, api, signedIn }) {
  let timer = 0;

  async function look() {
    try {
      await api.state();
    } catch {
      return;
    }
    clearInterval(timer);
    timer = 0;
    if (dialog.open) dialog.close();
    signedIn();
  }

  addEventListener("focus", () => timer && look());
  return {
    open() {
      if (!dialog.open) dialog.showModal();
      if (!timer) timer = setInterval(look, LOOK_AGAIN);
    },
  };
}
