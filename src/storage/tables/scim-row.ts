import type { Insertable, Kysely } from "kysely";
import type { Id } from "../../domain/id.ts";
import type { Schema } from "../database/schema.ts";
import { insertLink } from "./upstream-identities.ts";

type Tx = Kysely<Schema>;

type ScimRow = Insertable<Schema["scim_users"]>;

/** A service's row about a person. @param change what a row that is there gets */
export async function putScimRow(
  tx: Tx,
  row: Omit<ScimRow, "external_id" | "disabled_at">,
  change: Partial<Pick<ScimRow, "external_id" | "disabled_at">>,
): Promise<void> {
  await tx
    .insertInto("scim_users")
    .values({ external_id: null, disabled_at: null, ...row, ...change })
    .onConflict((conflict) => {
      const known = conflict.columns(["user_id", "provider"]);
      return Object.keys(change).length === 0 ? known.doNothing() : known.doUpdateSet(change);
    })
    .execute();
}

/** Notes that it was the service that disabled the person. */
export async function noteDisabled(tx: Tx, provider: string, userId: Id, at: string): Promise<void> {
  await putScimRow(tx, { user_id: userId, provider, made: 0, created_at: at }, { disabled_at: at });
}

interface Named {
  readonly id: Id;
  readonly email: string;
  readonly email_verified: number;
  /** The present one, which the new one replaces. */
  readonly external_id: string | null;
  /** 1: the service made the person. */
  readonly made: number | null;
}

/**
 * Gives the person another external id. Where that is the subject of the service, the link moves with it. An account with an address
 * that nobody has proved gets no link: its maker would share it with the person of the service.
 *
 * @throws AppError CONFLICT with field `externalId` where the subject is another person's
 */
export async function giveExternalId(
  tx: Tx,
  provider: string,
  { id, email, email_verified, external_id, made }: Named,
  externalId: string | null,
  { isSubject, at }: { readonly isSubject: boolean; readonly at: string },
): Promise<void> {
  await putScimRow(tx, { user_id: id, provider, made: 0, created_at: at }, { external_id: externalId });
  if (!isSubject || (made !== 1 && email_verified !== 1)) return;
  const own = tx.deleteFrom("upstream_identities").where("provider", "=", provider).where("user_id", "=", id);
  if (external_id !== null) await own.where("subject", "=", external_id).execute();
  if (externalId === null) return;
  await own.where("subject", "=", externalId).execute(); // as the person may have linked it before
  const link = { provider, subject: externalId, userId: id, emailAtLink: email, linkedAt: at };
  await insertLink(tx, link, "externalId");
}
