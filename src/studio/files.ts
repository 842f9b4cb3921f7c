import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

/** Facts of a build about itself (bin/build-studio.js). */
export interface Manifest {
  readonly main: string;
  /** Scripts that `main` cannot run without. */
  readonly preload: readonly string[];
  readonly style: string;
  /** Scripts of each part that the program loads later, by its name. */
  readonly parts: Readonly<Record<string, readonly string[]>>;
  /** Differs with each build. */
  readonly build: string;
}

export interface StudioFile {
  /** Content-Type. */
  readonly type: string;
  readonly plain: Buffer;
  readonly gzip: Buffer;
}

/** The built files of the studio. */
export interface StudioFiles {
  readonly manifest: Manifest;
  /** Texts of its documents by their identifiers. */
  readonly documents: ReadonlyMap<string, string>;
  /** A file with a hash in its name, of this build or of one before. */
  findAsset(name: string): Promise<StudioFile | null>;
  worker(): Promise<StudioFile>;
}

/** The folder beside the built program. The sources have none. */
export const BUILT = join(import.meta.dirname, "studio");

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
};

/** @returns null where the studio has not been built */
export function openStudioFiles(folder: string): StudioFiles | null {
  const manifest = readJson<Manifest>(folder, "manifest.json");
  const documents = readJson<Record<string, string>>(folder, "documents.json");
  if (manifest === null || documents === null) return null;
  // Compressed once, then kept: some hundred kilobytes.
  const kept = new Map<string, Promise<StudioFile | null>>();
  const find = (name: string, paths: () => readonly string[]) => {
    const known = kept.get(name) ?? readFirst(paths());
    kept.set(name, known);
    known.then(
      (file) => file === null && kept.delete(name),
      () => kept.delete(name),
    );
    return known;
  };
  return {
    manifest,
    documents: new Map(Object.entries(documents)),
    async findAsset(name) {
      if (!/^[\w.-]+-[A-Z\d]{8}\.(?:js|css)$/.test(name)) return null;
      return find(name, () => [folder, ...otherBuilds(folder)].map((build) => join(build, "assets", name)));
    },
    async worker() {
      const file = await find("sw.js", () => [join(folder, "sw.js")]);
      if (file === null) throw new Error("The studio has no service worker. Build it again.");
      return file;
    },
  };
}

/** Builds before this one, which stay for a day: pages that are open still load parts of theirs. */
function otherBuilds(folder: string): readonly string[] {
  const builds = dirname(dirname(folder));
  try {
    return readdirSync(builds).map((name) => join(builds, name, "studio"));
  } catch {
    return [];
  }
}

async function readFirst(paths: readonly string[]): Promise<StudioFile | null> {
  for (const path of paths) {
    const plain = await readFile(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
      throw error;
    });
    if (plain === null) continue;
    const type = TYPES[path.slice(path.lastIndexOf("."))] ?? "application/octet-stream";
    return { type, plain, gzip: await promisify(gzip)(plain, { level: 9 }) };
  }
  return null;
}

function readJson<T>(folder: string, name: string): T | null {
  try {
    return JSON.parse(readFileSync(join(folder, name), "utf8")) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
