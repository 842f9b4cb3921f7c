import assert from "node:assert/strict";
import { createHash, generateKeyPairSync, type KeyObject, randomUUID } from "node:crypto";
import { calculateJwkThumbprint, type JWK, SignJWT } from "jose";
import { SPA_CALLBACK } from "../../security/authorization-server.ts";
import { authorizationRequest, Browser, exchange, walk } from "../../security/client.ts";

export interface Pair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  /** Defaults to "1". */
  readonly kid?: string;
}

export type Claims = Record<string, unknown>;

interface Answer {
  readonly status: number;
  readonly error?: string;
  readonly request_uri?: string;
  readonly access_token?: string;
  readonly refresh_token?: string;
}

/** The answer to a client that did not prove who it is. */
export const REFUSED = { status: 401, error: "invalid_client" };

export const ecPair = (): Pair => generateKeyPairSync("ec", { namedCurve: "P-256" });

export const jwkOf = ({ publicKey }: Pair) => publicKey.export({ format: "jwk" }) as JWK;

export const thumbprint = (pair: Pair): Promise<string> => calculateJwkThumbprint(jwkOf(pair));

/** The name of a module in the Foundation's plan. */
export const module = (name: string) => `fapi2-security-profile-final-${name}`;

const nowSeconds = () => Math.floor(Date.now() / 1000);

/** The client `rp`, which signs assertions (private_key_jwt), pushes its requests and binds its tokens to keys (DPoP). */
export class FapiParty {
  readonly issuer: string;
  readonly key: Pair;

  /** @param key signs its assertions */
  constructor(issuer: string, key: Pair) {
    this.issuer = issuer;
    this.key = key;
  }

  #options() {
    return { issuer: this.issuer, clientId: "rp", redirectUri: SPA_CALLBACK, scope: "openid" };
  }

  assertion(change: Claims = {}, by: Pair = this.key, alg = "ES256"): Promise<string> {
    const claims = { iss: "rp", sub: "rp", aud: this.issuer, jti: randomUUID(), exp: nowSeconds() + 60, ...change };
    return new SignJWT(claims).setProtectedHeader({ alg, kid: by.kid ?? "1" }).sign(by.privateKey);
  }

  proof(pair: Pair, path: string, change: Claims = {}): Promise<string> {
    const claims = { htm: "POST", htu: this.issuer + path, jti: randomUUID(), iat: nowSeconds(), ...change };
    const header = { typ: "dpop+jwt", alg: "ES256", jwk: jwkOf(pair) };
    return new SignJWT(claims).setProtectedHeader(header).sign(pair.privateKey);
  }

  async userinfo(token: string, pair: Pair, change: Claims = {}): Promise<number> {
    const ath = createHash("sha256").update(token).digest("base64url");
    const dpop = await this.proof(pair, "/userinfo", { htm: "GET", ath, ...change });
    const headers = { authorization: `DPoP ${token}`, dpop };
    return (await fetch(`${this.issuer}/userinfo`, { headers })).status;
  }

  /** @param jwt the client's assertion; null for none */
  async send(
    path: string,
    form: Record<string, string>,
    headers: Record<string, string> = {},
    jwt?: string | null,
  ): Promise<Answer> {
    const type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
    const own = jwt === null ? {} : { client_assertion_type: type, client_assertion: jwt ?? (await this.assertion()) };
    const body = new URLSearchParams({ ...form, ...own });
    const response = await fetch(this.issuer + path, { method: "POST", headers, body });
    const { error, request_uri, access_token, refresh_token } = (await response.json()) as Omit<Answer, "status">;
    const found = Object.entries({ error, request_uri, access_token, refresh_token });
    return { status: response.status, ...Object.fromEntries(found.filter(([, value]) => value !== undefined)) };
  }

  async revoke(token: string): Promise<void> {
    const client_assertion_type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
    const body = new URLSearchParams({ token, client_assertion_type, client_assertion: await this.assertion() });
    assert.equal((await fetch(`${this.issuer}/revoke`, { method: "POST", body })).status, 200);
  }

  async push(params: Record<string, string>, dpop?: string) {
    const { url, verifier } = authorizationRequest({ ...this.#options(), params });
    const headers: Record<string, string> = dpop === undefined ? {} : { dpop };
    return { ...(await this.send("/par", Object.fromEntries(url.searchParams), headers)), verifier };
  }

  /** @returns the parameters that turn the code into tokens */
  async signIn(params: Record<string, string> = {}, dpop?: string): Promise<Record<string, string>> {
    const { request_uri = "", verifier } = await this.push(params, dpop);
    const browser = new Browser();
    const url = `${this.issuer}/authorize?${new URLSearchParams({ client_id: "rp", request_uri })}`;
    const end = await walk(browser, await browser.follow(url), this.#options());
    return exchange(this.#options(), end.url.searchParams.get("code") ?? "", verifier);
  }

  async redeem(code: Record<string, string>, pair: Pair | null, change: Claims = {}) {
    return this.send("/token", code, pair === null ? {} : { dpop: await this.proof(pair, "/token", change) });
  }
}
