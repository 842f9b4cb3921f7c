// Builds the browser's side of the studio: scripts with hashed names, one style sheet, the service worker, and what the
// server must know of them. Plain JavaScript for any Node from 20 on.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, stop } from "esbuild";

const SOURCES = "src/studio/browser";
const MAIN = `${SOURCES}/shell/main.tsx`;
const WORKER = `${SOURCES}/worker/sw.ts`;
/** Style sheets of this folder come first: the others build on its rules. */
const BASE = "/frame/";

/**
 * @param {string} root folder of the project
 * @param {string} target folder for the files; it is made
 * @returns {Promise<string[]>} names of the files that they are made of, from `root` on
 */
export async function buildStudio(root, target) {
  mkdirSync(join(target, "assets"), { recursive: true });
  const common = {
    absWorkingDir: root,
    bundle: true,
    format: "esm",
    platform: "browser",
    target: "es2023",
    minify: true,
    charset: "utf8",
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
  };
  try {
    const [scripts, styles] = await Promise.all([
      build({
        ...common,
        entryPoints: { main: MAIN },
        outdir: join(target, "assets"),
        entryNames: "[name]-[hash]",
        chunkNames: "[name]-[hash]",
        splitting: true,
        jsx: "automatic",
        jsxImportSource: "preact",
        plugins: [withoutStyles],
      }),
      build({
        ...common,
        stdin: { contents: styleSheets(root), resolveDir: root, sourcefile: "studio.css", loader: "css" },
        outdir: join(target, "assets"),
        entryNames: "studio-[hash]",
      }),
    ]);
    const [main] = Object.entries(scripts.metafile.outputs).find(([, { entryPoint }]) => entryPoint === MAIN);
    const files = {
      main: nameOf(main),
      preload: staticImports(scripts.metafile.outputs, main).map(nameOf),
      style: nameOf(Object.keys(styles.metafile.outputs)[0]),
      parts: partsOf(scripts.metafile.outputs, main),
    };
    const first = [files.main, ...files.preload, files.style];
    const all = new Set([...first, ...Object.values(files.parts).flat()]);
    const worker = await build({
      ...common,
      entryPoints: { sw: WORKER },
      outdir: target,
      define: { FILES: JSON.stringify([...all]) },
    });
    const metafiles = [scripts, styles, worker].map(({ metafile }) => metafile);
    const manifest = {
      ...files,
      // Names have hashes of the contents, but for the worker's.
      build: digest([...all].sort().join() + readFileSync(join(target, "sw.js"), "utf8")),
    };
    writeFileSync(join(target, "manifest.json"), JSON.stringify(manifest));
    writeFileSync(join(target, "documents.json"), JSON.stringify(documentTexts(root)));
    // For whoever wants to know what a file is made of; the test of sizes does.
    const inputs = Object.assign({}, ...metafiles.map((metafile) => metafile.inputs));
    const outputs = Object.assign({}, ...metafiles.map((metafile) => metafile.outputs));
    writeFileSync(join(target, "metafile.json"), JSON.stringify({ inputs, outputs }));
    return Object.keys(inputs);
  } finally {
    await stop();
  }
}

/** All style sheets are one file: a script that is loaded late would come without its own. */
const withoutStyles = {
  name: "without-styles",
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, () => ({ contents: "", loader: "js" }));
  },
};

function styleSheets(root) {
  const sheets = readdirSync(join(root, SOURCES), { recursive: true })
    .filter((name) => name.endsWith(".css"))
    .map((name) => `./${SOURCES}/${name.replaceAll("\\", "/")}`);
  const rank = (name) => (name.includes(BASE) ? 0 : 1);
  sheets.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  return sheets.map((name) => `@import "${name}";`).join("\n");
}

/** The files that `file` needs before it can run. */
function staticImports(outputs, file, found = new Set()) {
  for (const { path, kind } of outputs[file].imports) {
    if (kind !== "import-statement" || found.has(path)) continue;
    found.add(path);
    staticImports(outputs, path, found);
  }
  return [...found];
}

/**
 * The files that each part of the program needs, without those that its page has from the start.
 *
 * @param main the output that the page loads first
 */
export function partsOf(outputs, main) {
  const first = new Set([main, ...staticImports(outputs, main)]);
  const parts = {};
  for (const { path } of Object.values(outputs).flatMap(({ imports }) => imports)) {
    const { entryPoint } = outputs[path] ?? {};
    if (entryPoint === undefined) continue;
    if (!entryPoint.startsWith(`${SOURCES}/`))
      throw new Error(`${entryPoint} is no part: import it in a file of its own.`);
    const name = entryPoint.slice(SOURCES.length + 1).replace(/\.tsx?$/, "");
    parts[name] = [path, ...staticImports(outputs, path)].filter((file) => !first.has(file)).map(nameOf);
  }
  return parts;
}

/** Texts of the studio's documents by their identifiers. */
function documentTexts(root) {
  const folder = join(root, SOURCES, "documents");
  const modules = readdirSync(folder).filter((name) => name.endsWith(".ts"));
  const all = modules.flatMap((name) => [
    ...readFileSync(join(folder, name), "utf8").matchAll(/^ {2}text: (".*"),\n {2}id: (".*"),$/gm),
  ]);
  return Object.fromEntries(all.map(([, text, id]) => [JSON.parse(id), JSON.parse(text)]));
}

function nameOf(output) {
  return output.slice(output.lastIndexOf("/") + 1);
}

function digest(text) {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
