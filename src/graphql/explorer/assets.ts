import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { COLOR_RULES } from "./color-rules.ts";

const require = createRequire(import.meta.url);

/** A file that the explorer's pages load. */
export interface Asset {
  /** Content-Type. */
  readonly type: string;
  plain(): Promise<Buffer>;
  /** Compressed once, then kept. */
  gzip(): Promise<Buffer>;
}

const OWN_FILES = ["explorer.js", "callback.js", "oauth.js", "event-stream.js", "keyboard.js", "explorer.css"].map(
  (name) => ({
    name,
    path: fileURLToPath(new URL(`browser/${name}`, import.meta.url)),
    before: name === "explorer.css" ? COLOR_RULES : "",
  }),
);

/** From our dependencies, as published: nothing is bundled, and no other host is asked. */
const LIBRARIES: readonly { readonly name: string; readonly module: string; readonly file: string }[] = [
  { name: "react.js", module: "react", file: "umd/react.production.min.js" },
  { name: "react-dom.js", module: "react-dom", file: "umd/react-dom.production.min.js" },
  { name: "graphiql.js", module: "graphiql", file: "graphiql.min.js" },
  { name: "graphiql.css", module: "graphiql", file: "graphiql.min.css" },
];

/** The folder beside a program that was packed, with these files by module. */
const PACKED = join(import.meta.dirname, "explorer");

const ASSETS: ReadonlyMap<string, Asset> = new Map([
  ...OWN_FILES.map(({ name, path, before }): [string, Asset] => [name, asset(path, before)]),
  ...LIBRARIES.map(({ name, module, file }): [string, Asset] => [name, asset(join(folderOf(module), file))]),
]);

/** Changes when any of the files does; part of each address, so that browsers may keep the files for ever. */
export const ASSET_VERSION: string = (() => {
  const hash = createHash("sha256");
  for (const { path, before } of OWN_FILES) hash.update(before).update(readFileSync(path));
  for (const { module } of LIBRARIES) hash.update(readFileSync(join(folderOf(module), "package.json")));
  return hash.digest("hex").slice(0, 12);
})();

/** The file with this name, or null. */
export function findAsset(name: string): Asset | null {
  return ASSETS.get(name) ?? null;
}

function folderOf(module: string): string {
  const packed = join(PACKED, module);
  return existsSync(packed) ? packed : dirname(require.resolve(`${module}/package.json`));
}

/** @param before text that precedes the file's */
function asset(path: string, before = ""): Asset {
  let compressed: Promise<Buffer> | undefined;
  const plain = async () => Buffer.concat([Buffer.from(before), await readFile(path)]);
  return {
    type: path.endsWith(".css") ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8",
    plain,
    gzip() {
      compressed ??= plain().then((content) => promisify(gzip)(content));
      return compressed;
    },
  };
}
