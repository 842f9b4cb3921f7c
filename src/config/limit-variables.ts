import { count, quota } from "./setting.ts";
import { variable } from "./variable.ts";

/** The limits on what one request, token or IP address may ask for. */
export const LIMIT_VARIABLES = {
  MAX_BODY: variable(
    count(1_000, 100_000_000),
    "8388608",
    "Limit: bytes of a request's body. Without an access token it is 1 MiB, or MAX_BODY if that is less.",
  ),
  MAX_DOCUMENT: variable(count(100, 10_000_000), "102400", "Limit: characters of a GraphQL document."),
  MAX_TOKENS: variable(count(10, 1_000_000), "2000", "Limit: lexical tokens of a document."),
  MAX_DEPTH: variable(count(1, 20), "10", "Limit: depth of nested fields, counted through fragments."),
  MAX_ALIASES: variable(count(0, 10_000), "30", "Limit: aliases of a document."),
  MAX_DIRECTIVES: variable(count(0, 10_000), "50", "Limit: directives of a document."),
  MAX_FIELDS: variable(count(1, 1_000_000), "10000", "Limit: fields of a document, with every fragment expanded."),
  MAX_PAGE: variable(count(1, 10_000), "100", "Limit: entries of a list page."),
  MAX_COST: variable(
    count(1, 10_000_000),
    "1000",
    "Limit: points of an operation. 1 per object that it could return, 10 per mutation and per totalCount.",
  ),
  RATE_LIMIT_TOKEN: variable(
    quota,
    "600000/60",
    "Points that one access token may spend, as POINTS/SECONDS. off turns off this limit and RATE_LIMIT_ADDRESS.",
  ),
  RATE_LIMIT_ADDRESS: variable(
    quota,
    "1200000/60",
    "Points that one IP address may spend (IPv6: one /64), as POINTS/SECONDS. off turns off this limit and RATE_LIMIT_TOKEN.",
  ),
  RATE_LIMIT_OAUTH_ADDRESS: variable(
    quota,
    "12000/60",
    "Requests that one IP address (IPv6: one /64) may send to the authorization server, forms included, as NUMBER/SECONDS, or off. Raise it for a server that signs in very many people from one IP address.",
  ),
  RATE_LIMIT_OAUTH_CLIENT: variable(
    quota,
    "60000/60",
    "Requests that one client with a secret may send to /par and /token, as NUMBER/SECONDS, or off.",
  ),
} as const;
