import { type CompiledQuery, type RawBuilder, sql } from "kysely";
import type { AuditEvent, AuditFilter, AuditStore } from "../../domain/audit.ts";
import type { Id } from "../../domain/id.ts";
import type { Database, Dialect } from "../database/database.ts";
import type { IdSource } from "../database/ids.ts";
import type { AuditTable } from "../database/schema.ts";
import { bind, limitParam, param, statement } from "../database/statement.ts";

/** As the partial index `audit_of_people` has it, letter by letter: the databases compare the texts. */
const NO_TRAFFIC = sql<boolean>`event not in ('authorization', 'introspection', 'revocation', 'token', 'userinfo')`;

/** @returns the statement that adds an event, for transactions that do more */
export function auditInsertion({ read }: Database, ids: IdSource): (event: AuditEvent) => CompiledQuery {
  const insert = statement(() =>
    read.insertInto("audit").values({
      id: param<Id>(0),
      at: param<string>(1),
      event: param<AuditEvent["event"]>(2),
      result: param<AuditEvent["result"]>(3),
      user_id: param<string | null>(4),
      client_id: param<string | null>(5),
      address: param<string | null>(6),
      request_id: param<string | null>(7),
      detail: param<string | null>(8),
      actor_id: param<string | null>(9),
    }),
  );
  return ({ at, event, result, userId, clientId, actorId, address, requestId, detail }) =>
    bind(insert, ids.next(), at, event, result, userId, clientId, address, requestId, detail, actorId);
}

/** Columns that entries are filtered by, the one first whose values have the fewest entries. Each has an index. */
const FILTERS = [
  ["request_id", "requestId"],
  ["address", "address"],
  ["user_id", "userId"],
  ["client_id", "clientId"],
  ["event", "event"],
  ["result", "result"],
] as const satisfies readonly (readonly [keyof AuditTable, keyof AuditFilter])[];

/**
 * One condition is for the index. The others are written so that none is used for them: a database without statistics would choose
 * the index of what most entries have.
 */
function conditionsOf(dialect: Dialect, filter: AuditFilter): RawBuilder<boolean>[] {
  const given = FILTERS.flatMap(([column, field]) => {
    const value = filter[field];
    return value === undefined ? [] : [{ column, value }];
  });
  const lead = filter.forPerson === undefined ? given[0]?.column : undefined;
  const isFailure = filter.result !== undefined && filter.result !== "ok";
  const usable = new Set<string | undefined>([lead]);
  // Most entries are of what went well: the indexes of results hold the others alone.
  if (lead === "event" && isFailure) usable.add("result");
  if (lead === "result" && !isFailure) usable.delete("result");
  return [
    ...given.map(({ column, value }) => {
      const compared = usable.has(column) ? sql.ref(column) : dialect.notByIndex(column);
      return sql<boolean>`${compared} = ${value}`;
    }),
    ...(usable.has("result") ? [sql<boolean>`result <> 'ok'`] : []),
    // As the partial index `audit_refusals_of_clients` has it.
    ...(filter.isProblem === true ? [sql<boolean>`client_id is not null and result <> 'ok'`] : []),
  ];
}

export function openAudit(database: Database, ids: IdSource): AuditStore {
  const { read, dialect } = database;
  const insertion = auditInsertion(database, ids);

  const sweep = statement(() =>
    read
      .deleteFrom("audit")
      .where("id", "in", (eb) =>
        eb.selectFrom("audit").select("id").where("at", "<", param<string>(0)).orderBy("at").limit(limitParam(1)),
      ),
  );

  return {
    async add(events) {
      if (events.length === 0) return;
      await database.writeAtOnce(events.map(insertion));
    },

    async list(filter) {
      const { since, until, forPerson, before, limit } = filter;
      let query = read.selectFrom("audit").selectAll().orderBy("at", "desc").orderBy("id", "desc").limit(limit);
      if (since !== undefined) query = query.where("at", ">=", since);
      if (until !== undefined) query = query.where("at", "<", until);
      if (forPerson !== undefined) query = query.where("user_id", "=", forPerson).where(NO_TRAFFIC);
      for (const condition of conditionsOf(dialect, filter)) query = query.where(condition);
      if (before !== undefined) {
        const { at, id } = before;
        query = query.where("at", "<=", at).where((eb) => eb.or([eb("at", "<", at), eb("id", "<", id)]));
      }
      const rows = await query.execute();
      return rows.map((row) => ({
        id: row.id,
        at: row.at,
        event: row.event,
        result: row.result,
        userId: row.user_id,
        clientId: row.client_id,
        actorId: row.actor_id,
        address: row.address,
        requestId: row.request_id,
        detail: row.detail,
      }));
    },

    async sweep(before, limit) {
      const [changed = 0] = await database.writeAtOnce([bind(sweep, before, limit)]);
      return changed;
    },
  };
}
