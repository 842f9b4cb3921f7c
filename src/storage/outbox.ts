import type { OutboxStore } from "../domain/store.ts";
import type { Database } from "./database.ts";

export function openOutbox({ read }: Database): OutboxStore {
  return {
    async list(after, limit) {
      let query = read.selectFrom("outbox").selectAll().orderBy("id").limit(limit);
      if (after !== null) query = query.where("id", ">", after);
      const rows = await query.execute();
      return rows.map((row) => ({
        id: row.id,
        type: row.type,
        subjectId: row.subject_id,
        occurredAt: row.occurred_at,
        data: row.data,
      }));
    },
  };
}
