import { EVENT_TYPES } from "../../../src/domain/events/event.ts";
import { SCOPES, sentenceOf } from "../../../src/domain/scopes.ts";
import { apiPaths, operatorPaths } from "./api-paths.ts";
import { clientPaths, enginePaths } from "./oauth-paths.ts";
import { empty, type Paths, ref, type Schema } from "./parts.ts";
import { SCHEMAS } from "./schemas.ts";
import { scimPaths } from "./scim-paths.ts";

const DESCRIPTION = `Every endpoint for programs: OAuth 2.0, OpenID Connect, GraphQL, agents, SCIM and operation, and the calls to
webhooks. Pages for people are left out, unless a client sends people there.

An unknown path gets 404, another method 405 with \`Allow\`, a body of another type 415, and a fault of the server 500, each with a
short JSON body. Paths are those of an installation whose \`AUTH_URL\` is its \`BASE_URL\`. HEAD is answered as GET, and OPTIONS to pages of other origins.`;

const TAGS: Readonly<Record<string, string>> = {
  "OAuth 2.0": "Tokens: RFC 6749 and the RFCs around it.",
  "OpenID Connect": "The person behind a token, keys, and sign-out.",
  Clients: "Clients that register themselves: RFC 7591 and RFC 7592.",
  GraphQL: "Content, accounts and administration.",
  Agents: "The Model Context Protocol.",
  SCIM: "Accounts that another service manages: RFC 7643 and RFC 7644.",
  Operation: "Health and metrics.",
  Webhooks: "Calls that this server makes: Standard Webhooks 1.0.0.",
};

/** @param version of the program */
export function openApiDocument(version: string): Schema {
  return {
    openapi: "3.1.0",
    info: {
      ...{ title: "Content API", version, summary: "Content over GraphQL, with its own authorization server." },
      description: DESCRIPTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [
      {
        url: "{origin}",
        description: "An installation.",
        variables: { origin: { default: "http://localhost:4000", description: "`BASE_URL`." } },
      },
    ],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: pathsOf(),
    webhooks: webhooks(),
    components: { schemas: SCHEMAS, securitySchemes: securitySchemes() },
  };
}

/** Every path, with its operations. */
export function pathsOf(): Paths {
  return { ...enginePaths(), ...clientPaths(), ...apiPaths(), ...scimPaths(), ...operatorPaths() };
}

function webhooks(): Schema {
  const header = (name: string, description: string) => ({
    ...{ name, in: "header", required: true, description },
    schema: { type: "string" },
  });
  const operation = (type: string) => ({
    post: {
      operationId: `on ${type}`.replaceAll(/[ .-](\w)/g, (_, letter: string) => letter.toUpperCase()),
      tags: ["Webhooks"],
      summary: `Tells a webhook of ${type}`,
      description: "Retried for three days until the receiver answers 2xx within 15 seconds.",
      security: [],
      parameters: [
        header("webhook-id", "Id of the delivery, the same in each attempt."),
        header("webhook-timestamp", "Time of the attempt, in seconds of Unix time."),
        header("webhook-signature", "Signatures by Standard Webhooks, separated by spaces."),
      ],
      requestBody: { required: true, content: { "application/json": { schema: ref("Event") } } },
      responses: { "2XX": empty("The receiver has the event."), "4XX": empty("Another attempt is scheduled.") },
    },
  });
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, operation(type)]));
}

function securitySchemes(): Schema {
  const scopes = Object.fromEntries(SCOPES.map((scope) => [scope, sentenceOf(scope)]));
  return {
    oauth: {
      type: "oauth2",
      description: "An access token of this server.",
      flows: {
        authorizationCode: { authorizationUrl: "/authorize", tokenUrl: "/token", refreshUrl: "/token", scopes },
        clientCredentials: { tokenUrl: "/token", scopes },
      },
    },
    bearer: { type: "http", scheme: "bearer", description: "An access token, or the token of a registration." },
    clientBasic: {
      type: "http",
      scheme: "basic",
      description: "Id and secret of the client (RFC 6749 section 2.3.1).",
    },
    metricsToken: { type: "http", scheme: "bearer", description: "The token of `METRICS_TOKEN`." },
  };
}
