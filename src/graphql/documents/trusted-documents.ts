import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename, extname, join } from "node:path";

/** Documents that the operator vouches for, known by identifier before any client sends them. */
export interface TrustedDocuments {
  /** By document identifier: `sha256:` and 64 hexadecimal digits, or a name of the operator's. */
  readonly byId: ReadonlyMap<string, string>;
  /** Whether no other document is answered. */
  readonly only: boolean;
}

/**
 * Reads a folder of trusted documents. `NAME.graphql` holds one, known by its SHA-256 and by NAME; `NAME.json` is a
 * table from identifier to document, as client build tools write it: bare SHA-256 digests are taken as identifiers too.
 *
 * @throws Error naming the file that is not as it should be
 */
export function loadTrustedDocuments(folder: string, only: boolean): TrustedDocuments {
  const byId = new Map<string, string>();
  for (const name of readdirSync(folder).sort()) {
    const extension = extname(name);
    const path = join(folder, name);
    if (extension === ".graphql") {
      const text = readFileSync(path, "utf8");
      byId.set(documentId(text), text);
      byId.set(basename(name, extension), text);
    } else if (extension === ".json") {
      for (const [id, text] of readTable(path)) {
        byId.set(documentId(text), text);
        byId.set(/^[0-9a-f]{64}$/.test(id) ? `sha256:${id}` : id, text);
      }
    }
  }
  return { byId, only };
}

/** The identifier of a document by its text (GraphQL over HTTP, appendix A). */
export function documentId(text: string): string {
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}

function readTable(path: string): [id: string, text: string][] {
  const table: unknown = JSON.parse(readFileSync(path, "utf8"));
  if (typeof table !== "object" || table === null || Array.isArray(table)) {
    throw new Error(`${path} must be a JSON object from identifier to document.`);
  }
  return Object.entries(table).map(([id, text]) => {
    if (typeof text !== "string") throw new Error(`${path}: the document "${id}" must be a string.`);
    return [id, text];
  });
}
