import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { sql } from "kysely";
import type { Id } from "../../../src/domain/id.ts";
import { searchWords } from "../../../src/domain/reading/search.ts";
import type { RootSelection } from "../../../src/domain/reading/selection.ts";
import type { Store } from "../../../src/domain/store/store.ts";
import type { Database } from "../../../src/storage/database/database.ts";
import { openStore } from "../../../src/storage/open.ts";
import { openPostgres as openPostgresDatabase } from "../../../src/storage/postgres/postgres.ts";
import { openSqlite } from "../../../src/storage/sqlite/sqlite.ts";
import { aPerson } from "../../conformance/samples.ts";
import { openPostgres } from "../../postgres.ts";

const folder = await mkdtemp(join(tmpdir(), "words-migration-"));
after(() => rm(folder, { recursive: true }));
const postgres = await openPostgres();

const COUNT = 60;
const FOUND: RootSelection = {
  kind: "posts",
  first: { slot: 0 },
  filter: { search: { slot: 1 } },
  selection: { type: "Post", fields: [{ kind: "column", key: "title", column: "title" }] },
};

async function titles(store: Store, question: string): Promise<string[]> {
  const posts = JSON.parse(await store.prepareRead(FOUND).run([1_000, searchWords(question)]));
  return posts.map(({ title }: { title: string }) => title);
}

/** What 0023-accounts and the migrations after it made, taken back. */
const BEFORE_ACCOUNTS = [
  ...["nodes", "schema_limits"].map((table) => `drop table ${table}`),
  ...["user_id", "client_id", "address", "request_id", "event"].map((column) => `drop index audit_by_${column}`),
  ...["audit_failures", "audit_failures_by_event", "users_by_name_key"].map((index) => `drop index ${index}`),
  ...["by_role", "disabled_at", "deletes_at", "deleted_at"].flatMap((filter) =>
    ["id", "name_key", "email_key"].map((order) => `drop index users_${filter}_${order}`),
  ),
  "alter table audit drop column actor_id",
  "alter table users drop column name_key",
  "drop table webhook_attempts",
  ...["state", "event_type", "post"].map((by) => `drop index webhook_deliveries_by_${by}`),
  "create index webhook_deliveries_by_webhook on webhook_deliveries (webhook_id, id)",
  "alter table webhook_deliveries drop column post_id",
  ...["failing_since", "failing_reason"].map((column) => `alter table webhooks drop column ${column}`),
  "drop table post_editing",
  "drop table post_planned_updates",
  "alter table post_revisions drop column name",
  ...["post_working_copies", "post_revisions"].map((table) => `drop table ${table}`),
  ...["post_slugs", "preview_links", "deleted_posts"].map((table) => `drop table ${table}`),
  ...["posts_by_title", "posts_by_author_and_title", "posts_to_publish_by_author"].map(
    (index) => `drop index ${index}`,
  ),
  ...[...["title", "update", "publication"].flatMap((by) => [by, `author_and_${by}`])].map(
    (by) => `drop index posts_unpublished_by_${by}`,
  ),
  ...["slug_by_hand", "derived_excerpt", "publish_at_zone"].map((column) => `alter table posts drop column ${column}`),
  ...["agents", "agent_stops", "agent_changes"].map((table) => `drop table ${table}`),
  ...["totp_factors", "recovery_codes", "scim_users", "upstream_identities", "passkeys"].map(
    (table) => `drop table ${table}`,
  ),
  "drop table client_secrets",
  ...["time", "name", "owner", "origin"].map((by) => `drop index clients_by_${by}`),
  ...["clients_of_people", "clients_disabled", "artifacts_of_clients", "audit_refusals_of_clients"].map(
    (index) => `drop index ${index}`,
  ),
  ...["owner_id", "disabled_by", "last_used_at", "other_secret_hashes", "name_key", "trial_until"].map(
    (column) => `alter table clients drop column ${column}`,
  ),
  "drop index clients_unused",
  "alter table clients drop column used_at",
  ...["auth_time_seconds", "acr", "audience"].map((column) => `alter table artifacts drop column ${column}`),
  "alter table users drop column second_step",
  "alter table users drop column local_sign_in",
  ...["account_tokens", "invitations", "mails", "account_states"].map((table) => `drop table ${table}`),
  ...["users_to_delete", "outbox_of_people", "audit_of_people"].map((index) => `drop index ${index}`),
  ...["credential_version", "deletes_at", "deleted_at"].map((column) => `alter table users drop column ${column}`),
];

/** Makes of the index what the version before had. */
const BEFORE = {
  SQLite: [
    ...BEFORE_ACCOUNTS,
    "drop table creations",
    "alter table clients drop column resource_server",
    "drop trigger posts_search_insert",
    "drop trigger posts_search_update",
    "drop trigger posts_search_delete",
    "drop table posts_search",
    "drop table posts_to_reindex",
    "create virtual table posts_search using fts5(title, body, content = 'posts', content_rowid = 'number', tokenize = 'unicode61 remove_diacritics 2')",
    "insert into posts_search (posts_search) values ('rebuild')",
    "create trigger posts_search_insert after insert on posts begin insert or ignore into posts_unindexed (number) values (new.number); end",
  ],
  PostgreSQL: [
    ...BEFORE_ACCOUNTS,
    "drop table creations",
    "alter table clients drop column resource_server",
    "drop table post_words",
    "drop table gates",
    "alter table posts drop column search",
    "alter table posts add column search tsvector not null generated always as (to_tsvector('simple', title || ' ' || body)) stored",
    "create index posts_by_words on posts using gin (search)",
  ],
};

function takesOver(name: keyof typeof BEFORE, url: string, open: () => Promise<Database>): void {
  test(`I13 posts from before are found once they are indexed, in small steps, on ${name}`, async () => {
    const before = await openStore(url);
    const { id: authorId } = await before.users.create(aPerson());
    const write = (store: Store, title: string) => store.posts.create({ authorId, title, body: "мой node.js" });
    const ids: Id[] = [];
    for (let i = 0; i < COUNT; i++) ids.push(await write(before, `old ${i}`));
    await before.close();
    const database = await open();
    await database.write(async (tx) => {
      for (const statement of BEFORE[name]) await sql.raw(statement).execute(tx);
      await sql`delete from schema_migrations where version >= 20`.execute(tx);
    });
    await database.close();

    const store = await openStore(url);
    const other = await openStore(url);
    await write(store, "new");
    assert.deepEqual(await titles(store, "мой"), ["new"]);
    await store.posts.edit(ids[0] as Id, () => ({ event: "post.updated", title: "changed" }));
    await store.posts.edit(ids[1] as Id, () => ({ event: "post.deleted" }));
    assert.deepEqual(await titles(store, "мой"), ["new", "changed"]);
    await store.posts.reindex(10);
    assert.deepEqual((await titles(store, "мой")).slice(0, 3), ["new", `old ${COUNT - 1}`, `old ${COUNT - 2}`]);
    // Two processes at the same time.
    const rest = async (one: Store) => {
      while ((await one.posts.reindex(7)) > 0);
    };
    await Promise.all([rest(store), rest(other)]);
    assert.equal((await titles(store, "мой node.js")).length, COUNT);
    assert.equal((await titles(store, "old")).length, COUNT - 2);
    assert.equal(await store.posts.reindex(10), 0);
    await Promise.all([store.close(), other.close()]);
  });
}

describe("the migration of the search", () => {
  const file = join(folder, "content.db");
  takesOver("SQLite", `sqlite:${file}`, () => openSqlite(file, { mustExist: true }));
});

describe("the migration of the search on PostgreSQL", async () => {
  const url = await postgres.createDatabase();
  takesOver("PostgreSQL", url, () => openPostgresDatabase(url));
});
