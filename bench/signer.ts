import { generateKeyPairSync, randomUUID } from "node:crypto";
import { type JWTPayload, SignJWT } from "jose";

const ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/** The key of a client, with which it signs who it is and what it sends. Each of these works once. */
export interface Signer {
  readonly publicKey: object;
  /** Parameters with which it gets a token for itself (RFC 7523). They are to be sent within a minute. */
  credentials(clientId: string, issuer: string): Promise<string>;
  /** A proof that it holds its key, for a POST to this URL (RFC 9449). */
  proof(url: string): Promise<string>;
}

export function openSigner(): Signer {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const jwk = publicKey.export({ format: "jwk" });
  const sign = (claims: JWTPayload, header: object) =>
    new SignJWT({ jti: randomUUID(), iat: Math.floor(Date.now() / 1_000), ...claims })
      .setProtectedHeader({ alg: "ES256", ...header })
      .sign(privateKey);
  return {
    publicKey: { ...jwk, alg: "ES256", use: "sig", kid: "bench" },
    async credentials(clientId, issuer) {
      const exp = Math.floor(Date.now() / 1_000) + 60;
      const claims = { iss: clientId, sub: clientId, aud: issuer, exp };
      return new URLSearchParams({
        grant_type: "client_credentials",
        scope: "posts:read",
        client_id: clientId,
        client_assertion_type: ASSERTION,
        client_assertion: await sign(claims, { kid: "bench" }),
      }).toString();
    },
    proof: (url) => sign({ htm: "POST", htu: url }, { typ: "dpop+jwt", jwk }),
  };
}
