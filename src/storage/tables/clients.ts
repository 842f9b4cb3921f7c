import type { Selectable } from "kysely";
import type { CertificateSubject } from "../../domain/clients/certificate-subject.ts";
import type { Client, ClientStore, GrantType, NewClient } from "../../domain/clients/client.ts";
import type { JwkSet } from "../../domain/clients/jwk-set.ts";
import { AppError } from "../../domain/errors.ts";
import type { Id } from "../../domain/id.ts";
import type { Changes } from "../database/changes.ts";
import type { Database } from "../database/database.ts";
import type { ClientTable } from "../database/schema.ts";
import { param, prepareNamed, statement } from "../database/statement.ts";
import { remember } from "./idempotency.ts";

export function openClients(database: Database, changes: Changes, now: () => number): ClientStore {
  const { read } = database;
  const findClient = prepareNamed(
    database,
    COLUMNS,
    statement(() => read.selectFrom("clients").select(COLUMNS).where("id", "=", param<string>(0))),
  );
  const newRow = (client: NewClient): ClientTable => ({
    id: client.id,
    ...settings(client),
    created_at: new Date(now()).toISOString(),
    disabled_at: null,
    used_at: null,
  });
  const unused = () => read.selectFrom("clients").where("origin", "=", "registration").where("used_at", "is", null);

  return {
    create: (client, once) =>
      database.write(async (tx) => {
        if (once !== undefined) await remember(tx, once, client.id as Id, now);
        const row = await tx
          .insertInto("clients")
          .values(newRow(client))
          .onConflict((conflict) => conflict.column("id").doNothing())
          .returningAll()
          .executeTakeFirst();
        if (row === undefined) throw new AppError("CONFLICT", `There is a client with the id ${client.id} already.`);
        return toClient(row);
      }),

    async put(client) {
      const wanted = settings(client);
      const present = await findClient(client.id);
      if (present !== undefined && isAsWanted(present, wanted)) return toClient(present);
      return changes.telling({ kind: "client", id: client.id }).write(async (tx) => {
        const row = await tx
          .insertInto("clients")
          .values(newRow(client))
          .onConflict((conflict) => conflict.column("id").doUpdateSet(wanted))
          .returningAll()
          .executeTakeFirstOrThrow();
        return toClient(row);
      });
    },

    async find(id) {
      const row = await findClient(id);
      return row === undefined ? null : toClient(row);
    },

    async list() {
      const rows = await read.selectFrom("clients").selectAll().orderBy("created_at").orderBy("id").execute();
      return rows.map(toClient);
    },

    update: (id, change, once) =>
      changes.telling({ kind: "client", id }).write(async (tx) => {
        if (once !== undefined) await remember(tx, once, id as Id, now);
        const row = await tx
          .updateTable("clients")
          .set({
            id, // keeps the statement whole when nothing is to change
            ...(change.secretHash === undefined ? {} : { secret_hash: change.secretHash }),
            ...(change.disabledAt === undefined ? {} : { disabled_at: change.disabledAt }),
          })
          .where("id", "=", id)
          .returningAll()
          .executeTakeFirst();
        if (row === undefined) throw new AppError("NOT_FOUND", `There is no client with the id ${id}.`);
        return toClient(row);
      }),

    async markUsed(id) {
      const used_at = new Date(now()).toISOString();
      const query = read.updateTable("clients").set({ used_at }).where("id", "=", id).where("used_at", "is", null);
      await database.writeAtOnce([query.compile()]);
    },

    async sweepUnused(before, limit) {
      const old = unused().select("id").where("created_at", "<", before).orderBy("created_at").limit(limit);
      if ((await old.execute()).length === 0) return 0;
      return changes.telling({ kind: "client", id: null }).write(async (tx) => {
        const deletion = tx.deleteFrom("clients").where("used_at", "is", null).where("id", "in", old);
        return Number((await deletion.executeTakeFirst()).numDeletedRows);
      });
    },
  };
}

/** Settings of a client by the operator, as columns. */
function settings(client: NewClient): Omit<ClientTable, "id" | "created_at" | "disabled_at" | "used_at"> {
  return {
    name: client.name,
    type: client.type,
    secret_hash: client.secretHash,
    redirect_uris: JSON.stringify(client.redirectUris),
    post_logout_redirect_uris: JSON.stringify(client.postLogoutRedirectUris),
    grant_types: JSON.stringify(client.grantTypes),
    scopes: JSON.stringify(client.scopes),
    first_party: Number(client.firstParty),
    id_token_algorithm: client.idTokenAlgorithm ?? "ES256",
    backchannel_logout_uri: client.backchannelLogoutUri ?? null,
    jwks: client.jwks == null ? null : JSON.stringify(client.jwks),
    jwks_uri: client.jwksUri ?? null,
    must_push: Number(client.mustPush ?? false),
    must_sign: Number(client.mustSign ?? false),
    certificate_subject: client.certificateSubject == null ? null : JSON.stringify(client.certificateSubject),
    self_signed: Number(client.selfSigned ?? false),
    certificate_bound: Number(client.certificateBound ?? false),
    assertion_algorithm: client.assertionAlgorithm ?? null,
    resource_server: client.resourceServer ?? null,
    dpop_bound: Number(client.dpopBound ?? false),
    origin: client.origin ?? "operator",
    registration_token_hash: client.registrationTokenHash ?? null,
  };
}

/** Each node puts its own clients at each start: nothing is written where they are there. */
function isAsWanted(
  row: Pick<Selectable<ClientTable>, keyof ReturnType<typeof settings>>,
  wanted: ReturnType<typeof settings>,
): boolean {
  return Object.entries(wanted).every(([name, value]) => row[name as keyof typeof wanted] === value);
}

const COLUMNS = [
  "id",
  "name",
  "type",
  "secret_hash",
  "redirect_uris",
  "post_logout_redirect_uris",
  "grant_types",
  "scopes",
  "first_party",
  "created_at",
  "disabled_at",
  "id_token_algorithm",
  "backchannel_logout_uri",
  "jwks",
  "dpop_bound",
  "origin",
  "registration_token_hash",
  "jwks_uri",
  "must_push",
  "must_sign",
  "certificate_subject",
  "self_signed",
  "certificate_bound",
  "assertion_algorithm",
  "resource_server",
] as const satisfies readonly (keyof ClientTable)[];

function toClient(row: Omit<Selectable<ClientTable>, "used_at">): Client {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    secretHash: row.secret_hash,
    redirectUris: JSON.parse(row.redirect_uris) as string[],
    postLogoutRedirectUris: JSON.parse(row.post_logout_redirect_uris) as string[],
    grantTypes: JSON.parse(row.grant_types) as GrantType[],
    scopes: JSON.parse(row.scopes) as string[],
    firstParty: row.first_party === 1,
    idTokenAlgorithm: row.id_token_algorithm,
    backchannelLogoutUri: row.backchannel_logout_uri,
    jwks: row.jwks === null ? null : (JSON.parse(row.jwks) as JwkSet),
    jwksUri: row.jwks_uri,
    mustPush: row.must_push === 1,
    mustSign: row.must_sign === 1,
    certificateSubject:
      row.certificate_subject === null ? null : (JSON.parse(row.certificate_subject) as CertificateSubject),
    selfSigned: row.self_signed === 1,
    certificateBound: row.certificate_bound === 1,
    assertionAlgorithm: row.assertion_algorithm,
    resourceServer: row.resource_server,
    dpopBound: row.dpop_bound === 1,
    origin: row.origin,
    registrationTokenHash: row.registration_token_hash,
    createdAt: row.created_at,
    disabledAt: row.disabled_at,
  };
}
