// Lets a built program take Node's own modules by `process.getBuiltinModule`. An import of one gives it a second face with
// all of its exports, which makes Node load what the program has no use for: `fetch` with node:http, streams of files with
// node:fs, together a sixth of a start. Plain JavaScript for any Node from 20 on.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** One statement as esbuild writes it: the whole module under a name, or a default, names in braces, or both. */
const IMPORT = /\bimport(?: ?\* ?as ([\w$]+)| ([\w$]+),?)?(?:\{([^{}]+)\})?\s?from"(node:[\w/]+)";/g;

/** For packages in CommonJS, which ask for Node's own modules in their way. */
const REQUIRE = 'const require=globalThis.process.getBuiltinModule("node:module").createRequire(import.meta.url);';

/**
 * Rewrites the files of a build.
 *
 * @param folder where `outputs`, by esbuild's metafile, lie
 * @throws Error where an import of a module of Node's is left, or what looked like one was none
 */
export function takeBuiltins(root, outputs) {
  for (const [name, { imports }] of Object.entries(outputs)) {
    const path = join(root, name);
    const taken = [];
    const rest = readFileSync(path, "utf8").replaceAll(IMPORT, (_statement, space, own, names, specifier) => {
      const module = `globalThis.process.getBuiltinModule("${specifier}")`;
      const whole = space ?? own;
      if (whole !== undefined) taken.push([specifier, `${whole}=${module}`]);
      if (names !== undefined) taken.push([specifier, `{${names.replaceAll(/ as /g, ":")}}=${module}`]);
      return "";
    });
    const imported = imports.filter(({ kind, path }) => kind === "import-statement" && path.startsWith("node:"));
    const isAll = namesOf(imported.map(({ path }) => path)) === namesOf(taken.map(([specifier]) => specifier));
    if (!isAll || /\bfrom\s*"node:/.test(rest))
      throw new Error(`bin/builtins.js does not understand the imports of ${name}.`);
    // In front of all else, as imports are done.
    const declared = taken.length === 0 ? "" : `const ${taken.map(([, text]) => text).join(",")};`;
    writeFileSync(path, `${REQUIRE}${declared}\n${rest}`);
  }
}

function namesOf(specifiers) {
  return [...new Set(specifiers)].sort().join();
}
