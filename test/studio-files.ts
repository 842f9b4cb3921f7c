import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildStudio } from "../bin/build-studio.js";

let built: Promise<string> | undefined;

/** Builds the studio of these sources, once for each test file. @returns the folder */
export function buildStudioFiles(): Promise<string> {
  built ??= (async () => {
    const folder = mkdtempSync(join(tmpdir(), "content-api-studio-"));
    process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
    await buildStudio(join(import.meta.dirname, ".."), folder);
    return folder;
  })();
  return built;
}
