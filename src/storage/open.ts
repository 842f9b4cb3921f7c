import { sql } from "kysely";
import { AppError } from "../domain/errors.ts";
import type { Store } from "../domain/store/store.ts";
import type { Log } from "../observe/log.ts";
import { type Metrics, openMetrics } from "../observe/metrics.ts";
import type { StatementWatch } from "../observe/statement-watch.ts";
import { Changes } from "./database/changes.ts";
import type { Database } from "./database/database.ts";
import { IdSource } from "./database/ids.ts";
import { openDatabase } from "./locate.ts";
import { MIGRATIONS } from "./migrations/contents.ts";
import { latestMigration, migrate, type Waiting } from "./migrations/migrate.ts";
import { nameOf } from "./migrations/migration.ts";
import { appliedVersions, readSchema } from "./migrations/status.ts";
import { parsePostgresUrl } from "./postgres/address.ts";
import type { EngineSettings } from "./postgres/engine.ts";
import type { Replica } from "./postgres/replica.ts";
import { prepareRead } from "./reading/read.ts";
import { prepareBoth, withCopy } from "./reading/reading-copy.ts";
import { openAccountStates } from "./tables/account-states.ts";
import { openAccountTokens } from "./tables/account-tokens.ts";
import { openAgents } from "./tables/agents.ts";
import { openArtifacts } from "./tables/artifacts.ts";
import { openAttempts } from "./tables/attempts.ts";
import { openAudit } from "./tables/audit.ts";
import { openClients } from "./tables/clients.ts";
import { openDeletedPosts } from "./tables/deleted-posts.ts";
import { openDeletions } from "./tables/deletions.ts";
import { openEditing } from "./tables/editing.ts";
import { openIdempotency } from "./tables/idempotency.ts";
import { openInvitations } from "./tables/invitations.ts";
import { openMails } from "./tables/mails.ts";
import { type NodeFacts, openNodes } from "./tables/nodes.ts";
import { openOutbox } from "./tables/outbox.ts";
import { openPasskeys } from "./tables/passkeys.ts";
import { openPlannedUpdates } from "./tables/planned-updates.ts";
import { openPosts } from "./tables/posts.ts";
import { openPreviewLinks } from "./tables/preview-links.ts";
import { openRateLimits } from "./tables/rate-limits.ts";
import { openRevisions } from "./tables/revisions.ts";
import { openScimUsers } from "./tables/scim-users.ts";
import { openSealedTexts } from "./tables/sealed-texts.ts";
import { openSecondSteps } from "./tables/second-steps.ts";
import { openSigningKeys } from "./tables/signing-keys.ts";
import { openUpstreamIdentities } from "./tables/upstream-identities.ts";
import { openUsers } from "./tables/users.ts";
import { openWebhooks } from "./tables/webhooks.ts";
import { openWorkingCopies } from "./tables/working-copies.ts";

export interface OpenOptions {
  /** How to work with PostgreSQL, or an engine like it, by the names of the settings. */
  readonly engine?: EngineSettings;
  /** A streaming replica from which content is read. */
  readonly readUrl?: string | null;
  /** Seconds that content from there may be old. Defaults to 0: every read sees all that was acknowledged before. */
  readonly readStaleness?: number;
  /** Bytes, about, for rows that have been read from SQLite, until something of theirs may have been written. */
  readonly readCache?: number;
  /** Whether no other process serves the database: then SQLite's disk is waited for on another thread (sqlite-log.ts). */
  readonly isAlone?: boolean;
  /** Told when the replica begins and ends to be used, and of SQLite's log when it cannot be brought into the file. */
  readonly log?: Log;
  /** Learns of each statement; null: nobody does (the default). */
  readonly statements?: StatementWatch | null;
  /** Counts what the database does. Defaults to metrics that nobody reads. */
  readonly metrics?: Metrics;
  /** Brings the schema up to date first (the default); otherwise a schema that is not is refused. */
  readonly migrate?: boolean;
  /** Facts that this process tells the others, if it serves. It then counts as a live node until it is closed. */
  readonly node?: NodeFacts;
  /** Whether deleted posts can be restored (the default). */
  readonly keepsDeleted?: boolean;
  /** Unix time in milliseconds. */
  readonly now?: () => number;
}

/**
 * Opens the store that DATABASE_URL names, such as `sqlite:./data/content.db` or `postgres://user:password@host/name`.
 * SQLite's folder and file are made where they are missing, readable for their owner only; PostgreSQL's database must
 * be there.
 *
 * @throws AppError BAD_USER_INPUT for an address that is none; UNAVAILABLE when the database cannot be reached, is
 * another program's, waits for a migration, or has a newer schema, or the replica is none; INTERNAL when it is damaged
 */
export async function openStore(databaseUrl: string, options: OpenOptions = {}): Promise<Store> {
  const now = options.now ?? Date.now;
  const mayMigrate = options.migrate ?? true;
  const database = await openDatabase(databaseUrl, { ...options, mustExist: !mayMigrate });
  const nodes = openNodes(database, options.node ?? null, latestMigration(), async (tx) => {
    await readSchema(tx, database.dialect, MIGRATIONS);
  });
  let copy: Replica | null = null;
  try {
    if (mayMigrate) {
      const waiting = await migrate(database, now);
      if (waiting !== null) reportWaiting(waiting, options.log ?? SILENT);
      await database.prove?.(options.log ?? SILENT);
    } else await assertMigrated(database);
    await nodes.join();
    database.expectSmallWrites?.();
    if (options.readUrl != null) copy = await openReplica(database, options.readUrl, options);
  } catch (error) {
    await nodes.leave();
    await database.close().catch(() => {}); // what made opening fail says more
    throw error;
  }
  const content = copy === null ? database : withCopy(database, copy);
  const ids = new IdSource(now);
  const changes = new Changes(database);
  const telling = changes.telling({ kind: "event", id: null }, content);
  return {
    users: openUsers(content, changes, ids, now),
    deletions: openDeletions(content, changes, ids, now),
    accountStates: openAccountStates(database),
    accountTokens: openAccountTokens(database, content, changes, ids, now),
    invitations: openInvitations(database, ids, now),
    mails: openMails(database, changes, ids, now),
    passkeys: openPasskeys(content),
    secondSteps: openSecondSteps(database, content, changes, now),
    upstreamIdentities: openUpstreamIdentities(database, content, changes, ids, now),
    scimUsers: openScimUsers(content, changes, ids, now),
    posts: openPosts(telling, content, ids, now, options.keepsDeleted),
    workingCopies: openWorkingCopies(database, telling, ids, now),
    plannedUpdates: openPlannedUpdates(database, telling, ids, now),
    revisions: openRevisions(database, now),
    editing: openEditing(database, now),
    deletedPosts: openDeletedPosts(database),
    previewLinks: openPreviewLinks(content, ids, now),
    clients: openClients(database, changes, ids, now),
    artifacts: openArtifacts(database, changes),
    attempts: openAttempts(database),
    signingKeys: openSigningKeys(changes.telling({ kind: "keys", id: null })),
    outbox: openOutbox(content),
    idempotency: openIdempotency(database, now),
    audit: openAudit(database, ids),
    agents: openAgents(database, changes, ids, now),
    webhooks: openWebhooks(database, ids, now),
    rateLimits: openRateLimits(database),
    sealedTexts: openSealedTexts(database),
    nodes,
    prepareRead: (root) =>
      copy === null ? prepareRead(database, root, now) : prepareBoth(database, content, root, now),
    ...(database.heldVersion === undefined ? {} : { heldVersion: database.heldVersion.bind(database) }),
    rest: () => database.rest?.(),
    watch: (kinds, listener) => changes.watch(kinds, listener),
    async clock() {
      const { rows } = await sql<{ now: number }>`select ${database.dialect.nowMs} as now`.execute(database.read);
      return Number(rows[0]?.now);
    },
    async facts() {
      const { databaseBytes, processes } = database.dialect;
      const { rows } = await sql<{ bytes: number; processes: number | null }>`
        select ${databaseBytes} as bytes, ${processes} as processes`.execute(database.read);
      const [{ bytes, processes: count } = { bytes: 0, processes: null }] = rows;
      const applied = await appliedVersions(database.read);
      const waiting = MIGRATIONS.filter(({ kind, version }) => kind === "contract" && !applied.includes(version));
      return {
        schema: { current: applied.at(-1) ?? 0, known: latestMigration(), waiting: waiting.map(nameOf) },
        ...{ bytes: Number(bytes), processes: count === null ? null : Math.max(1, Number(count)) },
        replica: copy?.state() ?? null,
      };
    },
    hears: () => database.hears?.() ?? null,
    readsAlone: () => copy?.readsAlone() ?? false,
    check: async () => {
      await database.read.selectFrom("users").select(sql<number>`1`.as("one")).limit(1).execute();
    },
    async close() {
      changes.close();
      await nodes.leave();
      await copy?.close();
      await database.close();
    },
  };
}

/** @throws AppError BAD_USER_INPUT, UNAVAILABLE as `Replica.open` */
async function openReplica(
  database: Database,
  readUrl: string,
  { log = SILENT, metrics = openMetrics(), statements = null, readStaleness = 0 }: OpenOptions,
): Promise<Replica> {
  const address = parsePostgresUrl(readUrl, "DATABASE_READ_URL");
  const { Replica } = await import("./postgres/replica.ts");
  const replica = new Replica(database, address, { log, metrics, statements, staleness: readStaleness * 1_000 });
  await replica.open();
  return replica;
}

const SILENT: Log = { debug() {}, info() {}, warn() {}, error() {} };

async function assertMigrated(database: Database): Promise<void> {
  const { pending } = await readSchema(database.read, database.dialect, MIGRATIONS);
  const missing = pending.filter(({ kind }) => kind !== "contract").map(nameOf);
  if (missing.length === 0) return;
  throw new AppError("UNAVAILABLE", `The schema of the database is not up to date: ${missing.join(", ")} missing.`);
}

/** Contract migrations wait for nodes that are too old for them. The program works with and without them. */
function reportWaiting({ names, nodes, unknown }: Waiting, log: Log): void {
  const older = nodes.map(({ version, host, pid }) => ({ version, host, pid }));
  log.warn({ migrations: names, older, unknown }, "the upgrade is not finished: older nodes live");
}
