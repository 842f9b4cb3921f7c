import type Provider from "oidc-provider";
import type { Client } from "oidc-provider";
import { readCompactJws } from "../../domain/clients/compact-jws.ts";
import { patch } from "./patches.ts";

const TYPES: ReadonlySet<unknown> = new Set([undefined, "JWT"]);

/**
 * Lets no other JWT of ours pass for an ID token (RFC 8725 section 3.11): the engine looks at signature, issuer and
 * audience, which a logout token has as well.
 */
export function guardIdTokenHints(provider: Provider): void {
  patch<(jwt: string, client: Client) => Promise<unknown>>(
    provider,
    "IdToken.validate",
    (validate) =>
      async function (this: unknown, jwt, client) {
        const jws = readCompactJws(jwt);
        if (jws === null || !TYPES.has(jws.header.typ)) throw new Error("not an ID token");
        return validate.call(this, jwt, client);
      },
  );
}
