import { ENDPOINTS, type Endpoint, PATHS } from "../../../src/authorization-server/http/endpoints.ts";
import { GRANT_TYPES } from "../../../src/domain/clients/client.ts";
import {
  challenged,
  empty,
  errorPage,
  form,
  inPath,
  json,
  later,
  MALFORMED,
  type Method,
  type Operation,
  type Paths,
  page,
  query,
  type Response,
  redirect,
  ref,
  type Schema,
  string,
} from "./parts.ts";

const oauthError = (description: string) => json(description, ref("OAuthError"));

const BUSY = later(oauthError("The server is busy. Nothing was changed."));

/** Ways in which clients authenticate: one of them. A public client names itself in `client_id`. */
const CLIENT: readonly Schema[] = [{ clientBasic: [] }, {}];

const OWN_PARAMETERS = {
  client_id: string("Id of the client, unless `Authorization` has it."),
  client_secret: string("Secret of the client, unless `Authorization` has it."),
  client_assertion_type: string("For a signed authentication (RFC 7523).", {
    enum: ["urn:ietf:params:oauth:client-assertion-type:jwt-bearer"],
  }),
  client_assertion: string("JWT with which the client authenticates."),
};

/** Parameters of a request for authorization (RFC 6749 section 4.1.1, OpenID Connect Core 1.0 section 3.1.2.1). */
const REQUEST = {
  response_type: "Always `code`.",
  client_id: "Id of the client.",
  redirect_uri: "One of the client's redirect URIs, character by character.",
  scope: "Scopes, separated by spaces.",
  state: "Returned to the client as it is.",
  code_challenge: "PKCE (RFC 7636): required.",
  code_challenge_method: "Always `S256`.",
  nonce: "Returned in the ID token.",
  prompt: "`none`, `login`, `consent`, `select_account`, or `create` where people may sign up.",
  max_age: "Seconds that the sign-in may be old.",
  acr_values: "Strengths of the sign-in, the best first.",
  login_hint: "E-mail address for the form.",
  resource: "API that the token is for (RFC 8707).",
  claims: "Claims that the client asks for, as JSON.",
  response_mode: "`query`, `fragment` or `form_post`; with `SIGNED_RESPONSES` also their signed forms.",
  request: "Signed request (RFC 9101), with `SIGNED_REQUESTS`.",
  request_uri: "Name of a request that was sent to `/par`.",
  dpop_jkt: "Thumbprint of the key that the tokens get bound to (RFC 9449 section 10).",
};

type Name = keyof typeof ENDPOINTS;

/** Facts of an endpoint that its row in the program's table does not have. */
interface Facts extends Pick<Operation, "summary" | "description" | "requestBody" | "parameters"> {
  readonly responses: Readonly<Record<string, Response>>;
  readonly security?: readonly Schema[];
  readonly tag?: string;
}

const OAUTH = "OAuth 2.0";
const OPENID = "OpenID Connect";

const BEARER: readonly Schema[] = [{ bearer: [] }];

const FACTS: Readonly<Record<Name, Facts>> = {
  authorization: {
    summary: "Signs a person in, and returns them to the client with a code",
    description:
      "For browsers. Errors return to the client too, unless the client or its redirect URI cannot be trusted.",
    parameters: Object.entries(REQUEST).map(([name, description]) => query(name, description)),
    responses: {
      "200": page("A page that goes on by itself: `response_mode=form_post`."),
      "303": redirect("To a page of this server, or back to the client with `code` or `error`."),
      "400": errorPage("The client or its redirect URI is unknown, so the person stays here."),
    },
  },
  token: {
    summary: "Gives tokens for a code, a refresh token, a device code, or to the client itself",
    requestBody: form(
      {
        grant_type: string("Kind of the grant.", { enum: [...GRANT_TYPES] }),
        code: string("Code from the redirect."),
        redirect_uri: string("The redirect URI of the authorization request."),
        code_verifier: string("PKCE (RFC 7636)."),
        refresh_token: string("Refresh token."),
        device_code: string("Code from `/device/auth`."),
        scope: string("Fewer scopes than were granted, or those of a client that acts for itself."),
        resource: string("API that the token is for (RFC 8707)."),
        ...OWN_PARAMETERS,
      },
      ["grant_type"],
    ),
    responses: {
      "200": json("Tokens.", ref("Tokens")),
      "400": oauthError("The grant or a parameter is wrong."),
      "401": oauthError("The client is unknown, or its authentication is wrong."),
    },
  },
  userinfo: {
    summary: "Returns claims about the person of the access token",
    tag: OPENID,
    security: BEARER,
    responses: {
      "200": json("Claims.", ref("UserInfo")),
      "400": challenged(oauthError("The token was sent in the wrong place.")),
      "401": challenged(oauthError("The token is missing, unknown, expired or revoked.")),
      "403": challenged(oauthError("The token lacks the scope `openid`.")),
    },
  },
  jwks: {
    summary: "Returns the keys that check ID tokens and access tokens for other APIs",
    tag: OPENID,
    security: [],
    responses: { "200": json("Public keys.", ref("JwkSet"), "application/jwk-set+json"), "400": oauthError(MALFORMED) },
  },
  introspection: {
    summary: "Tells a client the state of one of its tokens",
    requestBody: form(
      { token: string("Access or refresh token."), token_type_hint: string("Kind of the token."), ...OWN_PARAMETERS },
      ["token"],
    ),
    responses: {
      "200": {
        description: "State of the token.",
        content: {
          "application/json": { schema: ref("Introspection") },
          "application/token-introspection+jwt": { schema: { type: "string" } },
        },
      },
      "400": oauthError("A parameter is missing or malformed."),
      "401": oauthError("The client is unknown, or its authentication is wrong."),
    },
  },
  revocation: {
    summary: "Ends a token. A refresh token ends its whole grant",
    requestBody: form(
      { token: string("Access or refresh token."), token_type_hint: string("Kind of the token."), ...OWN_PARAMETERS },
      ["token"],
    ),
    responses: {
      "200": empty("The token does not work any more. An unknown token gets this answer too."),
      "400": oauthError("A parameter is missing or malformed."),
      "401": oauthError("The client is unknown, or its authentication is wrong."),
    },
  },
  pushed_authorization_request: {
    summary: "Stores an authorization request, which `/authorize` then names",
    requestBody: form({
      ...Object.fromEntries(Object.entries(REQUEST).map(([name, description]) => [name, string(description)])),
      ...OWN_PARAMETERS,
    }),
    responses: {
      "201": json("The request is stored for a minute.", ref("PushedRequest")),
      "400": oauthError("A parameter is missing or not allowed."),
      "401": oauthError("The client is unknown, or its authentication is wrong."),
    },
  },
  device_authorization: {
    summary: "Begins a sign-in on a device without a keyboard",
    requestBody: form({
      scope: string("Scopes, separated by spaces."),
      resource: string("API (RFC 8707)."),
      ...OWN_PARAMETERS,
    }),
    responses: {
      "200": json("Codes for the device and for the person.", ref("DeviceCode")),
      "400": oauthError("A parameter is missing or not allowed."),
      "401": oauthError("The client is unknown, or its authentication is wrong."),
    },
  },
  code_verification: {
    summary: "Page for the code that a device shows",
    parameters: [query("user_code", "The code, where the device gives a link with it.")],
    responses: {
      "200": page("The form, or the question whether the device may sign in."),
      "303": redirect("To the sign-in."),
      "400": errorPage("The form was not this browser's, or is too old."),
    },
  },
  end_session: {
    summary: "Signs a person out",
    tag: OPENID,
    parameters: [
      query("id_token_hint", "ID token of the person."),
      query("post_logout_redirect_uri", "One of the client's URIs, to return to."),
      query("client_id", "Id of the client, without `id_token_hint`."),
      query("state", "Returned to the client as it is."),
    ],
    responses: {
      "200": page("The question whether to sign out."),
      "400": errorPage("A parameter is wrong."),
    },
  },
};

/** Answers of one method only. */
const ONLY: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "/device": { get: ["200", "429", "503"], post: ["200", "303", "400", "429", "503"] },
};

/** Every endpoint of the program's table, with what only this document says. */
export function enginePaths(): Paths {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const [name, facts] of Object.entries(FACTS) as [Name, Facts][]) {
    const endpoint: Endpoint = ENDPOINTS[name];
    paths[endpoint.path] = Object.fromEntries(
      endpoint.methods.map((method) => [
        method.toLowerCase(),
        operationOf(name, endpoint, facts, method.toLowerCase() as Method),
      ]),
    );
  }
  return paths;
}

function operationOf(name: Name, endpoint: Endpoint, facts: Facts, method: Method): Operation {
  const { responses, security = endpoint.isAuthenticated === true ? CLIENT : [], tag = OAUTH, ...rest } = facts;
  const isForPeople = endpoint.for === "people";
  const all: Record<string, Response> = {
    ...responses,
    ...(endpoint.isLimited === true ? { "429": tooMany(isForPeople) } : {}),
    "503": isForPeople ? later(errorPage("The server is busy. Nothing was lost.")) : BUSY,
  };
  const only = ONLY[endpoint.path]?.[method];
  const suffix = endpoint.methods.length > 1 ? `_${method}` : "";
  const { requestBody, parameters, ...texts } = rest;
  return {
    operationId: `${name}${suffix}`,
    tags: [tag],
    ...texts,
    ...(parameters !== undefined && method === "get" ? { parameters } : {}),
    ...(requestBody !== undefined && method === "post" ? { requestBody } : {}),
    ...(endpoint.path === "/device" && method === "post"
      ? { requestBody: form({ user_code: string("The code."), xsrf: string("Secret of the form.") }) }
      : {}),
    security,
    responses: only === undefined ? all : Object.fromEntries(only.map((status) => [status, all[status] as Response])),
  };
}

function tooMany(isForPeople: boolean): Response {
  const description = "Too many requests came from this IP address, or from this client.";
  return later(isForPeople ? errorPage(description) : oauthError(description));
}

/** Registration of clients over HTTP (RFC 7591, RFC 7592), and the metadata of the authorization server. */
export function clientPaths(): Paths {
  const about = "Answers 404 unless `REGISTRATION` is on.";
  const registered = json("The client.", ref("RegisteredClient"));
  const wrong = json("The metadata are wrong.", ref("OAuthError"));
  const unauthorized = challenged(json("The token of the registration is missing or wrong.", ref("OAuthError")));
  const body = { required: true, content: { "application/json": { schema: ref("ClientMetadata") } } };
  const own = { tags: ["Clients"], security: BEARER, parameters: [inPath("client_id", "Id of the client.")] };
  const metadata = (operationId: string, source: string): Operation => ({
    ...{ operationId, tags: [OPENID], security: [], summary: `Returns the metadata of this server (${source})` },
    responses: {
      "200": json("Metadata.", ref("ServerMetadata")),
      "400": oauthError(MALFORMED),
      "503": BUSY,
    },
  });
  return {
    [PATHS.registration]: {
      post: {
        ...{ operationId: "registerClient", tags: ["Clients"], summary: "Registers a client", description: about },
        security: [{ bearer: [] }, {}],
        requestBody: body,
        responses: {
          "201": registered,
          "400": wrong,
          "401": unauthorized,
          "429": later(json("Too many clients registered from this IP address.", ref("OAuthError"))),
          "503": BUSY,
        },
      },
    },
    [`${PATHS.registration}/{client_id}`]: {
      get: {
        ...{ ...own, operationId: "readClient", summary: "Returns the client's own registration" },
        responses: { "200": registered, "401": unauthorized },
      },
      put: {
        ...{
          ...own,
          operationId: "changeClient",
          summary: "Replaces the client's own registration",
          requestBody: body,
        },
        responses: { "200": registered, "400": wrong, "401": unauthorized },
      },
      delete: {
        ...{ ...own, operationId: "endClient", summary: "Ends the client, with its tokens" },
        responses: { "204": empty("The client has ended."), "401": unauthorized },
      },
    },
    "/.well-known/openid-configuration": { get: metadata("openidConfiguration", "OpenID Connect Discovery 1.0") },
    "/.well-known/oauth-authorization-server": { get: metadata("authorizationServerMetadata", "RFC 8414") },
  };
}
