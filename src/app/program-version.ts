import { createRequire } from "node:module";

/** Version of this program, such as `0.2.0`. */
export function programVersion(): string {
  return (createRequire(import.meta.url)("../../package.json") as { version: string }).version;
}
