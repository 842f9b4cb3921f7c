import { ERROR_CODES } from "../../../src/domain/error-codes.ts";
import { EVENT_TYPES } from "../../../src/domain/events/event.ts";
import { OAUTH_ERRORS } from "./oauth-errors.ts";
import { atLeast, boolean, exactly, integer, listOf, ref, type Schema, string, texts } from "./parts.ts";

const url = (description: string) => string(description, { format: "uri" });

/** Schemas that several answers share, by name. */
export const SCHEMAS: Readonly<Record<string, Schema>> = {
  OAuthError: {
    description: "An error as RFC 6749 section 5.2 has it.",
    ...exactly(
      {
        error: string("Code of the error.", { enum: Object.keys(OAUTH_ERRORS) }),
        error_description: string("The error in words, for developers."),
        scope: string("For `insufficient_scope` and `invalid_scope`: the scopes in question."),
      },
      ["error_description", "scope"],
    ),
  },
  Failure: {
    description: "An error before the request reached its endpoint: an unknown path, another method, or too much load.",
    ...exactly(
      {
        error: string("The error in a few words."),
        message: string("What happened, and what to do."),
        requestId: string("Id of the request, which the log has too."),
      },
      ["requestId"],
    ),
  },
  Tokens: {
    description: "Tokens as RFC 6749 section 5.1 has them.",
    ...exactly(
      {
        access_token: string("Access token. Opaque for this API, a JWT (RFC 9068) for another one."),
        token_type: string("How the access token is sent.", { enum: ["Bearer", "DPoP"] }),
        expires_in: integer("Seconds for which the access token is valid."),
        scope: string("Scopes of the access token, separated by spaces."),
        refresh_token: string("Refresh token. It works once: each use returns the next one."),
        id_token: string("ID token, with the scope `openid`: a JWT about the sign-in."),
      },
      ["refresh_token", "id_token", "scope"],
    ),
  },
  Introspection: {
    description: "State of a token (RFC 7662 section 2.2). An inactive token has `active: false` and nothing else.",
    ...atLeast(
      {
        active: boolean("Whether the token works now."),
        scope: string("Scopes, separated by spaces."),
        client_id: string("Client that the token was given to."),
        sub: string("Person, or the client that acts for itself."),
        exp: integer("End, in seconds of Unix time."),
        iat: integer("Beginning, in seconds of Unix time."),
        iss: url("This server."),
        aud: { description: "APIs that the token is for.", type: ["string", "array"], items: { type: "string" } },
        token_type: string("How the token is sent."),
        auth_time: integer("Time of the sign-in, in seconds of Unix time."),
        acr: string("Strength of the sign-in."),
        amr: listOf({ type: "string" }, "Ways of the sign-in."),
        cnf: { type: "object", description: "Key that the token is bound to (RFC 7800)." },
      },
      "scope client_id sub exp iat iss aud token_type auth_time acr amr cnf".split(" "),
    ),
  },
  UserInfo: {
    description: "Claims about the person (OpenID Connect Core 1.0 section 5.3).",
    ...atLeast(
      {
        sub: string("Id of the person, the same in GraphQL."),
        name: string("Name, with the scope `profile`."),
        email: string("E-mail address, with the scope `email`."),
        email_verified: boolean("Whether the person has confirmed the address."),
      },
      ["name", "email", "email_verified"],
    ),
  },
  JwkSet: {
    description: "Public keys (RFC 7517 section 5).",
    ...exactly({
      keys: listOf(
        atLeast({
          kty: string("Kind of the key.", { enum: ["EC", "RSA"] }),
          kid: string("Id of the key."),
          use: string("Always `sig`.", { const: "sig" }),
          alg: string("Algorithm that signs with it."),
        }),
      ),
    }),
  },
  PushedRequest: {
    description: "A stored authorization request (RFC 9126 section 2.2).",
    ...exactly({
      request_uri: string("Name of the request, for `/authorize`."),
      expires_in: integer("Seconds for which it is kept."),
    }),
  },
  DeviceCode: {
    description: "Codes for a device without a keyboard (RFC 8628 section 3.2).",
    ...exactly({
      device_code: string("Code for `/token`."),
      user_code: string("Code that the person types in."),
      verification_uri: url("Page for the code."),
      verification_uri_complete: url("The same page, with the code filled in."),
      expires_in: integer("Seconds for which both codes work."),
      interval: integer("Seconds between two requests to `/token`."),
    }),
  },
  ClientMetadata: {
    description: "Properties of a client (RFC 7591 section 2).",
    ...atLeast(
      {
        client_name: string("Name on the consent page."),
        redirect_uris: listOf({ type: "string" }, "URIs that people return to, compared exactly."),
        post_logout_redirect_uris: listOf({ type: "string" }, "URIs that people may return to after sign-out."),
        grant_types: texts,
        response_types: texts,
        scope: string("Scopes, separated by spaces."),
        token_endpoint_auth_method: string("How the client authenticates."),
        jwks_uri: url("Keys of the client."),
        jwks: { type: "object", description: "Keys of the client." },
        dpop_bound_access_tokens: boolean("Whether its access tokens are bound to a key (RFC 9449)."),
        require_pushed_authorization_requests: boolean("Whether it must use `/par`."),
      },
      [
        ...["client_name", "redirect_uris", "post_logout_redirect_uris", "grant_types", "response_types", "scope"],
        ...["token_endpoint_auth_method", "jwks_uri", "jwks", "dpop_bound_access_tokens"],
        "require_pushed_authorization_requests",
      ],
    ),
  },
  RegisteredClient: {
    description: "A client that has registered itself (RFC 7591 section 3.2.1, RFC 7592 section 3).",
    allOf: [
      ref("ClientMetadata"),
      atLeast(
        {
          client_id: string("Id of the client."),
          client_id_issued_at: integer("Seconds of Unix time."),
          client_secret: string("Secret, only in the answer to the registration."),
          client_secret_expires_at: integer("Always 0: the secret does not expire.", { const: 0 }),
          registration_client_uri: url("URL of the client's own registration."),
          registration_access_token: string("Token for that URL."),
        },
        ["client_secret", "client_secret_expires_at"],
      ),
    ],
  },
  ServerMetadata: {
    description: "Metadata of the authorization server (RFC 8414, OpenID Connect Discovery 1.0).",
    ...atLeast({
      issuer: url("The issuer, `AUTH_URL`."),
      authorization_endpoint: url("Sign-in."),
      token_endpoint: url("Tokens."),
      jwks_uri: url("Public keys."),
      userinfo_endpoint: url("Claims about the person."),
      introspection_endpoint: url("State of a token."),
      revocation_endpoint: url("End of a token."),
      end_session_endpoint: url("Sign-out."),
      device_authorization_endpoint: url("Codes for devices."),
      pushed_authorization_request_endpoint: url("Requests in advance."),
      scopes_supported: texts,
      grant_types_supported: texts,
      response_types_supported: texts,
      response_modes_supported: texts,
      code_challenge_methods_supported: texts,
      token_endpoint_auth_methods_supported: texts,
      id_token_signing_alg_values_supported: texts,
    }),
  },
  ResourceMetadata: {
    description: "Metadata of a protected resource (RFC 9728 section 2).",
    ...exactly(
      {
        resource: url("The resource, as the client named it."),
        authorization_servers: listOf(url("An issuer whose tokens work here.")),
        scopes_supported: texts,
        bearer_methods_supported: texts,
        dpop_signing_alg_values_supported: texts,
        tls_client_certificate_bound_access_tokens: boolean("Whether tokens may be bound to a certificate (RFC 8705)."),
        resource_name: string("Name of the operator."),
      },
      ["tls_client_certificate_bound_access_tokens"],
    ),
  },
  Health: exactly(
    {
      status: string("`degraded`: the process can do its work, but a check warns.", {
        enum: ["ok", "degraded", "unavailable"],
      }),
      checks: {
        type: "array",
        description: "With `verbose`.",
        items: exactly({
          name: string("What was examined.", { enum: ["store", "migrations", "keys", "listen", "process"] }),
          state: string("`degraded` takes no node out of service.", { enum: ["ok", "degraded", "failing"] }),
          reason: string("One sentence."),
        }),
      },
    },
    ["checks"],
  ),
  Message: exactly({ message: string("What is wrong, in words.") }),
  GraphQLRequest: {
    description: "A request (GraphQL over HTTP).",
    ...atLeast(
      {
        query: string("Document."),
        operationName: { type: ["string", "null"], description: "Operation of the document that runs." },
        variables: { type: ["object", "null"], description: "Values for the variables of the document." },
        extensions: {
          type: ["object", "null"],
          description: "`persistedQuery`, for a document that the server knows.",
        },
      },
      ["query", "operationName", "variables", "extensions"],
    ),
  },
  GraphQLResponse: {
    description: "An answer (GraphQL specification section 7.1). Without `data`, nothing ran.",
    ...exactly(
      {
        data: { type: ["object", "null"], description: "Answer to the document." },
        errors: { ...listOf(ref("GraphQLError")), minItems: 1 },
        extensions: { type: "object", description: "Cost and rate, for callers that ask for them." },
      },
      ["data", "errors", "extensions"],
    ),
    anyOf: [{ required: ["data"] }, { required: ["errors"] }],
  },
  GraphQLError: exactly(
    {
      message: string("The error in words."),
      path: listOf({ type: ["string", "integer"] }, "Place in the answer."),
      locations: listOf(exactly({ line: integer("From 1."), column: integer("From 1.") }), "Places in the document."),
      extensions: atLeast({ code: string("Code of the error.", { enum: Object.keys(ERROR_CODES) }) }),
    },
    ["path", "locations"],
  ),
  McpMessage: {
    description: "A message of JSON-RPC 2.0, as the Model Context Protocol has it.",
    ...atLeast(
      {
        jsonrpc: string("Version.", { const: "2.0" }),
        id: { type: ["string", "integer", "null"], description: "Id of the request." },
        method: string("Method of a request or a notification."),
        params: { type: "object" },
        result: { type: "object" },
        error: atLeast({ code: integer("Code of JSON-RPC."), message: string("The error in words.") }),
      },
      ["id", "method", "params", "result", "error"],
    ),
  },
  McpBatch: {
    ...{ type: "array", minItems: 1, items: ref("McpMessage") },
    description: "Messages together, as the revision 2025-03-26 alone has them.",
  },
  ScimError: {
    description: "An error as RFC 7644 section 3.12 has it.",
    ...exactly(
      {
        schemas: texts,
        status: string("The HTTP status."),
        scimType: string("Kind of the error.", {
          enum: "invalidFilter invalidPath invalidSyntax invalidValue mutability noTarget uniqueness".split(" "),
        }),
        detail: string("The error in words."),
      },
      ["scimType"],
    ),
  },
  ScimUser: {
    description: "A user (RFC 7643 section 4.1). With `attributes` or `excludedAttributes`, answers leave others out.",
    ...atLeast(
      {
        schemas: texts,
        id: string("Id of the person, the same in GraphQL."),
        externalId: string("Id that the other service has."),
        userName: string("E-mail address."),
        displayName: string("Name."),
        name: { type: "object", description: "`formatted`: the name." },
        emails: listOf({ type: "object" }, "The e-mail address."),
        active: boolean("Whether the person may sign in."),
        meta: { type: "object", description: "`created` and `location`." },
      },
      ["externalId", "userName", "displayName", "name", "emails", "active", "meta"],
    ),
  },
  ScimList: {
    description: "A page of a list (RFC 7644 section 3.4.2).",
    ...exactly({
      schemas: texts,
      totalResults: integer("Number of all entries."),
      itemsPerPage: integer("Number of entries in this page."),
      startIndex: integer("Place of the first entry, from 1."),
      Resources: listOf({ type: "object" }),
    }),
  },
  ScimDocument: {
    description: "A document about the service itself (RFC 7643).",
    ...atLeast({ schemas: texts }),
  },
  Event: {
    description: "An event for a webhook (Standard Webhooks 1.0.0).",
    ...exactly(
      {
        type: string("Kind of the event.", { enum: [...EVENT_TYPES] }),
        timestamp: string("Time of the event: RFC 3339, UTC, with milliseconds.", { format: "date-time" }),
        test: boolean("True in a test call, whose post or person does not exist."),
        data: atLeast(
          {
            id: string("Id of the post or the person."),
            authorId: string("Id of the author of the post."),
            title: string("Title of the post."),
            name: string("Name of the person."),
            createdAt: string("RFC 3339.", { format: "date-time" }),
            updatedAt: string("RFC 3339.", { format: "date-time" }),
            status: string("State of the post.", { enum: ["DRAFT", "PUBLISHED", "ARCHIVED"] }),
            previousStatus: string("State of the post before.", { enum: ["DRAFT", "PUBLISHED", "ARCHIVED"] }),
            version: integer("Version of the object."),
          },
          "authorId title name createdAt updatedAt status previousStatus version".split(" "),
        ),
      },
      ["test"],
    ),
  },
};
