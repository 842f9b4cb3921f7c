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

/** Builds src/ of the folder `root` into the folder `target`, all at once or not at all. */
export async function buildProgram(root, target) {
  const unfinished = `${target}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: ["src/main.ts"],
      outdir: unfinished,
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "node",
      target: "node24",
      external: EXTERNAL,
      plugins: [placesOfSources(root, target)],
      // Names stay, for the sake of stack traces.
      minifyWhitespace: true,
      minifySyntax: true,
      legalComments: "none",
      logLevel: "warning",
      metafile: true,
    });
    takeBuiltins(root, metafile.outputs);
    await buildStudio(root, join(unfinished, "studio"));
    renameSync(unfinished, target);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Somebody else was faster with the same.
    if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
  } finally {
    await stop(); // its process would keep ours alive, and its memory
  }
  removeOldBuilds(dirname(target));
}

/** In a build, `import.meta.url` is still the address of the source, so that files beside it are found. */
function placesOfSources(root, target) {
  return {
    name: "places-of-sources",
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
        if (!path.startsWith(join(root, "src") + sep)) return undefined;
        const place = JSON.stringify(relative(target, path).split(sep).join("/"));
        const source = readFileSync(path, "utf8");
        return {
          loader: "ts",
          contents: source.replaceAll("import.meta.url", `new URL(${place}, import.meta.url).href`),
        };
      });
    },
  };
}

function removeOldBuilds(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (Date.now() - statSync(path).mtimeMs > KEPT_FOR) rmSync(path, { recursive: true, force: true });
  }
}
