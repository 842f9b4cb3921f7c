import { authorizationRequest, Browser, exchange, type Stop, type TokenAnswer } from "../test/security/client.ts";
import { PERSON, REDIRECT_URI } from "./database.ts";
import type { Server } from "./servers.ts";

/** A client of one authorization server with people signed in: gets codes and tokens as any client would. */
export interface TokenClient {
  readonly server: Server;
  /** The same, at the port for questions about tokens. */
  readonly introspection: Server;
  readonly paths: Dialect["paths"];
  /** One for each browser, each from a grant of its own: bodies that turn a refresh token into the next. */
  refreshBodies(): Promise<readonly string[]>;
  /** Bodies that turn a new code each into tokens. They are to be sent within a minute. */
  codeBodies(count: number): Promise<readonly string[]>;
  /** The body that gets a token for the client itself. */
  readonly credentialsBody: string;
  /** An access token of a person for each browser. */
  accessTokens(): Promise<readonly string[]>;
  /** Access tokens for the client itself. */
  ownTokens(count: number): Promise<readonly string[]>;
  /** Body of a request about a token, at `/introspect` and `/revoke`. */
  bodyAbout(token: string): string;
  /** An authorization request, and the cookies that each browser sends with it. */
  authorizationRequest(): { readonly path: string; readonly cookies: readonly string[] };
  /** Those with a code, a refresh token, and for the client itself: what is to be equal in the answers of two servers. */
  describeAnswers(): Promise<readonly DescribedAnswer[]>;
}

export interface DescribedAnswer {
  readonly members: readonly string[];
  readonly scope: readonly string[];
  readonly seconds: number;
  /** That of the ID token; null without one. */
  readonly algorithm: string | null;
}

/** What differs from one product to the next. */
export interface Dialect {
  readonly paths: { readonly authorization: string; readonly token: string; readonly introspection: string };
  /** Where not the server's. */
  readonly introspectionPort?: number;
  /** What a person allows. */
  readonly scope: string;
  /** Takes somebody, signed in or not, from an authorization request to where a code is handed over. */
  authorize(browser: Browser, request: URL): Promise<Stop>;
}

/** The form on a sign-in page, and what is typed: the end of its action, and its fields. null where the page is none of ours. */
export type SignInForm = (page: Stop) => readonly [actionEnd: string, values: Record<string, string>] | null;

export const withPassword: SignInForm = (page) => {
  const { email, password } = PERSON;
  return page.text.includes('name="email"') ? ["/sign-in", { email, password }] : null;
};

/** Ours, and the engine with its development pages. */
export function ownDialect(fillIn: SignInForm = withPassword): Dialect {
  return {
    paths: { authorization: "/authorize", token: "/token", introspection: "/introspect" },
    scope: "openid posts:read",
    async authorize(browser, request) {
      let page = await browser.follow(request);
      for (let pages = 0; !page.left && pages < 3; pages++)
        page = await browser.submit(page, ...(fillIn(page) ?? developmentForm(page)));
      return page;
    },
  };
}

/** Requests for codes that are under way at the same time. */
const AT_ONCE = 8;

/** @param browsers how many sign in, one after another */
export async function openTokenClient(
  server: Server,
  { client }: { readonly client: { readonly id: string; readonly secret: string } },
  browsers: number,
  { paths, introspectionPort = server.port, scope, authorize }: Dialect = ownDialect(),
): Promise<TokenClient> {
  const { origin: issuer } = server;
  const options = { issuer, clientId: client.id, redirectUri: REDIRECT_URI, scope };
  const own = { client_id: client.id, client_secret: client.secret };
  const form = (parameters: Record<string, string>) => new URLSearchParams(parameters).toString();
  const sessions: Browser[] = [];
  for (let i = 0; i < browsers; i++) {
    const browser = new Browser();
    await codeParameters(browser);
    sessions.push(browser);
  }

  function newRequest(): { url: URL; verifier: string } {
    const { url, verifier } = authorizationRequest(options);
    url.pathname = paths.authorization;
    return { url, verifier };
  }

  async function codeParameters(browser = new Browser()): Promise<Record<string, string>> {
    const { url, verifier } = newRequest();
    const { left, url: end, text } = await authorize(browser, url);
    const code = left ? end.searchParams.get("code") : null;
    if (!code) throw new Error(`${server.name}: signing in ended at ${end}: ${text.slice(-500)}`);
    return { ...exchange(options, code, verifier), client_secret: client.secret };
  }

  async function askToken(parameters: Record<string, string>): Promise<TokenAnswer["body"]> {
    const response = await fetch(issuer + paths.token, { method: "POST", body: new URLSearchParams(parameters) });
    const text = await response.text();
    if (response.status !== 200)
      throw new Error(`${server.name} answered ${response.status} at its token endpoint: ${text}`);
    return JSON.parse(text);
  }

  const credentials = { grant_type: "client_credentials", ...own, scope: "posts:read" };
  const refreshParameters = (token: string) => ({
    ...{ grant_type: "refresh_token", ...own },
    refresh_token: token, // the last, where the load generator puts the next one
  });
  /** Does this many things with the sessions in turn, some of them at the same time: codes do not live for long. */
  async function withSessions<T>(count: number, work: (browser: Browser | undefined) => Promise<T>): Promise<T[]> {
    const all: T[] = [];
    while (all.length < count) {
      const next = Math.min(AT_ONCE, sessions.length, count - all.length);
      const several = Array.from({ length: next }, (_, i) => work(sessions[(all.length + i) % sessions.length]));
      all.push(...(await Promise.all(several)));
    }
    return all;
  }

  // The header of GraphQL's requests has a token in it, and here it would be taken for the client's.
  const asked = { ...server, headers: { accept: "application/json" } };

  return {
    server: asked,
    introspection: { ...asked, port: introspectionPort },
    paths,
    refreshBodies: () =>
      withSessions(browsers, async (browser) => {
        const { refresh_token } = await askToken(await codeParameters(browser));
        return form(refreshParameters(refresh_token));
      }),
    credentialsBody: form(credentials),
    codeBodies: (count) => withSessions(count, async (browser) => form(await codeParameters(browser))),
    accessTokens: () =>
      withSessions(browsers, async (browser) => (await askToken(await codeParameters(browser))).access_token),
    async ownTokens(count) {
      const tokens: string[] = [];
      for (let i = 0; i < count; i++) tokens.push((await askToken(credentials)).access_token);
      return tokens;
    },
    bodyAbout: (token) => form({ token, ...own }),
    authorizationRequest() {
      const { pathname, search } = newRequest().url;
      return { path: pathname + search, cookies: sessions.map((browser) => browser.cookiesFor(pathname)) };
    },
    async describeAnswers() {
      const first = await askToken(await codeParameters(sessions[0]));
      const second = await askToken(refreshParameters(first.refresh_token));
      if (first.refresh_token === second.refresh_token) throw new Error(`${server.name} keeps its refresh tokens.`);
      return [first, second, await askToken(credentials)].map((answer) => ({
        members: Object.keys(answer).sort(),
        scope: answer.scope.split(" ").sort(),
        seconds: answer.expires_in,
        algorithm: answer.id_token === undefined ? null : algorithmOf(answer.id_token),
      }));
    },
  };
}

function algorithmOf(token: string): string {
  return JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString()).alg;
}

/** The forms of oidc-provider's development pages. */
function developmentForm(page: Stop): ReturnType<SignInForm> & object {
  const { email, password } = PERSON;
  return [page.url.pathname, page.text.includes('name="login"') ? { login: email, password } : {}];
}
