import type { Kysely } from "kysely";
import type { Id } from "../../domain/id.ts";
import { emailKey } from "../../domain/people/email.ts";
import type { Schema } from "../database/schema.ts";

const BATCH = 1_000;

/**
 * The keys of addresses have the domain in ASCII. Of people whose addresses are one by now, one keeps that key: the person who has
 * it already, or the oldest. The others keep the key of their own spelling, by which `findByEmail` finds them.
 */
export async function emailKeys(tx: Kysely<Schema>): Promise<void> {
  let after = "" as Id;
  for (;;) {
    const people = await tx
      .selectFrom("users")
      .select(["id", "email", "email_key"])
      .where("id", ">", after)
      .orderBy("id")
      .limit(BATCH)
      .execute();
    for (const { id, email, email_key: old } of people) {
      const key = emailKey(email);
      if (key === old) continue;
      const taken = await tx.selectFrom("users").select("id").where("email_key", "=", key).executeTakeFirst();
      if (taken === undefined) await tx.updateTable("users").set({ email_key: key }).where("id", "=", id).execute();
    }
    const last = people.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}
