import { createHash, randomBytes } from "node:crypto";

/** A browser without a screen: keeps cookies by path, follows redirects on demand, and fills in forms. */
export class Browser {
  readonly #cookies = new Map<string, { name: string; value: string; path: string }>();

  /** Sets a cookie for every path, as somebody who is at the browser may. */
  put(name: string, value: string): void {
    this.#cookies.set(`${name} /`, { name, value, path: "/" });
  }

  /** One request, no redirect followed. */
  async fetch(url: string | URL, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    const cookie = this.cookiesFor(new URL(url).pathname);
    if (cookie !== "") headers.set("cookie", cookie);
    if (!headers.has("accept")) headers.set("accept", "text/html,application/xhtml+xml,*/*;q=0.8");
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    return response;
  }

  /** Follows redirects as long as they stay at the origin of `url`. */
  async follow(url: string | URL, init?: RequestInit): Promise<Stop> {
    let at = new URL(url);
    let response = await this.fetch(at, init);
    for (let hops = 0; response.status >= 300 && response.status < 400; hops++) {
      if (hops === 20) throw new Error(`redirects without end at ${at}`);
      const next = new URL(response.headers.get("location") ?? "", at);
      if (next.origin !== at.origin) return { url: next, response, left: true, text: "" };
      at = next;
      response = await this.fetch(at);
    }
    return { url: at, response, left: false, text: await response.text() };
  }

  /** Fills in the form on the page whose action ends as given, and follows where that leads. */
  async submit(page: Stop, actionEnd: string, values: Record<string, string> = {}): Promise<Stop> {
    const form = formOf(page, actionEnd);
    const body = new URLSearchParams({ ...form.hidden, ...values });
    return this.follow(form.action, { method: "POST", body });
  }

  cookie(name: string): string | undefined {
    return [...this.#cookies.values()].find((cookie) => cookie.name === name)?.value;
  }

  /** The `Cookie` header for a path (RFC 6265 section 5.1.4); empty for none. */
  cookiesFor(path: string): string {
    const matching = [...this.#cookies.values()].filter(
      (cookie) => path === cookie.path || path.startsWith(cookie.path.endsWith("/") ? cookie.path : `${cookie.path}/`),
    );
    return matching.map(({ name, value }) => `${name}=${value}`).join("; ");
  }

  #keep(line: string): void {
    const [pair = "", ...attributes] = line.split(/;\s*/);
    const name = pair.slice(0, pair.indexOf("="));
    const value = pair.slice(name.length + 1);
    const attribute = (wanted: string) =>
      attributes.find((text) => text.toLowerCase().startsWith(`${wanted}=`))?.slice(wanted.length + 1);
    const path = attribute("path") ?? "/";
    const expires = attribute("expires");
    if (value === "" || (expires !== undefined && Date.parse(expires) < Date.now()))
      this.#cookies.delete(`${name} ${path}`);
    else this.#cookies.set(`${name} ${path}`, { name, value, path });
  }
}

/** Where a walk ended: at a page of the server, or (`left`) at an address elsewhere, which was not called. */
export interface Stop {
  readonly url: URL;
  readonly response: Response;
  readonly left: boolean;
  readonly text: string;
}

export function formOf(page: Stop, actionEnd: string): { action: URL; hidden: Record<string, string> } {
  for (const [, attributes = "", inner = ""] of page.text.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)) {
    const action = unescapeHtml(/action="([^"]*)"/.exec(attributes)?.[1] ?? "");
    if (!action.endsWith(actionEnd)) continue;
    const hidden: Record<string, string> = {};
    for (const [input] of inner.matchAll(/<input\b[^>]*type="hidden"[^>]*>/g)) {
      const name = /name="([^"]*)"/.exec(input)?.[1];
      if (name !== undefined) hidden[name] = unescapeHtml(/value="([^"]*)"/.exec(input)?.[1] ?? "");
    }
    return { action: new URL(action, page.url), hidden };
  }
  throw new Error(`no form for ${actionEnd} at ${page.url} (${page.response.status}): ${page.text.slice(-1500)}`);
}

export interface AuthorizeOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scope?: string;
  /** Parameters beside or instead of the usual; undefined leaves one out, several values are sent as several. */
  readonly params?: Record<string, string | readonly string[] | undefined>;
  readonly browser?: Browser;
  readonly email?: string;
  readonly password?: string;
  readonly decision?: "approve" | "deny";
  /** The choice on the consent page for agents, where it is offered; undefined chooses nothing there. */
  readonly level?: string;
}

/** An authorization request that a right client makes. */
export function authorizationRequest(options: AuthorizeOptions): { url: URL; verifier: string; state: string } {
  const verifier = randomBytes(32).toString("base64url");
  const state = randomBytes(8).toString("hex");
  const url = new URL(`${options.issuer}/authorize`);
  const params: NonNullable<AuthorizeOptions["params"]> = {
    response_type: "code",
    client_id: options.clientId,
    redirect_uri: options.redirectUri,
    scope: options.scope ?? "openid profile email posts:read",
    state,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    ...options.params,
  };
  for (const [name, values = []] of Object.entries(params))
    for (const value of [values].flat()) url.searchParams.append(name, value);
  return { url, verifier, state };
}

/** From any page of the flow to its end, signing in and agreeing where asked. */
export async function walk(browser: Browser, start: Stop, options: AuthorizeOptions): Promise<Stop> {
  let stop = start;
  for (let pages = 0; !stop.left && pages < 4; pages++) {
    if (stop.text.includes('name="password"')) {
      const { email = "ada@example.com", password = "correct horse battery staple" } = options;
      stop = await browser.submit(stop, "/sign-in", { email, password });
    } else if (stop.text.includes('name="decision"')) {
      const isOffered = stop.text.includes(`name="level" value="${options.level}"`);
      const level = options.level !== undefined && isOffered ? { level: options.level } : {};
      stop = await browser.submit(stop, "/consent", { decision: options.decision ?? "approve", ...level });
    } else break;
  }
  return stop;
}

/** Signs a person in, and returns the browser that holds the session. */
export async function signIn(options: AuthorizeOptions): Promise<Browser> {
  const browser = options.browser ?? new Browser();
  await authorize({ ...options, browser });
  return browser;
}

/** The whole walk to the client's address. @throws Error when it ends at a page of the server */
export async function authorize(options: AuthorizeOptions): Promise<{
  code: string;
  verifier: string;
  browser: Browser;
  /** Parameters of the authorization response. */
  answer: URLSearchParams;
}> {
  const browser = options.browser ?? new Browser();
  const { url, verifier } = authorizationRequest(options);
  const end = await walk(browser, await browser.follow(url), options);
  if (!end.left) throw new Error(`the walk ended at ${end.url} (${end.response.status}): ${end.text.slice(-800)}`);
  const answer = end.url.searchParams;
  return { code: answer.get("code") ?? "", verifier, browser, answer };
}

export interface TokenAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: {
    readonly access_token: string;
    readonly refresh_token: string;
    readonly id_token: string;
    readonly scope: string;
    readonly expires_in: number;
    readonly token_type: string;
    readonly error?: string;
    readonly error_description?: string;
  };
}

/** A request to the token endpoint; parameters that are undefined are left out. */
export async function requestToken(
  issuer: string,
  params: Record<string, string | undefined>,
  headers: Record<string, string> = {},
): Promise<TokenAnswer> {
  const present = Object.entries(params).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const response = await fetch(`${issuer}/token`, { method: "POST", headers, body: new URLSearchParams(present) });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as TokenAnswer["body"],
  };
}

/** The whole walk and the exchange. */
export async function getTokens(
  options: AuthorizeOptions & { clientSecret?: string },
): Promise<TokenAnswer["body"] & { browser: Browser; code: string; verifier: string }> {
  const { code, verifier, browser } = await authorize(options);
  const { status, body } = await requestToken(options.issuer, {
    ...exchange(options, code, verifier),
    client_secret: options.clientSecret,
  });
  if (status !== 200) throw new Error(`the exchange answered ${status} ${JSON.stringify(body)}`);
  return { ...body, browser, code, verifier };
}

/** The parameters that turn a code into tokens. */
export function exchange(
  options: Pick<AuthorizeOptions, "clientId" | "redirectUri">,
  code: string,
  verifier: string,
): Record<string, string> {
  return {
    grant_type: "authorization_code",
    code,
    redirect_uri: options.redirectUri,
    client_id: options.clientId,
    code_verifier: verifier,
  };
}

export function unescapeHtml(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}
