import { type Kysely, sql } from "kysely";
import type { Id } from "../../domain/id.ts";
import type { NewPlan, PlannedUpdateStore, PlanState } from "../../domain/posts/planned-update.ts";
import type { PostText } from "../../domain/posts/revisions.ts";
import type { CopyState } from "../../domain/posts/working-copy.ts";
import type { Database } from "../database/database.ts";
import type { IdSource } from "../database/ids.ts";
import type { Schema } from "../database/schema.ts";
import { TEXT_FIELDS } from "./history.ts";
import { remember } from "./idempotency.ts";
import { endPlannedUpdate } from "./planned-update-row.ts";
import { findPost, openPostWriter } from "./post-changes.ts";
import { untilNoRace } from "./races.ts";
import { readWithin } from "./read-back.ts";
import { assertSlugFree, textOf } from "./slugs.ts";

type Tx = Kysely<Schema>;

const STATE = ["publish_at", "held_because", "base_version", "working_version", "is_restored"] as const;
const WHEN = ["planned_at", "person_id", "client_id"] as const;

/**
 * @param database for what is no content: no copy of the database is waited for
 * @param content the same database, for changes of posts
 * @param now Unix time in milliseconds
 */
export function openPlannedUpdates(
  database: Database,
  content: Database,
  ids: IdSource,
  now: () => number,
): PlannedUpdateStore {
  const { read, dialect } = database;
  const posts = openPostWriter(content, ids, now);

  return {
    plan: (id, decide, once, readBack) =>
      untilNoRace(() =>
        database.write(async (tx) => {
          if (once !== undefined) await remember(tx, once, id, now);
          const post = await findPost(tx, id, dialect);
          const plan = decide(post, await copyState(tx, id));
          if (plan.slug != null) await assertSlugFree(tx, plan.slug, id);
          await endPlannedUpdate(tx, id);
          const at = new Date(now()).toISOString();
          await copyText(tx, id, { ...plan, at, baseVersion: post?.version ?? 0 });
          await readWithin(tx, readBack, id);
        }),
      ),

    cancel: (id, decide, once, readBack) =>
      untilNoRace(() =>
        database.write(async (tx) => {
          if (once !== undefined) await remember(tx, once, id, now);
          decide(await findPost(tx, id, dialect));
          await endPlannedUpdate(tx, id);
          await readWithin(tx, readBack, id);
        }),
      ),

    async listDue(moment, limit) {
      const rows = await read
        .selectFrom("post_planned_updates")
        .select("post_id")
        .where("publish_at", "<=", moment)
        .where(sql<boolean>`held_because is null`) // as the index has it
        .orderBy("publish_at")
        .limit(limit)
        .execute();
      return rows.map((row) => row.post_id);
    },

    async find(postId) {
      const row = await read
        .selectFrom("post_planned_updates as plan")
        .innerJoin("posts", "posts.id", "plan.post_id")
        .select([...STATE, ...WHEN].map((name) => `plan.${name}` as const))
        .select(TEXT_FIELDS.map((name) => `plan.${name}` as const))
        .select([
          sql<number>`case when plan.title <> posts.title then 1 else 0 end`.as("other_title"),
          sql<number>`case when plan.body <> posts.body then 1 else 0 end`.as("other_body"),
          sql<string | null>`case when posts.slug_by_hand = 1 then posts.slug end`.as("post_slug"),
          sql<string | null>`case when posts.derived_excerpt is not null then posts.excerpt end`.as("post_excerpt"),
        ])
        .where("plan.post_id", "=", postId)
        .executeTakeFirst();
      if (row === undefined) return null;
      const { title, body, slug, excerpt } = row;
      const differs: Readonly<Record<keyof PostText, boolean>> = {
        title: Number(row.other_title) === 1,
        body: Number(row.other_body) === 1,
        slug: slug !== row.post_slug,
        excerpt: excerpt !== row.post_excerpt,
      };
      const differing = TEXT_FIELDS.filter((name) => differs[name]);
      return { ...stateOf(row), text: { title, body, slug, excerpt }, differing };
    },

    carryOut: (id, decide) =>
      posts.edit(id, async (tx, post) => {
        if (post === null) return null;
        const row = await tx
          .selectFrom("post_planned_updates")
          .select([...STATE, ...WHEN])
          .where("post_id", "=", id)
          .executeTakeFirst();
        if (row === undefined) return null;
        const plan = stateOf(row);
        const outcome = decide(post, plan);
        if (outcome === null) return null;
        if ("heldBecause" in outcome) {
          const held = tx.updateTable("post_planned_updates").set({ held_because: outcome.heldBecause });
          await held.where("post_id", "=", id).execute();
          return null;
        }
        await endPlannedUpdate(tx, id);
        await continueCopy(tx, id, plan.workingVersion, post.version + 1);
        return outcome;
      }),

    async listOfPerson(userId, { after, limit }) {
      let query = read
        .selectFrom("post_planned_updates")
        .select(["post_id", "publish_at", ...TEXT_FIELDS])
        .where("person_id", "=", userId)
        .orderBy("post_id")
        .limit(limit);
      if (after !== undefined) query = query.where("post_id", ">", after);
      const rows = await query.execute();
      return rows.map(({ post_id, publish_at, ...text }) => ({ postId: post_id, publishAt: publish_at, ...text }));
    },
  };
}

type StateRow = Pick<Schema["post_planned_updates"], (typeof STATE)[number] | (typeof WHEN)[number]>;

function stateOf(row: StateRow): PlanState {
  return {
    publishAt: row.publish_at,
    heldBecause: row.held_because,
    baseVersion: Number(row.base_version),
    workingVersion: Number(row.working_version),
    isRestored: Number(row.is_restored) === 1,
    plannedAt: row.planned_at,
    by: { userId: row.person_id, clientId: row.client_id },
  };
}

async function copyState(tx: Tx, id: Id): Promise<CopyState> {
  const copy = await tx
    .selectFrom("post_working_copies")
    .select(["version", "restored_from"])
    .where("post_id", "=", id)
    .where("is_open", "=", 1)
    .executeTakeFirst();
  return { version: Number(copy?.version ?? 0), isRestored: copy?.restored_from != null };
}

/** The text is copied within the database. */
async function copyText(
  tx: Tx,
  id: Id,
  plan: Pick<NewPlan, "publishAt" | "publishAtZone" | "by"> & { readonly at: string; readonly baseVersion: number },
): Promise<void> {
  const copy = tx
    .selectFrom("post_working_copies")
    .select(["post_id", textOf(plan.publishAt).as("publish_at"), textOf(plan.publishAtZone).as("publish_at_zone")])
    .select([sql<number>`cast(${plan.baseVersion} as bigint)`.as("base_version"), "version as working_version"])
    .select([sql<number>`case when restored_from is null then 0 else 1 end`.as("is_restored")])
    .select([textOf(plan.at).as("planned_at"), textOf(plan.by.userId).as("person_id")])
    .select([textOf(plan.by.clientId).as("client_id"), ...TEXT_FIELDS])
    .where("post_id", "=", id)
    .where("is_open", "=", 1);
  await tx
    .insertInto("post_planned_updates")
    .columns([
      ...(["post_id", "publish_at", "publish_at_zone", "base_version", "working_version", "is_restored"] as const),
      ...(["planned_at", "person_id", "client_id"] as const),
      ...TEXT_FIELDS,
    ])
    .expression(copy)
    .execute();
}

/** A copy that is the text of the update ends with it. A later one was written on from that text. */
async function continueCopy(tx: Tx, id: Id, planned: number, postVersion: number): Promise<void> {
  const copies = tx.updateTable("post_working_copies").where("post_id", "=", id).where("is_open", "=", 1);
  await copies
    .set({ is_open: 0, restored_from: null, updated_by: null, title: "", body: "", slug: null, excerpt: null })
    .where("version", "=", planned)
    .execute();
  await copies.set({ base_version: postVersion }).where("version", ">", planned).execute();
}
