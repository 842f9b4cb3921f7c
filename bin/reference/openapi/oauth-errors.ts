interface OAuthError {
  /** HTTP statuses, in Markdown. */
  readonly statuses: string;
  readonly meaning: string;
  readonly source: string;
}

const REDIRECT = "redirect to the client";

/** Every `error` of the OAuth and OpenID Connect endpoints. The tests compare each recorded answer with it. */
export const OAUTH_ERRORS = {
  access_denied: {
    statuses: `${REDIRECT}; 400 at the token endpoint`,
    meaning: "The person did not agree, or ended the request.",
    source: "RFC 6749 section 4.1.2.1, RFC 8628 section 3.5",
  },
  authorization_pending: {
    statuses: "400",
    meaning: "The person has not yet typed in the code of the device. Ask again after `interval` seconds.",
    source: "RFC 8628 section 3.5",
  },
  consent_required: {
    statuses: REDIRECT,
    meaning: "With `prompt=none`: the person would have to agree first.",
    source: "OpenID Connect Core 1.0 section 3.1.2.6",
  },
  expired_token: {
    statuses: "400",
    meaning: "The code of the device has expired. Begin again at `/device/auth`.",
    source: "RFC 8628 section 3.5",
  },
  insufficient_scope: {
    statuses: "403 with `WWW-Authenticate`",
    meaning: "The access token lacks a scope.",
    source: "RFC 6750 section 3.1",
  },
  insufficient_user_authentication: {
    statuses: "401 with `WWW-Authenticate`",
    meaning: "The sign-in behind the access token is too old or too weak.",
    source: "RFC 9470 section 3",
  },
  interaction_required: {
    statuses: REDIRECT,
    meaning: "With `prompt=none`: the person would have to answer a page first.",
    source: "OpenID Connect Core 1.0 section 3.1.2.6",
  },
  invalid_client: {
    statuses: "401, with `WWW-Authenticate: Basic` if `Authorization` was sent; 400",
    meaning: "The client is unknown or disabled, or its authentication is missing or wrong.",
    source: "RFC 6749 section 5.2",
  },
  invalid_client_metadata: {
    statuses: "400",
    meaning: "A property of the client that registers has a value that this server does not allow.",
    source: "RFC 7591 section 3.2.2",
  },
  invalid_dpop_proof: {
    statuses: "400; 401 with `WWW-Authenticate: DPoP` where an access token is used",
    meaning: "The DPoP proof is malformed, too old, used before, or belongs to another key or request.",
    source: "RFC 9449 section 5",
  },
  invalid_grant: {
    statuses: "400",
    meaning:
      "The code or refresh token is used, expired, revoked or belongs to another client, or its person is disabled.",
    source: "RFC 6749 section 5.2",
  },
  invalid_redirect_uri: {
    statuses: "400",
    meaning: "A redirect URI of the client that registers is not allowed.",
    source: "RFC 7591 section 3.2.2",
  },
  invalid_request: {
    statuses: "400, 413, 415",
    meaning: "A parameter is missing, repeated or malformed, or the body is no form.",
    source: "RFC 6749 sections 4.1.2.1 and 5.2",
  },
  invalid_request_object: {
    statuses: "400, or redirect to the client",
    meaning: "The signed request is malformed, or its signature is wrong.",
    source: "RFC 9101 section 6",
  },
  invalid_request_uri: {
    statuses: "400, or redirect to the client",
    meaning: "The `request_uri` is unknown, used or expired. Push the request again.",
    source: "RFC 9126 section 4",
  },
  invalid_scope: {
    statuses: "400, or redirect to the client",
    meaning: "No scope is left, or a refresh asks for more than before.",
    source: "RFC 6749 sections 4.1.2.1 and 5.2",
  },
  invalid_target: {
    statuses: "400, or redirect to the client",
    meaning: "The `resource` is unknown, was not granted, or there are several at the token endpoint.",
    source: "RFC 8707 section 2",
  },
  invalid_token: {
    statuses: "401 with `WWW-Authenticate`",
    meaning: "The access token is unknown, expired or revoked, or belongs to another key or API.",
    source: "RFC 6750 section 3.1",
  },
  login_required: {
    statuses: REDIRECT,
    meaning: "With `prompt=none`: nobody is signed in, or the sign-in is too old or too weak.",
    source: "OpenID Connect Core 1.0 section 3.1.2.6",
  },
  request_not_supported: {
    statuses: "400, or redirect to the client",
    meaning: "The server does not accept signed requests (`SIGNED_REQUESTS`).",
    source: "OpenID Connect Core 1.0 section 3.1.2.6",
  },
  request_uri_not_supported: {
    statuses: "400, or redirect to the client",
    meaning: "The `request_uri` is a URL elsewhere. Only those of `/par` work.",
    source: "OpenID Connect Core 1.0 section 3.1.2.6",
  },
  server_error: {
    statuses: "500, or redirect to the client",
    meaning: "A fault of this server, which is in the log.",
    source: "RFC 6749 section 4.1.2.1",
  },
  slow_down: {
    statuses: "400",
    meaning: "The device asks too often. Add five seconds to `interval`.",
    source: "RFC 8628 section 3.5",
  },
  temporarily_unavailable: {
    statuses: "429 and 503 with `Retry-After`",
    meaning: "Too many requests came from this IP address or client, or the server is busy.",
    source: "RFC 6749 section 4.1.2.1",
  },
  unauthorized_client: {
    statuses: "400, or redirect to the client",
    meaning: "The client is not registered for this grant or response type.",
    source: "RFC 6749 sections 4.1.2.1 and 5.2",
  },
  unmet_authentication_requirements: {
    statuses: REDIRECT,
    meaning: "The person did not sign in with an `acr` that the client named as essential.",
    source: "OpenID Connect Core Unmet Authentication Requirements 1.0",
  },
  unsupported_grant_type: {
    statuses: "400",
    meaning: "The server does not have this grant.",
    source: "RFC 6749 section 5.2",
  },
  unsupported_response_mode: {
    statuses: "400, or redirect to the client",
    meaning: "The server does not have this `response_mode`.",
    source: "OAuth 2.0 Multiple Response Type Encoding Practices",
  },
  unsupported_response_type: {
    statuses: "400, or redirect to the client",
    meaning: "The server does not have this `response_type`: only `code`.",
    source: "RFC 6749 section 4.1.2.1",
  },
  unsupported_token_type: {
    statuses: "400",
    meaning: "The server cannot revoke tokens of this type.",
    source: "RFC 7009 section 2.2.1",
  },
  use_dpop_nonce: {
    statuses: "400; 401 with `WWW-Authenticate: DPoP` where an access token is used",
    meaning: "The DPoP proof needs the nonce in the header `DPoP-Nonce`. Send the request again with it.",
    source: "RFC 9449 section 8",
  },
} as const satisfies Readonly<Record<string, OAuthError>>;
