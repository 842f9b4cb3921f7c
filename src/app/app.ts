import { hostname } from "node:os";
import { collectGarbage, openRest } from "../background/rest.ts";
import { type Config, ConfigError } from "../config/config.ts";
import { databaseFile } from "../config/database-file.ts";
import { loadPreviousSecret, loadSecret } from "../config/installation-secret.ts";
import { loadUpstreams } from "../config/upstreams.ts";
import type { ChangeListener } from "../domain/change.ts";
import { findPreview } from "../domain/posts/previews.ts";
import type { Store } from "../domain/store/store.ts";
import { ownBuckets } from "../domain/token-bucket.ts";
import { openWebhooks } from "../events/webhooks.ts";
import { loadTrustedDocuments } from "../graphql/documents/trusted-documents.ts";
import { openGraphQL } from "../graphql/http/open.ts";
import { openClientOrigins } from "../http/client-origins.ts";
import { openGuardedFetch } from "../http/guarded-fetch.ts";
import { type Listeners, openListeners } from "../http/listener.ts";
import { openOverload } from "../http/overload.ts";
import { openMarkdown } from "../markdown/markdown.ts";
import { type Log, openLog } from "../observe/log.ts";
import type { Channel } from "../observe/worker-metrics.ts";
import { challenge } from "../resource-server/challenge.ts";
import { resourceMetadataUrl } from "../resource-server/metadata.ts";
import { openVerifier } from "../resource-server/verify.ts";
import { openAnswerSeal } from "../secrets/answer-seal.ts";
import { openSealer } from "../secrets/seal.ts";
import { hashToken } from "../secrets/token-hash.ts";
import { openWebhookSecrets } from "../secrets/webhook-secrets.ts";
import { openStore } from "../storage/open.ts";
import { administrationTools } from "./administration.ts";
import { openAppMetrics } from "./app-metrics.ts";
import { openAuthorizationServerOf } from "./authorization-server.ts";
import { openChores } from "./chores.ts";
import { holdsDemonstration, refusePublicDemonstration } from "./demonstration.ts";
import { openDoor } from "./doors.ts";
import { openHealthOf } from "./health.ts";
import { warnOfLostPasskeys } from "./lost-passkeys.ts";
import { openMailDelivery, openMailSenders } from "./mail.ts";
import { openMcpDoor } from "./mcp-door.ts";
import { observedLog, openObservation } from "./observation.ts";
import { ownClients, withOwnClients } from "./own-client.ts";
import { previewTokensOf } from "./preview-tokens.ts";
import { programVersion } from "./program-version.ts";
import { openRateSharing } from "./rate-sharing.ts";
import { openReadiness } from "./readiness.ts";
import { openScim } from "./scim.ts";
import { serverInfoOf } from "./server-info.ts";
import { openServing } from "./serving.ts";
import { openOwnStudio } from "./studio.ts";
import { withTrustedIssuer } from "./trusted-issuer.ts";
import { assertUsable } from "./usable.ts";

export interface AppOptions {
  /** Milliseconds of Unix time. */
  readonly now?: () => number;
  /** The words before a command that pages print, such as `bin/content-api`. */
  readonly command?: string;
  readonly log?: Log;
  /** Folder of the studio's built files; beside the program unless given. */
  readonly studioFolder?: string;
  /** The way to the process that sums up the metrics of several workers; none where this process is the only one. */
  readonly channel?: Channel;
  /** Source of the requests. Defaults to the addresses of the settings. */
  readonly listeners?: Listeners;
}

export interface App {
  /** The URL on which it listens, such as `http://127.0.0.1:4000`; not the public URL. */
  readonly url: string;
  /** The one-time address at which the first administrator is made; null once there is somebody. */
  readonly setUpUrl: string | null;
  /**
   * Says that it is not ready, ends each connection with its next answer for as long as `delay` milliseconds, so that
   * no request meets a connection that is just being closed; then answers what was accepted and lets go of everything.
   */
  close(delay?: number): Promise<void>;
  /**
   * Lets go of everything after another process has begun to serve the same sockets: takes no more connections, ends each
   * one with its next answer, and waits for as long as an idle one may be used again.
   */
  handOver(): Promise<void>;
}

/** The whole program but for the command line. This is the one file that sees every floor. */
export async function openApp(config: Config, options: AppOptions = {}): Promise<App> {
  const { now = Date.now, command } = options;
  const { log, closeLog } = await observedLog(config, options.log ?? openLog(config), now);
  const upstreams = loadUpstreams(config, process.env);
  await assertUsable(config, upstreams);
  const documents = trustedDocuments(config);
  const own = ownClients(config);
  const studio = openOwnStudio(config, options.studioFolder);
  const measuring = await openAppMetrics(config, { channel: options.channel, log, now });
  const { metrics, countDecision } = measuring;
  const observation = await openObservation(config, { metrics, log, now });
  const { watch, statements } = observation;
  const opened = await openStore(config.DATABASE_URL, {
    engine: config,
    readUrl: config.DATABASE_READ_URL,
    readStaleness: config.READ_STALENESS,
    readCache: config.READ_CACHE * 1_048_576,
    isAlone: config.WORKERS === 1,
    node: { version: programVersion(), host: hostname(), pid: process.pid },
    keepsDeleted: config.DELETED_DAYS > 0,
    ...{ statements, log, metrics },
    now,
  });
  const isDemo = await holdsDemonstration(opened);
  await refusePublicDemonstration(config, opened).catch(async (error) => {
    await opened.close();
    throw error;
  });
  const store = withOwnClients(opened, own);
  const secret = loadSecret(config);
  const previousSecret = loadPreviousSecret(config);
  const sealer = openSealer(secret, previousSecret);
  const webhookSecrets = openWebhookSecrets(secret, previousSecret);
  const sharing = countsAlone(config) ? null : openRateSharing({ store: store.rateLimits, secret, now, log });
  const openBuckets = sharing?.openBuckets ?? ownBuckets;
  const overload = openOverload({ config, log, metrics });
  const isClientOrigin = openClientOrigins(store.clients, now);
  const { sender, mailbox } = openMailSenders(config, now, (line) => log.info({}, line));
  const authorizationServer = await openAuthorizationServerOf(config, opened, {
    ...{ mailbox, upstreams, countDecision },
    ...{ secret, previousSecret, log, now, isDemo, openBuckets, loading: overload.uncounted, isClientOrigin },
    ...(command === undefined ? {} : { command }),
  });
  const renderMarkdown = openMarkdown();
  const previewTokens = previewTokensOf(config);
  const metadataUrl = resourceMetadataUrl(config.BASE_URL, "graphql");
  const verifyOwn = openVerifier({ ...tokens(store), staleness: config.READ_STALENESS * 1_000, metrics, now });
  const verify = withTrustedIssuer(verifyOwn, { config, store, metrics, now });
  const doors = { config, store, secret, verify, log, now };
  const rules = { audiences: ["graphql", null], publicRead: config.PUBLIC_READ } as const;
  const graphql = openGraphQL({
    settings: config,
    store,
    authenticate: openDoor("graphql", rules, doors),
    challenge: (error) => challenge(error, metadataUrl),
    errorPage: config.DOCS ? `${config.BASE_URL}/docs/errors` : null,
    renderMarkdown,
    serverInfo: serverInfoOf(config),
    previewTokens,
    administration: administrationTools(config, {
      ...{ store, secret, webhookSecrets, upstreams, renderMarkdown, now },
      ...{
        access: authorizationServer.access,
        exportAccount: authorizationServer.exportAccount,
        sealer,
        countDecision,
      },
      health: openHealthOf(config, { store, sealer, log, now }),
      waiting: (requestId, work) => overload.gate("/graphql").wait(requestId, work),
    }),
    answerSeal: openAnswerSeal(secret, previousSecret),
    ...documents,
    ...(studio !== null && { findOwnDocument: studio.findDocument }),
    ...{ openBuckets, metrics, log, now },
  });
  const agentDoor = openMcpDoor(doors);
  for (const client of own) await store.clients.put(client); // which writes nothing where it is as it should be

  const readiness = openReadiness({ store, areKeysFresh: authorizationServer.areKeysFresh });
  const gauges = { config, store, readiness, now };
  measuring.showShared(gauges);
  const serving = openServing({
    ...{ config, store, graphql, authorizationServer, isClientOrigin, verify, overload, metrics, log, now, studio },
    ...{ metricsPage: measuring.page, readiness, watch },
    agents: agentDoor === null ? null : { door: agentDoor, secret, previousSecret, openBuckets, now },
    findPreview: (token) => findPreview({ store, renderMarkdown, now: now() }, previewTokens.hash(token)),
    scim: openScim({ config, store, upstreams, verify: verifyOwn, countDecision, log, now }),
  });
  await sharing?.begin();
  const url = await serving.listen(options.listeners ?? openListeners(config));
  const passkeysCounted = warnOfLostPasskeys({ config, store, log });
  const chores = openChores({
    ...{ config, store, renderMarkdown, now, log },
    deleteDueAccounts: authorizationServer.deleteDueAccounts,
    sealer: previousSecret === null ? null : openSealer(secret, previousSecret),
  });
  const webhooks = openWebhooks({
    store,
    send: openGuardedFetch({ privateHosts: config.PRIVATE_HOSTS }),
    openSecret: webhookSecrets.open,
    background: observation.background,
    ...{ now, log, metrics },
  });
  const endRest = openRest({
    giveBack() {
      store.rest();
      graphql.rest();
      collectGarbage();
    },
  });
  const mails =
    sender === null
      ? null
      : openMailDelivery({ ...{ config, store, sender, metrics, log, now }, compose: authorizationServer.compose });

  /** Work that no request asks for: any other process does it too. */
  async function endBackground(): Promise<void> {
    endRest();
    await Promise.all([chores.close(), passkeysCounted, webhooks.close(), mails?.close()]);
  }
  async function endStores(): Promise<void> {
    await Promise.all([authorizationServer.close(), sharing?.close()]);
    await Promise.all([store.close(), observation.close()]);
    await measuring.close();
    await closeLog();
  }

  return {
    url,
    setUpUrl: (await store.users.isEmpty()) ? authorizationServer.setUpUrl() : null,
    async close(delay = 0) {
      await serving.close(delay);
      await endBackground();
      await endStores();
    },
    async handOver() {
      await Promise.all([serving.handOver(), endBackground()]);
      await endStores();
    },
  };
}

function trustedDocuments({ TRUSTED_DOCUMENTS: folder, TRUSTED_DOCUMENTS_ONLY: only }: Config) {
  if (folder === null) return {};
  try {
    return { trustedDocuments: loadTrustedDocuments(folder, only) };
  } catch (error) {
    throw new ConfigError(`TRUSTED_DOCUMENTS cannot be read: ${(error as Error).message}`);
  }
}

function tokens(store: Store) {
  return {
    findAccessToken: (token: string, nowSeconds: number) =>
      store.artifacts.findAccessToken(hashToken(token), nowSeconds),
    watch: (listener: ChangeListener) => store.watch(["token", "grant", "user", "client"], listener),
  };
}

/** Whether nobody else counts requests: SQLite with one process. */
function countsAlone(config: Config): boolean {
  return config.WORKERS === 1 && databaseFile(config) !== null;
}
