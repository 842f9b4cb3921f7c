import type Provider from "oidc-provider";
import type { Client } from "oidc-provider";

interface Validating {
  validate(jwt: string, client: Client): Promise<unknown>;
}

/**
 * Lets no other JWT of ours pass for an ID token (RFC 8725 section 3.11): the engine looks at signature, issuer and
 * audience, which a logout token has as well.
 */
export function guardIdTokenHints(provider: Provider): void {
  const idToken = provider.IdToken as unknown as Validating;
  const validate = idToken.validate.bind(idToken);
  idToken.validate = async (jwt, client) => {
    const [header = ""] = jwt.split(".", 1);
    const { typ } = JSON.parse(Buffer.from(header, "base64url").toString("utf8")) as { typ?: unknown };
    if (typ !== undefined && typ !== "JWT") throw new Error("not an ID token");
    return validate(jwt, client);
  };
}
