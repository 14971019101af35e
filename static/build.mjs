/* Bundles static/src to static/dist, which is committed: a user needs no Node.
   npm ci && npm run build   (in static/) */
import { build, context } from "esbuild";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, "dist");
rmSync(out, { recursive: true, force: true });

const options = {
  entryPoints: ["workspace.js", "rules.js", "pages.js", "theme.js", "admin.js", "app.css", "rules.css"].map((name) => join(here, "src", name)),
  outdir: out,
  bundle: true,
  minify: true,
  format: "esm",
  target: ["chrome123", "firefox128", "safari17.5"],
  charset: "utf8",
  legalComments: "none",
  metafile: true,
  logLevel: "info",
};

/** The licence of every package that went into the bundle, in full. */
function licences(metafile) {
  const packages = new Set();
  for (const path of Object.keys(metafile.inputs)) {
    const match = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path);
    if (match) packages.add(match[1]);
  }
  const parts = [...packages].sort().map((name) => {
    const folder = join(here, "node_modules", name);
    const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (!file || !existsSync(join(folder, file))) throw new Error(`${name} has no licence file`);
    const text = readFileSync(join(folder, file), "utf8").trim();
    return `${name} ${about.version} (${about.license})\n\n${text}`;
  });
  return `Packages bundled into the files of this folder\n\n${parts.join(`\n\n${"-".repeat(72)}\n\n`)}\n`;
}

if (process.argv.includes("--watch")) {
  await (await context({ ...options, sourcemap: "inline" })).watch();
} else {
  const result = await build(options);
  writeFileSync(join(out, "LICENSES.txt"), licences(result.metafile));
}
