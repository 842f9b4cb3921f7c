import type { Config } from "../config/config.ts";
import type { OpenBuckets } from "../domain/token-bucket.ts";
import type { Limits } from "../graphql/documents/limits.ts";

export function limits(config: Config): Partial<Limits> {
  return {
    body: config.MAX_BODY,
    document: config.MAX_DOCUMENT,
    tokens: config.MAX_TOKENS,
    depth: config.MAX_DEPTH,
    aliases: config.MAX_ALIASES,
    directives: config.MAX_DIRECTIVES,
    fields: config.MAX_FIELDS,
    page: config.MAX_PAGE,
    cost: config.MAX_COST,
    time: config.REQUEST_TIMEOUT * 1000,
  };
}

/** Whether nobody else counts requests: SQLite with one process. */
export function countsAlone({ DATABASE_URL: url, WORKERS: workers }: Config): boolean {
  return url.startsWith("sqlite:") && workers === 1;
}

export function rateLimit(
  { RATE_LIMIT_TOKEN: token, RATE_LIMIT_ADDRESS: address }: Config,
  openBuckets: OpenBuckets,
  now: () => number,
) {
  return token === null || address === null ? {} : { rateLimit: { token, address, openBuckets, now } };
}
