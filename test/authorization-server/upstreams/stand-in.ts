import { createHash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";

export const CLIENT = { id: "content-api", secret: "s3cret with:signs" } as const;

/** An answer of an endpoint: JSON, or a text as it is. */
interface Answer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body: unknown;
}

interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** A grant that a browser has brought back, as the provider remembers it. */
interface Grant {
  readonly nonce: string | null;
  readonly challenge: string;
  readonly redirectUri: string;
  readonly clientId: string;
}

export interface SignOptions {
  readonly alg?: string;
  readonly typ?: string;
  readonly key?: CryptoKey | Uint8Array;
  readonly kid?: string;
}

/** A service on this machine, which plays an OpenID provider and one in the shape of GitHub's. */
export interface StandIn {
  readonly issuer: string;
  readonly requests: SeenRequest[];
  /** Changes of the metadata. */
  metadata: Record<string, unknown>;
  /** Makes the ID token out of good claims. */
  idToken: (claims: JWTPayload) => Promise<string | undefined>;
  /** Other answers, by path. */
  readonly answers: Map<string, () => Answer | Promise<Answer>>;
  sign(claims: JWTPayload, options?: SignOptions): Promise<string>;
  /** Plays the person who agrees at the address. @returns the parameters that the browser brings back */
  authorize(url: string): URLSearchParams;
  goodClaims(nonce: string | null): JWTPayload;
  close(): Promise<void>;
}

export async function openStandIn(): Promise<StandIn> {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  const jwk = { ...(await exportJWK(publicKey)), kid: "1", alg: "ES256", use: "sig" };
  const grants = new Map<string, Grant>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = new URL(request.url ?? "", standIn.issuer).pathname;
    const body = Buffer.concat(chunks).toString();
    standIn.requests.push({ path, headers: request.headers, body });
    const own = standIn.answers.get(path) ?? endpoints[path];
    const { status = 200, headers = {}, body: answer } = (await own?.(body)) ?? { status: 404, body: {} };
    const text = typeof answer === "string" ? answer : JSON.stringify(answer);
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;

  const endpoints: Record<string, (body: string) => Answer | Promise<Answer>> = {
    "/.well-known/openid-configuration": () => ({
      body: {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        id_token_signing_alg_values_supported: ["ES256", "HS256", "none"],
        ...standIn.metadata,
      },
    }),
    "/keys": () => ({ body: { keys: [jwk] } }),
    "/token": async (body) => {
      const form = new URLSearchParams(body);
      const grant = grants.get(form.get("code") ?? "");
      grants.delete(form.get("code") ?? "");
      const challenge = createHash("sha256")
        .update(form.get("code_verifier") ?? "")
        .digest("base64url");
      if (grant?.challenge !== challenge || grant.redirectUri !== form.get("redirect_uri"))
        return { status: 400, body: { error: "invalid_grant", error_description: "no such grant" } };
      const id_token = await standIn.idToken(standIn.goodClaims(grant.nonce));
      return { body: { access_token: "upstream-access-token", token_type: "Bearer", id_token } };
    },
  };

  const standIn: StandIn = {
    issuer,
    requests: [],
    metadata: {},
    answers: new Map(),
    idToken: (claims) => standIn.sign(claims),
    sign: (claims, { alg = "ES256", typ, key = privateKey, kid = "1" } = {}) =>
      new SignJWT(claims).setProtectedHeader({ alg, kid, ...(typ === undefined ? {} : { typ }) }).sign(key),
    goodClaims: (nonce) => ({
      iss: issuer,
      aud: CLIENT.id,
      sub: "Ada-1",
      exp: Math.floor(Date.now() / 1_000) + 300,
      iat: Math.floor(Date.now() / 1_000),
      ...(nonce === null ? {} : { nonce }),
      email: "ada@example.com",
      email_verified: true,
      name: "Ada Lovelace",
      acr: "gold",
      amr: ["pwd", "otp"],
      sid: "session-1",
    }),
    authorize(url) {
      const { searchParams } = new URL(url);
      const code = randomBytes(16).toString("base64url");
      grants.set(code, {
        nonce: searchParams.get("nonce"),
        challenge: searchParams.get("code_challenge") ?? "",
        redirectUri: searchParams.get("redirect_uri") ?? "",
        clientId: searchParams.get("client_id") ?? "",
      });
      return new URLSearchParams({ code, state: searchParams.get("state") ?? "" });
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return standIn;
}
