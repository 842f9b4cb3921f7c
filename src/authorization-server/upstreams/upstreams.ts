import { type ArrivalOptions, type Arrivals, openArrivals } from "./arrivals.ts";
import { type LogoutTokens, openLogoutTokens } from "./logout-token.ts";
import { openUpstreamPolicy, type UpstreamPolicy } from "./policy.ts";
import { openProviderMetadata } from "./provider-metadata.ts";
import { openRelyingParty, type RelyingParty, type RelyingPartyOptions } from "./relying-party.ts";
import type { Upstream } from "./upstream.ts";

/** The other services at which people sign in, and everything that speaks with them. */
export interface Upstreams {
  readonly list: readonly Upstream[];
  find(id: string): Upstream | null;
  readonly policy: UpstreamPolicy;
  readonly party: RelyingParty;
  readonly arrivals: Arrivals;
  readonly logoutTokens: LogoutTokens;
}

export function openUpstreams(
  list: readonly Upstream[],
  options: Omit<RelyingPartyOptions, "metadata"> & ArrivalOptions,
): Upstreams {
  const metadata = openProviderMetadata(options);
  return {
    list,
    find: (id) => list.find((upstream) => upstream.id === id) ?? null,
    policy: openUpstreamPolicy(list),
    party: openRelyingParty({ ...options, metadata }),
    arrivals: openArrivals(options),
    logoutTokens: openLogoutTokens({ ...options, metadata }),
  };
}
