// Makes one program of src/ and the packages it uses: some hundred files are found, read and linked at each start
// otherwise, which takes longer than all the rest of it (docs/decisions/0006). Plain JavaScript for any Node from 20 on.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { build, stop } from "esbuild";
import { buildStudio } from "./build-studio.js";
import { takeBuiltins } from "./builtins.js";

/** Milliseconds that an old build stays: a program that is still running may load parts of its own. */
const KEPT_FOR = 24 * 60 * 60 * 1_000;

/**
 * Packages that stay apart. oidc-provider is not loaded at the start, and stores each artifact under the name of its
 * class, which a build may change; pg tries pg-native and does without it. The others are Fastify's for schemas and for
 * requests without a socket, which nothing here has: a quarter of all that a start would read.
 */
const EXTERNAL = [
  "oidc-provider",
  "pg-native",
  "@fastify/ajv-compiler",
  "@fastify/fast-json-stringify-compiler",
  "light-my-request",
];

/** Threads of their own. Each is one file: shared ones would make the start read more of them. */
const WORKERS = ["src/markdown/worker.ts", "src/storage/sqlite/checkpoint-worker.ts"];

/** Builds src/ of the folder `root` into the folder `target`, all at once or not at all. */
export async function buildProgram(root, target) {
  const unfinished = `${target}.${process.pid}`;
  try {
    await compile(root, unfinished, { place: target });
    renameSync(unfinished, target);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Somebody else was faster with the same.
    if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
  }
  removeOldBuilds(dirname(target));
}

/**
 * Builds src/ of the folder `root` into `folder`.
 *
 * @param place folder that the files are for, as seen from `root`'s sources
 * @param data folder for databases of which nobody gave the address, instead of `./data`
 * @returns names of the files that the program is made of, from `root` on
 */
export async function compile(root, folder, { place, data = "./data" }) {
  mkdirSync(folder, { recursive: true });
  const common = {
    absWorkingDir: root,
    outdir: folder,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node24",
    external: EXTERNAL,
    plugins: [placesOfSources(root, place, data)],
    // Names stay, for the sake of stack traces.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
  };
  try {
    const builds = await Promise.all([
      build({ ...common, entryPoints: ["src/main.ts"], splitting: true }),
      build({ ...common, entryPoints: WORKERS.map((path) => ({ in: path, out: workerName(path) })) }),
    ]);
    for (const { metafile } of builds) takeBuiltins(root, metafile.outputs);
    const studio = await buildStudio(root, join(folder, "studio"));
    return [...builds.flatMap(({ metafile }) => Object.keys(metafile.inputs)), ...studio];
  } finally {
    await stop(); // its process would keep ours alive, and its memory
  }
}

/**
 * In a build, `import.meta.url` is still the address of the source, so that files beside it are found. Only threads have a
 * built file.
 */
function placesOfSources(root, place, data) {
  return {
    name: "places-of-sources",
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
        if (!path.startsWith(join(root, "src") + sep)) return undefined;
        const source = JSON.stringify(fromTo(place, path));
        const contents = readFileSync(path, "utf8")
          .replaceAll("./data/", `${data}/`)
          .replaceAll(/(new URL\("\.\/([\w-]+\.ts)", )?import\.meta\.url/g, (_all, thread, file) => {
            if (thread === undefined) return `new URL(${source}, import.meta.url).href`;
            const worker = fromTo(root, join(dirname(path), file));
            if (!WORKERS.includes(worker)) throw new Error(`${worker} is missing in bin/build.js.`);
            return `new URL("./${workerName(worker)}.js", import.meta.url`;
          });
        return { loader: "ts", contents };
      });
    },
  };
}

function fromTo(folder, path) {
  return relative(folder, path).split(sep).join("/");
}

/** Name of a thread's built file, without its ending. */
function workerName(path) {
  return path
    .replace(/^src\//, "")
    .replace(/\.ts$/, "")
    .replaceAll("/", "-");
}

function removeOldBuilds(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (Date.now() - statSync(path).mtimeMs > KEPT_FOR) rmSync(path, { recursive: true, force: true });
  }
}
