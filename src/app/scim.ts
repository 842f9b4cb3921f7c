import type { FastifyPluginAsync } from "fastify";
import type { Config } from "../config/config.ts";
import type { UpstreamSetting } from "../config/upstreams.ts";
import { type NewAuditEvent, recordAudit } from "../domain/audit.ts";
import { AppError } from "../domain/errors.ts";
import type { Store } from "../domain/store/store.ts";
import { openReadThumbprint } from "../http/client-certificate.ts";
import type { Log } from "../observe/log.ts";
import { openAuthenticate } from "../resource-server/authenticate.ts";
import type { Verify } from "../resource-server/verify.ts";
import type { BoundService } from "../scim/authorize.ts";

export interface ScimServices {
  readonly config: Config;
  readonly store: Store;
  readonly upstreams: readonly UpstreamSetting[];
  /** Knows tokens of this server alone: a client of another issuer may have any id. */
  readonly verify: Verify;
  /** Told of each decision, also where none is kept. */
  readonly countDecision: (event: NewAuditEvent) => void;
  readonly log: Log;
  readonly now: () => number;
}

/** SCIM for the services that have a client; null where it is off. Its code is loaded when routes are. */
export function openScim({
  config,
  store,
  upstreams,
  verify,
  countDecision,
  log,
  now,
}: ScimServices): (() => Promise<FastifyPluginAsync>) | null {
  if (config.SCIM === "off") return null;
  const services = boundServices(upstreams);
  const readThumbprint = openReadThumbprint(config);
  const authenticate = openAuthenticate({
    ...{ verify, checkProof: refuseBoundToken, publicRead: false, log },
    audiences: ["graphql", null],
  });
  return async () => {
    const { scimRoutes } = await import("../scim/routes.ts");
    return scimRoutes({
      ...{ issuer: config.AUTH_URL, services, store, log, now, deletionDelay: config.DELETION_DELAY },
      authenticate: ({ method, url, headers, id, raw }) =>
        authenticate({ method, url, headers, requestId: id, certificateThumbprint: () => readThumbprint(raw) }),
      record: (event) => {
        countDecision(event);
        return recordAudit({ store: store.audit, days: config.AUDIT_DAYS }, now(), event);
      },
    });
  };
}

function boundServices(upstreams: readonly UpstreamSetting[]): BoundService[] {
  return upstreams.flatMap(({ id, domains, enforced, scimClient, scimSubject }) => {
    if (scimClient === null) return [];
    const others = upstreams.filter((other) => other.enforced && other.id !== id);
    const foreignDomains = others.flatMap((other) => other.domains);
    const reach = { provider: id, domains, isEnforced: enforced };
    return [{ ...reach, foreignDomains, isSubject: scimSubject, clientId: scimClient }];
  });
}

/** No service proves keys of DPoP, and a proof would be for another URL each time. */
async function refuseBoundToken(): Promise<void> {
  const message = "SCIM needs an access token that is not bound to a key: send it as Bearer.";
  throw new AppError("UNAUTHENTICATED", message, { challenge: "invalid_token" });
}
