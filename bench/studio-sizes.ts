/** What the browser has to load, by the build's own figures. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { buildStudio } from "../bin/build-studio.js";

interface Output {
  readonly entryPoint?: string;
  readonly imports: readonly { readonly path: string; readonly kind: string }[];
}

/** In kilobytes after gzip. */
export interface StudioSizes {
  /** Scripts without which no page is there. */
  readonly first: number;
  /** Scripts that the page with the editor loads beside them, before the editor's own. */
  readonly page: number;
  readonly editor: number;
  readonly styles: number;
}

export async function studioSizes(): Promise<StudioSizes> {
  const folder = mkdtempSync(join(tmpdir(), "content-api-bench-studio-"));
  try {
    await buildStudio(join(import.meta.dirname, ".."), folder);
    return sizesIn(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function sizesIn(folder: string): StudioSizes {
  const { outputs } = JSON.parse(readFileSync(join(folder, "metafile.json"), "utf8")) as {
    outputs: Readonly<Record<string, Output>>;
  };
  const names = Object.keys(outputs);
  const withImports = (file: string, found = new Set<string>()): ReadonlySet<string> => {
    found.add(file);
    for (const { path, kind } of outputs[file]?.imports ?? [])
      if (kind === "import-statement" && !found.has(path)) withImports(path, found);
    return found;
  };
  const entry = (end: string) => {
    const found = names.find((name) => outputs[name]?.entryPoint?.endsWith(end));
    if (found === undefined) throw new Error(`The build has no file of its own for ${end}.`);
    return withImports(found);
  };
  const size = (files: Iterable<string>) => {
    let sum = 0;
    for (const file of files)
      sum += gzipSync(readFileSync(join(folder, "assets", file.slice(file.lastIndexOf("/") + 1))), { level: 9 }).length;
    return sum / 1_000;
  };
  const [first, page, surface] = [entry("shell/main.tsx"), entry("editor/page.tsx"), entry("code-mirror/surface.ts")];
  return {
    first: size(first),
    page: size([...page].filter((file) => !first.has(file))),
    editor: size([...surface].filter((file) => !first.has(file) && !page.has(file))),
    styles: size(names.filter((name) => name.endsWith(".css"))),
  };
}
