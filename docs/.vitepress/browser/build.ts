import { createHash } from "node:crypto";
import { join } from "node:path";
import { build } from "esbuild";

/** The script of the search, named for its content. */
export async function buildSearchScript(): Promise<{ readonly name: string; readonly text: string }> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "search.ts")],
    bundle: true,
    format: "esm",
    target: "es2022",
    minify: true,
    write: false,
  });
  const text = outputFiles[0]?.text ?? "";
  return { name: `search-${createHash("sha256").update(text).digest("hex").slice(0, 8)}.js`, text };
}
