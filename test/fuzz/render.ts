import { type KeyObject, randomUUID, sign } from "node:crypto";
import { encodeCursor } from "../../src/domain/reading/cursor.ts";
import type { Installation } from "./installation.ts";

/**
 * Puts values in place of the placeholders of a text: `{{token}}` and others of `Installation.values`, `{{now}}` and `{{soon}}`, a minute later, in
 * seconds of Unix time, `{{id}}`, a new one each time; then `{{place LIST|KEY|ID}}`, a cursor with a right checksum whose key may
 * have `\u0000`, and
 * `{{jwt HEADER|CLAIMS}}`, a JWT with a right signature. Whatever a mutation left of a placeholder stays.
 */
export function render(text: string, { values, key }: Pick<Installation, "values" | "key">): string {
  return text
    .replaceAll(/\{\{([a-z0-9-]+)\}\}/g, (whole, name: string) => {
      const now = Math.floor(Date.now() / 1_000);
      if (name === "now" || name === "soon") return String(name === "now" ? now : now + 60);
      return name === "id" ? randomUUID() : (values.get(name) ?? whole);
    })
    .replaceAll(/\{\{place ([^|{}]*)\|([^|{}]*)\|([^|{}]*)\}\}/g, (_, list: string, order: string, id: string) =>
      encodeCursor(list, { key: order.replaceAll("\\u0000", "\0"), id: id.padEnd(36, "0").slice(0, 36) }),
    )
    .replaceAll(/\{\{jwt (\{.*?\})\|(\{.*?\})\}\}(?!\})/g, (_, header: string, claims: string) =>
      signed(header, claims, key),
    );
}

/** Header and claims need not be JSON. */
function signed(header: string, claims: string, key: KeyObject): string {
  const parts = [header, claims].map((part) => Buffer.from(part, "latin1").toString("base64url")).join(".");
  const signature = sign("sha256", Buffer.from(parts), { key, dsaEncoding: "ieee-p1363" });
  return `${parts}.${signature.toString("base64url")}`;
}
