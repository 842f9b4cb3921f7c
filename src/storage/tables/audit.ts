import { type CompiledQuery, sql } from "kysely";
import type { AuditEvent, AuditStore } from "../../domain/audit.ts";
import type { Id } from "../../domain/id.ts";
import type { Database } from "../database/database.ts";
import type { IdSource } from "../database/ids.ts";
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
    }),
  );
  return ({ at, event, result, userId, clientId, address, requestId, detail }) =>
    bind(insert, ids.next(), at, event, result, userId, clientId, address, requestId, detail);
}

export function openAudit(database: Database, ids: IdSource): AuditStore {
  const { read } = database;
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

    async list({ since, userId, forPerson, clientId, event, before, limit }) {
      let query = read.selectFrom("audit").selectAll().orderBy("at", "desc").orderBy("id", "desc").limit(limit);
      if (since !== undefined) query = query.where("at", ">=", since);
      if (userId !== undefined) query = query.where("user_id", "=", userId);
      if (forPerson !== undefined) query = query.where("user_id", "=", forPerson).where(NO_TRAFFIC);
      if (clientId !== undefined) query = query.where("client_id", "=", clientId);
      if (event !== undefined) query = query.where("event", "=", event);
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
