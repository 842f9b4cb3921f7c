import type { FastifyPluginAsync } from "fastify";
import type { GraphQLSchema } from "graphql";
import type { Config } from "../config/config.ts";
import { describeSettings } from "../config/described-settings.ts";
import { docsRoutes } from "../docs/routes.ts";
import { offeredScopes } from "../domain/scopes.ts";
import { requiredScopes } from "../graphql/documents/schema.ts";

/** Settings whose value a client must know. None of them is a secret. */
const FOR_CLIENTS: readonly (keyof Config)[] = [
  ...(["BASE_URL", "AUTH_URL", "RESOURCES", "PUBLIC_READ", "INTROSPECTION"] as const),
  ...(["ACCESS_TOKEN_TTL", "REFRESH_TOKEN_TTL", "REFRESH_GRACE", "JWKS_MAX_AGE"] as const),
  ...(["MAX_BODY", "MAX_DOCUMENT", "MAX_TOKENS", "MAX_DEPTH", "MAX_ALIASES", "MAX_DIRECTIVES", "MAX_FIELDS"] as const),
  ...(["MAX_PAGE", "MAX_COST", "REQUEST_TIMEOUT", "MAX_SUBSCRIPTIONS"] as const),
  ...(["RATE_LIMIT_TOKEN", "RATE_LIMIT_ADDRESS", "RATE_LIMIT_OAUTH_ADDRESS", "RATE_LIMIT_OAUTH_CLIENT"] as const),
  ...([
    "TRUSTED_DOCUMENTS_ONLY",
    "SIGN_UP",
    "CLIENTS_BY",
    "REGISTRATION",
    "CLIENT_DOCUMENTS",
    "NATIVE_SCHEMES",
  ] as const),
  ...(["MCP", "SIGNED_REQUESTS", "SIGNED_RESPONSES", "DPOP_NONCES", "CLIENT_CERTIFICATES"] as const),
];

/** The pages at /docs. Nothing of them is loaded unless the setting DOCS asks for them. */
export function openDocs(config: Config, schema: GraphQLSchema): FastifyPluginAsync {
  const described = new Map(describeSettings(config).map((setting) => [setting.name, setting]));
  return docsRoutes({
    ...{ operator: config.OPERATOR_NAME, baseUrl: config.BASE_URL, issuer: config.AUTH_URL },
    schema: config.INTROSPECTION ? schema : null,
    scopesOf: requiredScopes,
    settings: FOR_CLIENTS.flatMap((name) => {
      const setting = described.get(name);
      return setting === undefined || setting.isSecret
        ? []
        : [{ name, value: setting.value ?? "", help: setting.help }];
    }),
    scopes: offeredScopes(config.CLIENTS_BY),
    isPublic: config.PUBLIC_READ,
    hasAgents: config.MCP !== "off",
  });
}
