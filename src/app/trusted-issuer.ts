import type { Config } from "../config/config.ts";
import { isActive } from "../domain/people/user.ts";
import type { Store } from "../domain/store/store.ts";
import { openGuardedFetch } from "../http/guarded-fetch.ts";
import type { Metrics } from "../observe/metrics.ts";
import { openIssuerKeys } from "../resource-server/issuer-keys.ts";
import { isJwt, openJwtVerifier } from "../resource-server/jwt.ts";
import type { Verify } from "../resource-server/verify.ts";

/** Opaque tokens are our own, JWTs those of the issuer that the operator trusts, if there is one. */
export function withTrustedIssuer(
  verify: Verify,
  options: {
    readonly config: Config;
    readonly store: Store;
    readonly metrics: Metrics;
    readonly now: () => number;
  },
): Verify {
  const { config, store, metrics, now } = options;
  const issuer = config.TRUSTED_ISSUER;
  if (issuer === null) return verify;
  // The operator has named it: it may be in a private network.
  const fetch = openGuardedFetch({ privateHosts: [...config.PRIVATE_HOSTS, new URL(issuer).hostname] });
  const verifyJwt = openJwtVerifier({
    issuer,
    // As the metadata of each resource name it.
    audiences: new Map([
      [`${config.BASE_URL}/graphql`, "graphql"],
      [config.BASE_URL, null],
      ...(config.MCP === "off" ? [] : [[`${config.BASE_URL}/mcp`, "mcp"] as const]),
    ]),
    keys: openIssuerKeys({ issuer, fetch, now }),
    findPerson: async (id) => {
      const user = await store.users.find(id);
      return user === null ? null : { role: user.role, isDisabled: !isActive(user), hasSecondStep: user.secondStep };
    },
    watch: (listener) => store.watch(["user"], listener),
    metrics,
    now,
  });
  return (token) => (isJwt(token) ? verifyJwt(token) : verify(token));
}
