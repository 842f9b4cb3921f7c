import type { Kysely } from "kysely";
import type { Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";

/** Clients that prove themselves by a certificate, and tokens that are bound to one (RFC 8705). */
export async function clientCertificates(tx: Kysely<Schema>, { text, wholeNumber }: Dialect): Promise<void> {
  await tx.schema.alterTable("artifacts").addColumn("x5t", text).execute();
  await tx.schema.alterTable("clients").addColumn("certificate_subject", text).execute();
  for (const name of ["self_signed", "certificate_bound"]) {
    await tx.schema
      .alterTable("clients")
      .addColumn(name, wholeNumber, (column) => column.notNull().defaultTo(0))
      .execute();
  }
}
