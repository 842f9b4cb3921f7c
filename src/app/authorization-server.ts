import { type AuthorizationServer, openAuthorizationServer } from "../authorization-server/open.ts";
import type { AuthorizationServerOptions, AuthorizationServerServices } from "../authorization-server/options.ts";
import type { Config } from "../config/config.ts";
import { loadPreviousSecret, loadSecret } from "../config/installation-secret.ts";
import { mailMode } from "../config/mail-mode.ts";
import { loadUpstreams } from "../config/upstreams.ts";
import type { Store } from "../domain/store/store.ts";
import { ownBuckets } from "../domain/token-bucket.ts";
import { openReadCertificate } from "../http/client-certificate.ts";
import { openClientOrigins } from "../http/client-origins.ts";
import { withoutCounting } from "../http/gate.ts";
import { openGuardedFetch } from "../http/guarded-fetch.ts";
import { openLog } from "../observe/log.ts";
import { BRIEF_SCOPES, CLIENT_ID as STUDIO } from "../studio/client.ts";
import { ownClients, withOwnClients } from "./own-client.ts";

/** The authorization server of these settings; the command line opens one too, without HTTP. */
export function openAuthorizationServerOf(
  settings: Config,
  opened: Store,
  {
    now,
    log = openLog(settings),
    secret = loadSecret(settings),
    previousSecret = loadPreviousSecret(settings),
    openBuckets = ownBuckets,
    isClientOrigin = openClientOrigins(opened.clients, now),
    loading = (work) => work(),
    upstreams = loadUpstreams(settings, process.env),
    mailbox = null,
    countDecision = () => {},
    isDemo,
    command,
  }: Partial<AuthorizationServerServices> &
    Pick<AuthorizationServerServices, "now"> &
    Pick<AuthorizationServerOptions, "isDemo" | "command">,
): Promise<AuthorizationServer> {
  const store = withOwnClients(opened, ownClients(settings));
  return openAuthorizationServer({
    settings,
    ...(isDemo === undefined ? {} : { isDemo }),
    ...(command === undefined ? {} : { command }),
    services: {
      ...{ store, secret, previousSecret, isClientOrigin, openBuckets, log, now, loading, upstreams, countDecision },
      ...{ sendsMail: mailMode(settings) !== "none", mailbox },
      briefScopes: new Map([[STUDIO, BRIEF_SCOPES]]),
      waiting: withoutCounting,
      fetch: openGuardedFetch({ privateHosts: settings.PRIVATE_HOSTS }),
      readCertificate: openReadCertificate(settings),
    },
  });
}
