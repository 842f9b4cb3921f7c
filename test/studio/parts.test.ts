import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, test } from "node:test";
import { buildStudioFiles } from "../studio-files.ts";

const SOURCES = join(import.meta.dirname, "../../src/studio/browser");

/** What the sources import later: the name that `loadPart` is told, itself or by the table of pages, and the file that it imports. */
function partsInSources(): readonly { readonly file: string; readonly name: string | null; readonly path: string }[] {
  const files = readdirSync(SOURCES, { recursive: true }).map((name) => String(name).replaceAll("\\", "/"));
  return files
    .filter((file) => /\.tsx?$/.test(file) && file !== "frame/document/parts.ts")
    .flatMap((file) =>
      [
        ...readFileSync(join(SOURCES, file), "utf8").matchAll(
          /(?:(?:loadPart\(|(?:administration|developers)\(\s*\/[^,]+,)\s*"([^"]+)",\s*(?:async )?\(\) =>\s*(?:\(await )?)?\bimport\(\s*"([^"]+)"/g,
        ),
      ].map(([, name, path = ""]) => ({ file, name: name ?? null, path: posix.join(posix.dirname(file), path) })),
    );
}

describe("parts of the studio that are loaded later", () => {
  test("each import() is one of `loadPart`, which is told the right name", () => {
    const parts = partsInSources();
    assert.ok(parts.length > 8, `${parts.length} found`);
    for (const { file, name, path } of parts) assert.equal(name, path.replace(/\.tsx?$/, ""), file);
  });

  test("the build lists the files of each part, and every script is of the first load or of a part", async () => {
    const folder = await buildStudioFiles();
    const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
    const { main, preload, parts } = manifest as { main: string; preload: string[]; parts: Record<string, string[]> };
    const names = new Set(partsInSources().map(({ name }) => name ?? ""));
    assert.deepEqual(Object.keys(parts).sort(), [...names].sort());
    const listed = new Set([main, ...preload, ...Object.values(parts).flat()]);
    const built = readdirSync(join(folder, "assets")).filter((name) => name.endsWith(".js"));
    assert.deepEqual([...listed].sort(), built.sort());
    const worker = readFileSync(join(folder, "sw.js"), "utf8");
    for (const name of built) assert.ok(worker.includes(name), `the service worker keeps ${name}`);
  });
});
