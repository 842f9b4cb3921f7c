import * as openid from "openid-client";
import type { NewClient } from "../../../src/domain/clients/client.ts";
import { hashToken } from "../../../src/secrets/token-hash.ts";
import { PASSWORD, type TestServer } from "../../security/authorization-server.ts";
import { Browser, formOf, type Stop, walk } from "../../security/client.ts";

export const CALLBACK = "https://rp.example.com/callback";
const SECRET = "a-secret-of-the-relying-party";

export type ResponseMode = "query" | "form_post";

/** The party that the plans of the OpenID Foundation play: openid-client, and a person in a browser. */
export interface RelyingParty {
  readonly config: openid.Configuration;
  readonly clientId: string;
  /** An authorization request with PKCE, state and nonce; undefined leaves a parameter out. */
  request(params?: Record<string, string | undefined>): Promise<Request>;
  /** From a request to the client's address, or to the page at which it ends. The person signs in and agrees where asked. */
  send(request: Request, options?: SendOptions): Promise<Answer>;
  /** All of it: the request, the person, the code, the tokens, checked by openid-client. */
  signIn(params?: Record<string, string | undefined>, options?: SendOptions): Promise<SignedIn>;
  exchange(answer: Answer): ReturnType<typeof openid.authorizationCodeGrant>;
}

interface Request {
  readonly url: URL;
  readonly verifier: string;
  readonly state: string | undefined;
  readonly nonce: string | undefined;
}

interface SendOptions {
  readonly browser?: Browser;
  readonly method?: "GET" | "POST";
  readonly email?: string;
  readonly decision?: "approve" | "deny";
}

interface Answer {
  readonly request: Request;
  /** What came to the client's address; null when the walk ended at a page of the server. */
  readonly params: URLSearchParams | null;
  readonly stop: Stop;
  /** The pages that the person saw on the way. */
  readonly pages: readonly ("sign-in" | "consent")[];
  readonly browser: Browser;
}

type Tokens = Awaited<ReturnType<typeof openid.authorizationCodeGrant>>;
type SignedIn = Answer & { readonly tokens: Tokens; readonly claims: openid.IDToken };

export async function openRelyingParty(
  server: TestServer,
  change: Partial<NewClient> & { id: string },
  mode: ResponseMode = "query",
  authentication: (secret: string) => openid.ClientAuth = openid.ClientSecretBasic,
): Promise<RelyingParty> {
  await server.addClient({
    type: "confidential",
    secretHash: hashToken(SECRET),
    redirectUris: [CALLBACK],
    postLogoutRedirectUris: ["https://rp.example.com/bye"],
    scopes: ["openid", "profile", "email", "offline_access", "posts:read"],
    ...change,
  });
  const { id: clientId } = change;
  const issuer = new URL(server.issuer);
  const metadata = { id_token_signed_response_alg: change.idTokenAlgorithm ?? "ES256" };
  const config = await openid.discovery(issuer, clientId, metadata, authentication(SECRET), {
    // The second has it check signatures too, though TLS would vouch for them.
    execute: [openid.allowInsecureRequests, openid.enableNonRepudiationChecks],
  });

  const party: RelyingParty = {
    config,
    clientId,
    async request(params = {}) {
      const verifier = openid.randomPKCECodeVerifier();
      const all: Record<string, string | undefined> = {
        redirect_uri: CALLBACK,
        scope: "openid",
        state: openid.randomState(),
        nonce: openid.randomNonce(),
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        ...(mode === "query" ? {} : { response_mode: mode }),
        ...params,
      };
      const present = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
      const url = openid.buildAuthorizationUrl(config, Object.fromEntries(present));
      for (const [name, value] of Object.entries(all)) if (value === undefined) url.searchParams.delete(name);
      return { url, verifier, state: all.state, nonce: all.nonce };
    },

    async send(request, { browser = new Browser(), method = "GET", email = "ada@example.com", decision } = {}) {
      const pages: ("sign-in" | "consent")[] = [];
      const { origin, pathname, searchParams } = request.url;
      let stop =
        method === "GET"
          ? await browser.follow(request.url)
          : await browser.follow(origin + pathname, { method, body: searchParams });
      if (stop.text.includes('name="password"')) {
        pages.push("sign-in");
        stop = await browser.submit(stop, "/sign-in", { email, password: PASSWORD });
      }
      if (stop.text.includes('name="decision"')) pages.push("consent");
      const options = { issuer: server.issuer, clientId, redirectUri: CALLBACK, ...(decision && { decision }) };
      stop = await walk(browser, stop, options);
      return { request, params: paramsOf(stop, mode), stop, pages, browser };
    },

    async exchange({ params, request, stop }) {
      const body = params ?? new URLSearchParams();
      const came = mode === "query" ? stop.url : new globalThis.Request(CALLBACK, { method: "POST", body });
      return openid.authorizationCodeGrant(config, came, {
        pkceCodeVerifier: request.verifier,
        ...(request.state === undefined ? {} : { expectedState: request.state }),
        ...(request.nonce === undefined ? {} : { expectedNonce: request.nonce }),
        idTokenExpected: true,
      });
    },

    async signIn(params, options) {
      const answer = await party.send(await party.request(params), options);
      const tokens = await party.exchange(answer);
      const claims = tokens.claims();
      if (claims === undefined) throw new Error("there is no ID token");
      return { ...answer, tokens, claims };
    },
  };
  return party;
}

/** What the client receives: in the query, or in the form that the page sends. */
function paramsOf(stop: Stop, mode: ResponseMode): URLSearchParams | null {
  if (stop.left) return mode === "query" ? stop.url.searchParams : null;
  if (mode === "query" || !stop.text.includes(`action="${CALLBACK}"`)) return null;
  return new URLSearchParams(formOf(stop, CALLBACK).hidden);
}
