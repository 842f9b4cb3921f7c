// @ts-check
/**
 * Sign-in for the explorer: the authorization code flow with PKCE (RFC 6749 section 4.1, RFC 7636), as a public
 * client. What must outlive a page load is in sessionStorage, which belongs to this tab and ends with it.
 */

/**
 * The settings that the server writes into data attributes of the page's root element.
 * @typedef {object} Settings
 * @property {string} operator
 * @property {string} graphqlPath
 * @property {string} graphqlUrl
 * @property {string} schemaPath  Empty where there is none.
 * @property {string} issuer
 * @property {string} clientId
 * @property {string} redirectUri
 * @property {string} scope
 */

/**
 * A person who has signed in.
 * @typedef {object} Session
 * @property {string} accessToken
 * @property {number} expiresAt  Milliseconds since the epoch.
 * @property {string} name
 * @property {boolean} isAdministrator  Whether the token has the scope `admin`.
 */

/** A failure whose message is for the person at the screen. */
export class SignInError extends Error {}

const REQUEST = "explorer.request";
const SESSION = "explorer.session";
const SIGN_OUT = "explorer.sign-out";
const NEEDED = "explorer.needed";

/** @returns {Settings} */
export function readSettings() {
  return /** @type {Settings} */ ({ ...document.documentElement.dataset });
}

/**
 * Leaves for the authorization server.
 * @param {Settings} settings
 * @throws {SignInError}
 */
export async function startSignIn(settings) {
  if (!window.isSecureContext) {
    throw new SignInError("Sign-in works over https or on this device only: browsers allow no cryptography elsewhere.");
  }
  const server = await discover(settings.issuer);
  const state = randomText();
  const verifier = randomText();
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  sessionStorage.setItem(REQUEST, JSON.stringify({ state, verifier }));
  const address = new URL(server.authorizationEndpoint);
  address.search = new URLSearchParams({
    ...JSON.parse(sessionStorage.getItem(NEEDED) ?? "{}"),
    response_type: "code",
    client_id: settings.clientId,
    redirect_uri: settings.redirectUri,
    scope: settings.scope,
    state,
    code_challenge: toBase64Url(new Uint8Array(digest)),
    code_challenge_method: "S256",
  }).toString();
  location.assign(address);
}

/**
 * Checks the authorization response, redeems its code and keeps the session.
 * @param {Settings} settings
 * @param {URLSearchParams} response
 * @throws {SignInError}
 */
export async function finishSignIn(settings, response) {
  const request = JSON.parse(sessionStorage.getItem(REQUEST) ?? "null");
  if (request === null || response.get("state") !== request.state) {
    throw new SignInError("This sign-in was not started in this tab, or it is already finished.");
  }
  sessionStorage.removeItem(REQUEST);
  // RFC 9207 section 2.4: an answer from another server is refused before anything in it is used.
  if (response.get("iss") !== settings.issuer) throw new SignInError("The answer came from another server.");
  const code = response.get("code");
  if (code === null) throw new SignInError(describeError(response));

  const server = await discover(settings.issuer);
  const token = await fetchJson(server.tokenEndpoint, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code,
      redirect_uri: settings.redirectUri,
      client_id: settings.clientId,
      code_verifier: request.verifier,
    }),
  });
  if (typeof token.access_token !== "string" || String(token.token_type).toLowerCase() !== "bearer") {
    throw new SignInError("The server gave no token that can be used here.");
  }
  const person = await fetchJson(server.userinfoEndpoint, {
    headers: { authorization: `Bearer ${token.access_token}` },
  });
  /** @type {Session} */
  const session = {
    accessToken: token.access_token,
    expiresAt: Date.now() + Number(token.expires_in ?? 0) * 1000,
    name: String(person.name ?? person.email ?? person.sub),
    isAdministrator: String(token.scope ?? "")
      .split(" ")
      .includes("admin"),
  };
  sessionStorage.setItem(SESSION, JSON.stringify(session));
  sessionStorage.removeItem(NEEDED);
}

/** @returns {Session | null} null also when it has expired */
export function readSession() {
  /** @type {Session | null} */
  const session = JSON.parse(sessionStorage.getItem(SESSION) ?? "null");
  return session !== null && session.expiresAt > Date.now() ? session : null;
}

/** @returns {boolean} whether there is a session that has expired and has not been forgotten */
export function hasExpired() {
  return sessionStorage.getItem(SESSION) !== null && readSession() === null;
}

export function forgetSession() {
  sessionStorage.removeItem(SESSION);
}

/**
 * Has the next sign-in be as new and as strong as the server wants it (RFC 9470 section 4).
 * @param {{ maxAge?: number, acrValues?: string[] }} needed  Extensions of the server's error.
 * @returns {boolean} whether it wants anything of that kind
 */
export function needSignIn({ maxAge, acrValues }) {
  if (maxAge === undefined) return false;
  const parameters = { max_age: String(maxAge), ...(acrValues && { acr_values: acrValues.join(" ") }) };
  sessionStorage.setItem(NEEDED, JSON.stringify(parameters));
  return true;
}

/**
 * Forgets the token, revokes it (RFC 7009), and leaves for the page on which the person ends the session at the
 * authorization server (OpenID Connect RP-Initiated Logout 1.0). Without that page the session would go on, and the
 * next sign-in would ask for no password.
 * @param {Settings} settings
 * @throws {SignInError} when the server did not confirm the revocation
 */
export async function signOut(settings) {
  const session = readSession();
  forgetSession();
  if (session === null) return;
  const server = await discover(settings.issuer);
  const answer = await fetchFrom(server.revocationEndpoint, {
    method: "POST",
    body: new URLSearchParams({
      token: session.accessToken,
      token_type_hint: "access_token",
      client_id: settings.clientId,
    }),
  });
  if (!answer.ok) {
    throw new SignInError(
      `The explorer has forgotten its token, but the server did not confirm the end of it. Your session at ${settings.operator} goes on.`,
    );
  }
  const state = randomText();
  sessionStorage.setItem(SIGN_OUT, state);
  const address = new URL(server.endSessionEndpoint);
  address.search = new URLSearchParams({
    client_id: settings.clientId,
    post_logout_redirect_uri: settings.graphqlUrl,
    state,
  }).toString();
  location.assign(address);
}

/**
 * Whether this page was opened by the way back from `signOut`. True once.
 * @param {URLSearchParams} query
 */
export function isBackFromSignOut(query) {
  const state = sessionStorage.getItem(SIGN_OUT);
  if (state === null || query.get("state") !== state) return false;
  sessionStorage.removeItem(SIGN_OUT);
  return true;
}

/**
 * The authorization server's metadata (OpenID Connect Discovery 1.0 section 4).
 * @param {string} issuer
 */
async function discover(issuer) {
  const metadata = await fetchJson(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`, {});
  if (metadata.issuer !== issuer) throw new SignInError(`The authorization server is not the one expected: ${issuer}.`);
  return {
    authorizationEndpoint: String(metadata.authorization_endpoint),
    tokenEndpoint: String(metadata.token_endpoint),
    userinfoEndpoint: String(metadata.userinfo_endpoint),
    revocationEndpoint: String(metadata.revocation_endpoint),
    endSessionEndpoint: String(metadata.end_session_endpoint),
  };
}

/**
 * @param {string} address
 * @param {RequestInit} init
 * @returns {Promise<Record<string, any>>}
 */
async function fetchJson(address, init) {
  const answer = await fetchFrom(address, init);
  const body = await answer.json().catch(() => null);
  if (answer.ok && body !== null) return body;
  throw new SignInError(body?.error_description ?? `The authorization server answered with status ${answer.status}.`);
}

/**
 * @param {string} address
 * @param {RequestInit} init
 */
async function fetchFrom(address, init) {
  try {
    return await fetch(address, { ...init, cache: "no-store", credentials: "omit", redirect: "error" });
  } catch {
    throw new SignInError("The authorization server cannot be reached. Nothing was changed; try again.");
  }
}

/** @param {URLSearchParams} response */
function describeError(response) {
  const error = response.get("error");
  if (error === "access_denied") return "You did not allow the explorer to sign you in.";
  return `The server refused the sign-in: ${response.get("error_description") ?? error ?? "it gave no reason"}.`;
}

/** 256 random bits, as RFC 7636 section 7.1 recommends. */
function randomText() {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
}

/** @param {Uint8Array} bytes */
function toBase64Url(bytes) {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
