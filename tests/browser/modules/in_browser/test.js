/* node:test for a browser, as far as the tests of this folder use it. */
const all = [];

export default function test(name, body) {
  all.push({ name, body });
}

export async function results() {
  const list = [];
  for (const { name, body } of all) {
    let error = "";
    try {
      await body();
    } catch (thrown) {
      error = String(thrown.stack ?? thrown);
    }
    list.push({ name, error });
  }
  return list;
}
