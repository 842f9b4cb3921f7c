import { type SelectQueryBuilder, sql } from "kysely";
import {
  type Agent,
  type AgentChange,
  type AgentChangeFilter,
  type AgentStore,
  USE_NOTED_FOR,
} from "../../domain/agents/agent.ts";
import type { Id } from "../../domain/id.ts";
import type { Changes } from "../database/changes.ts";
import type { Database } from "../database/database.ts";
import type { IdSource } from "../database/ids.ts";
import type { Schema } from "../database/schema.ts";
import { remember } from "./idempotency.ts";

const ALL = "all";

/** @param now Unix time in milliseconds */
export function openAgents(database: Database, changes: Changes, ids: IdSource, now: () => number): AgentStore {
  const { read } = database;

  return {
    async noteUse({ userId, clientId, at }) {
      const query = read
        .insertInto("agents")
        .values({
          id: ids.next(),
          client_id: clientId,
          user_id: userId ?? "",
          first_used_at: at,
          last_used_at: at,
        })
        .onConflict((conflict) =>
          conflict
            .columns(["client_id", "user_id"])
            .doUpdateSet({ last_used_at: at })
            .where("agents.last_used_at", "<=", new Date(Date.parse(at) - USE_NOTED_FOR).toISOString()),
        );
      await database.writeAtOnce([query.compile()]);
    },

    async list({ after, clientId, userId, writesSince, limit }) {
      let query = read
        .selectFrom("agents")
        .leftJoin("clients", "clients.id", "agents.client_id")
        .leftJoin("users", "users.id", "agents.user_id")
        .select(["agents.id", "agents.client_id", "agents.user_id", "agents.first_used_at", "agents.last_used_at"])
        .select(["clients.name as client_name", "clients.disabled_at", "users.name as user_name"])
        .select((eb) =>
          eb
            .selectFrom("agent_changes")
            .select(eb.fn.countAll().as("count"))
            .whereRef("agent_changes.client_id", "=", "agents.client_id")
            .where("agent_changes.at", ">=", writesSince)
            .where(sql<boolean>`coalesce(agent_changes.user_id, '') = agents.user_id`)
            .as("writes"),
        )
        .orderBy("agents.id", "desc")
        .limit(limit);
      if (after !== undefined) query = query.where("agents.id", "<", after);
      if (clientId !== undefined) query = query.where("agents.client_id", "=", clientId);
      if (userId !== undefined) query = query.where("agents.user_id", "=", userId);
      return (await query.execute()).map(
        (row): Agent => ({
          id: row.id,
          clientId: row.client_id,
          clientName: row.client_name,
          isStopped: row.disabled_at !== null,
          userId: row.user_id === "" ? null : row.user_id,
          userName: row.user_name,
          firstUsedAt: row.first_used_at,
          lastUsedAt: row.last_used_at,
          writes: Number(row.writes),
        }),
      );
    },

    async stoppedAt() {
      const row = await read
        .selectFrom("agent_stops")
        .select("stopped_at")
        .where("subject", "=", ALL)
        .executeTakeFirst();
      return row?.stopped_at ?? null;
    },

    stop: (at, once) =>
      changes.telling({ kind: "agents", id: null }).write(async (tx) => {
        if (once !== undefined) await remember(tx, once, ALL as Id, now);
        if (at === null) await tx.deleteFrom("agent_stops").where("subject", "=", ALL).execute();
        else
          await tx
            .insertInto("agent_stops")
            .values({ subject: ALL, stopped_at: at })
            .onConflict((conflict) => conflict.column("subject").doNothing())
            .execute();
      }),

    async listChanges(filter) {
      const query = read
        .selectFrom("agent_changes")
        .select(["id", "at", "user_id", "client_id", "tool", "trace_id", "post_id", "author_id", "version_before"])
        .select(["version_after", "planned_at", "status", "publish_at", "created_at", "published_at", "reverted_at"])
        .select([
          "slug",
          "excerpt",
          "publish_at_zone",
          "title",
          sql<number>`case when body is null then 0 else 1 end`.as("has_body"),
        ]);
      const rows = await matching(query, filter)
        .orderBy("at", "desc")
        .orderBy("id", "desc")
        .limit(filter.limit)
        .execute();
      return rows.map(
        (row): AgentChange => ({
          id: row.id,
          at: row.at,
          userId: row.user_id,
          clientId: row.client_id,
          tool: row.tool,
          traceId: row.trace_id,
          postId: row.post_id,
          authorId: row.author_id,
          versionBefore: row.version_before === null ? null : Number(row.version_before),
          versionAfter: row.version_after === null ? null : Number(row.version_after),
          plannedAt: row.planned_at,
          before:
            row.status === null
              ? null
              : {
                  status: row.status,
                  publishAt: row.publish_at,
                  publishAtZone: row.publish_at_zone,
                  slug: row.slug,
                  excerpt: row.excerpt,
                  title: row.title,
                  hasBody: Number(row.has_body) === 1,
                  createdAt: row.created_at,
                  publishedAt: row.published_at,
                },
          revertedAt: row.reverted_at,
        }),
      );
    },

    async findBodyBefore(changeId) {
      const row = await read.selectFrom("agent_changes").select("body").where("id", "=", changeId).executeTakeFirst();
      return row?.body ?? null;
    },

    async sweep(before, limit) {
      const [changed = 0, unused = 0] = await database.writeAtOnce([
        read
          .deleteFrom("agent_changes")
          .where("id", "in", (eb) =>
            eb.selectFrom("agent_changes").select("id").where("at", "<", before).orderBy("at").limit(limit),
          )
          .compile(),
        read
          .deleteFrom("agents")
          .where("id", "in", (eb) =>
            eb
              .selectFrom("agents")
              .select("id")
              .where("last_used_at", "<", before)
              .orderBy("last_used_at")
              .limit(limit),
          )
          .compile(),
      ]);
      return Math.max(changed, unused);
    },
  };
}

type Query<O> = SelectQueryBuilder<Schema, "agent_changes", O>;

function matching<O>(
  all: Query<O>,
  { clientId, userId, about, since, until, isOpen, before }: AgentChangeFilter,
): Query<O> {
  let query = all;
  if (clientId !== undefined) query = query.where("client_id", "=", clientId);
  if (userId !== undefined) query = query.where("user_id", "=", userId);
  if (about !== undefined) query = query.where((eb) => eb.or([eb("user_id", "=", about), eb("author_id", "=", about)]));
  if (since !== undefined) query = query.where("at", ">=", since);
  if (until !== undefined) query = query.where("at", "<", until);
  if (isOpen === true) query = query.where("reverted_at", "is", null);
  if (before !== undefined) {
    const { at, id } = before;
    query = query.where("at", "<=", at).where((eb) => eb.or([eb("at", "<", at), eb("id", "<", id)]));
  }
  return query;
}
