import { authorizationRequest, Browser, exchange, requestToken, type Stop } from "../test/security/client.ts";
import { type Database, PERSON, REDIRECT_URI } from "./database.ts";
import type { Server } from "./servers.ts";

const SCOPE = "openid posts:read";

/** A client of one authorization server with people signed in: gets codes and tokens as any client would. */
export interface TokenClient {
  readonly server: Server;
  /** One for each browser, each from a grant of its own: bodies that turn a refresh token into the next. */
  refreshBodies(): Promise<readonly string[]>;
  /** Bodies that turn a new code each into tokens. They are to be sent within a minute. */
  codeBodies(count: number): Promise<readonly string[]>;
  /** The body that gets a token for the client itself. */
  readonly credentialsBody: string;
  /** What is to be equal in the answers of two servers: members, scope, life, algorithm of the ID token. */
  describeAnswers(): Promise<string>;
}

/** The form on a sign-in page, and what is typed: the end of its action, and its fields. null where the page is none of ours. */
export type SignInForm = (page: Stop) => readonly [actionEnd: string, values: Record<string, string>] | null;

export const withPassword: SignInForm = (page) => {
  const { email, password } = PERSON;
  return page.text.includes('name="email"') ? ["/sign-in", { email, password }] : null;
};

/** @param browsers how many sign in, one after another */
export async function openTokenClient(
  server: Server,
  { client }: Database,
  browsers: number,
  fillIn = withPassword,
): Promise<TokenClient> {
  const issuer = server.origin;
  const options = { issuer, clientId: client.id, redirectUri: REDIRECT_URI, scope: SCOPE };
  const sessions: Browser[] = [];
  for (let i = 0; i < browsers; i++) sessions.push(await signIn());

  async function signIn(): Promise<Browser> {
    const browser = new Browser();
    let page = await browser.follow(authorizationRequest(options).url);
    for (let pages = 0; !page.left && pages < 3; pages++)
      page = await browser.submit(page, ...(fillIn(page) ?? developmentForm(page)));
    if (!page.left || !page.url.searchParams.has("code"))
      throw new Error(`${server.name}: signing in ended at ${page.url}: ${page.text.slice(-500)}`);
    return browser;
  }

  async function codeParameters(browser: Browser | undefined): Promise<Record<string, string>> {
    const { url, verifier } = authorizationRequest(options);
    const response = await browser?.fetch(url);
    const code = URL.parse(response?.headers.get("location") ?? "")?.searchParams.get("code");
    if (!code) throw new Error(`${server.name}: there is no code in ${response?.headers.get("location")}`);
    return { ...exchange(options, code, verifier), client_secret: client.secret };
  }

  async function askToken(parameters: Record<string, string>) {
    const { status, body } = await requestToken(issuer, parameters);
    if (status !== 200)
      throw new Error(`${server.name}: the token endpoint answered ${status} ${JSON.stringify(body)}`);
    return body;
  }

  const credentials = {
    grant_type: "client_credentials",
    client_id: client.id,
    client_secret: client.secret,
    scope: "posts:read",
  };
  const refreshParameters = (token: string) => ({
    grant_type: "refresh_token",
    client_id: client.id,
    client_secret: client.secret,
    refresh_token: token, // the last, where the load generator puts the next one
  });

  return {
    // The header of GraphQL's requests has a token in it, and here it would be taken for the client's.
    server: { ...server, headers: { accept: "application/json" } },
    async refreshBodies() {
      const bodies: string[] = [];
      for (const session of sessions) {
        const { refresh_token } = await askToken(await codeParameters(session));
        bodies.push(new URLSearchParams(refreshParameters(refresh_token)).toString());
      }
      return bodies;
    },
    credentialsBody: new URLSearchParams(credentials).toString(),
    async codeBodies(count) {
      const bodies: string[] = [];
      for (let i = 0; i < count; i++) {
        bodies.push(new URLSearchParams(await codeParameters(sessions[i % sessions.length])).toString());
      }
      return bodies;
    },
    async describeAnswers() {
      const first = await askToken(await codeParameters(sessions[0]));
      const second = await askToken(refreshParameters(first.refresh_token));
      if (first.refresh_token === second.refresh_token) throw new Error(`${server.name} keeps its refresh tokens.`);
      const describe = (answer: typeof first) => ({
        members: Object.keys(answer).sort(),
        scope: answer.scope.split(" ").sort(),
        seconds: answer.expires_in,
        algorithm: answer.id_token === undefined ? null : algorithmOf(answer.id_token),
      });
      return JSON.stringify([first, second, await askToken(credentials)].map(describe));
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
