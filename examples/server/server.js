// A web site that signs people in with openid-client and keeps their tokens on the server: the browser only ever
// holds the name of a session. ISSUER, API, CLIENT_ID, CLIENT_SECRET, PORT and SITE are environment variables.
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import * as oidc from "openid-client";
import { errorPage, homePage } from "./pages.js";

const { ISSUER = "http://localhost:4000", API = ISSUER, CLIENT_ID, CLIENT_SECRET, PORT = "5174" } = process.env;
const { SITE = `http://localhost:${PORT}` } = process.env;
if (!CLIENT_ID || !CLIENT_SECRET) {
  console.error("CLIENT_ID or CLIENT_SECRET is missing. README.md says how to get them.");
  process.exit(2);
}

const REDIRECT_URI = `${SITE}/callback`;
const SCOPE = "openid profile posts:read posts:write users:read";
const SESSION_MS = 12 * 3_600_000;
/** A real site keeps these in its database. Each: { expiresAt, request?, tokens?, person? } */
const sessions = new Map();

const insecure = new URL(ISSUER).protocol === "http:" ? { execute: [oidc.allowInsecureRequests] } : {};
const config = await oidc.discovery(new URL(ISSUER), CLIENT_ID, CLIENT_SECRET, undefined, insecure);

const ROUTES = {
  "GET /": home,
  "GET /sign-in": signIn,
  "GET /callback": finishSignIn,
  "POST /posts": createPost,
  "POST /sign-out": signOut,
};

createServer(async (request, response) => {
  try {
    const { pathname } = new URL(request.url, SITE);
    const route = ROUTES[`${request.method} ${pathname}`];
    if (route === undefined) return sendPage(response, 404, errorPage("There is no such page."));
    // Forms are taken from our own pages only.
    if (request.method === "POST" && request.headers.origin !== new URL(SITE).origin) {
      return sendPage(response, 403, errorPage("This form was not sent from this site."));
    }
    await route(request, response, findSession(request));
  } catch (error) {
    console.error(error.message);
    const text = error.error_description ?? error.message;
    if (!response.headersSent) sendPage(response, 502, errorPage(`That did not work: ${text}`));
  }
}).listen(Number(PORT), "localhost", () => console.log(`${SITE}/`));

async function home(_request, response, session) {
  if (session?.tokens === undefined) return sendPage(response, 200, homePage(null));
  const data = await query(session, "query Mine($id: ID!) { user(id: $id) { name posts { title createdAt } } }", {
    id: session.person.sub,
  });
  if (data === null) return redirect(response, "/");
  sendPage(response, 200, homePage(data.user));
}

async function signIn(_request, response) {
  const request = { verifier: oidc.randomPKCECodeVerifier(), state: oidc.randomState(), nonce: oidc.randomNonce() };
  setCookie(response, newSession({ request }));
  const address = oidc.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT_URI,
    scope: SCOPE,
    state: request.state,
    nonce: request.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(request.verifier),
    code_challenge_method: "S256",
  });
  redirect(response, address.href);
}

async function finishSignIn(request, response, session) {
  if (session?.request === undefined) {
    return sendPage(response, 400, errorPage("This sign-in was not started in this browser, or it is finished."));
  }
  const { verifier, state, nonce } = session.request;
  sessions.delete(session.id);
  // Checks state, iss, nonce and the ID token's signature; throws when the person refused.
  const tokens = await oidc.authorizationCodeGrant(config, new URL(request.url, SITE), {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
  });
  // A new name for the session, so that nobody who knew the old one is signed in by it.
  setCookie(response, newSession({ tokens: dated(tokens), idToken: tokens.id_token, person: tokens.claims() }));
  redirect(response, "/");
}

async function createPost(request, response, session) {
  if (session?.tokens === undefined) return redirect(response, "/");
  const form = await readForm(request);
  const data = await query(
    session,
    "mutation CreatePost($title: String!, $body: String!) { createPost(input: { title: $title, body: $body }) { id } }",
    { title: form.get("title") ?? "", body: form.get("body") ?? "" },
  );
  // Signed out meanwhile: the start page says so by offering to sign in.
  redirect(response, data === null ? "/" : "/#posts");
}

async function signOut(_request, response, session) {
  if (session?.tokens === undefined) return redirect(response, "/");
  sessions.delete(session.id);
  const { refresh_token, access_token } = session.tokens;
  await oidc.tokenRevocation(config, refresh_token ?? access_token);
  const parameters = { post_logout_redirect_uri: `${SITE}/`, id_token_hint: session.idToken };
  redirect(response, oidc.buildEndSessionUrl(config, parameters).href);
}

/** The query's data, or null when the session has ended. */
async function query(session, text, variables) {
  if (Date.now() > session.tokens.freshUntil && !(await refresh(session))) return null;
  const response = await fetch(`${API}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${session.tokens.access_token}` },
    body: JSON.stringify({ query: text, variables }),
  });
  if (response.status === 401) {
    sessions.delete(session.id);
    return null;
  }
  const { data, errors } = await response.json();
  if (errors) throw new Error(errors.map((error) => error.message).join(" "));
  return data;
}

/** New tokens for expired ones. Requests that come together share one refresh: a refresh token works once. */
async function refresh(session) {
  session.refreshing ??= oidc
    .refreshTokenGrant(config, session.tokens.refresh_token ?? "")
    .then((tokens) => {
      session.tokens = { ...session.tokens, ...dated(tokens) };
      return true;
    })
    .catch((error) => {
      if (error.error !== "invalid_grant") throw error;
      sessions.delete(session.id);
      return false;
    })
    .finally(() => {
      session.refreshing = undefined;
    });
  return session.refreshing;
}

function dated(tokens) {
  const { access_token, refresh_token } = tokens;
  // Ten seconds early, so that a token does not expire on its way.
  const freshUntil = Date.now() + ((tokens.expiresIn() ?? 0) - 10) * 1_000;
  return { access_token, freshUntil, ...(refresh_token && { refresh_token }) };
}

function newSession(content) {
  for (const [id, { expiresAt }] of sessions) if (expiresAt < Date.now()) sessions.delete(id);
  const id = randomBytes(32).toString("base64url");
  sessions.set(id, { id, expiresAt: Date.now() + SESSION_MS, ...content });
  return id;
}

// The name is its own: cookies know no ports, and on one machine the authorization server has a "session" too.
function findSession(request) {
  const id = /(?:^|; )posts_site=([\w-]{43})(?:;|$)/.exec(request.headers.cookie ?? "")?.[1];
  const session = sessions.get(id);
  return session !== undefined && session.expiresAt > Date.now() ? session : null;
}

function setCookie(response, id) {
  const secure = SITE.startsWith("https:") ? "; Secure" : "";
  response.setHeader("set-cookie", `posts_site=${id}; Path=/; HttpOnly; SameSite=Lax${secure}`);
}

async function readForm(request) {
  let text = "";
  for await (const chunk of request) {
    text += chunk;
    if (text.length > 2_000_000) throw new Error("The form is too long.");
  }
  return new URLSearchParams(text);
}

function redirect(response, location) {
  response.writeHead(303, { location, "cache-control": "no-store" }).end();
}

function sendPage(response, status, body) {
  response
    .writeHead(status, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
      "cache-control": "no-store",
    })
    .end(body);
}
