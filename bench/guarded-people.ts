import { randomBytes } from "node:crypto";
import { TOTP } from "otpauth";
import { newTotpSecret, sealTotpSecret } from "../src/authorization-server/second-step/totp.ts";
import { readConfig } from "../src/config/config.ts";
import { loadSecret } from "../src/config/installation-secret.ts";
import type { Id } from "../src/domain/id.ts";
import { hashPassword } from "../src/secrets/passwords.ts";
import { openSealer } from "../src/secrets/seal.ts";
import { openStore } from "../src/storage/open.ts";
import { type Database, PERSON } from "./database.ts";

/** Somebody with an authenticator app, and the password of PERSON. */
export interface GuardedPerson {
  readonly email: string;
  /** They count once. */
  digits(): string;
}

/** Gives an authenticator app to the first people of the database, as if they had set it up a while ago. No server may run. */
export async function guardPeople(database: Database, count: number): Promise<GuardedPerson[]> {
  const config = readConfig(database.settings, "");
  const sealer = openSealer(loadSecret(config));
  const store = await openStore(config.DATABASE_URL, { migrate: false });
  const confirmedAt = new Date().toISOString();
  const passwordHash = await hashPassword(PERSON.password);

  async function guard(id: Id): Promise<GuardedPerson> {
    const secret = await newTotpSecret();
    const person = await store.users.update(id, { passwordHash });
    const sealedSecret = sealTotpSecret(sealer, person, secret);
    const confirmed = await store.secondSteps.confirmTotp(person, { sealedSecret, confirmedAt, step: 1 });
    const coded = confirmed && (await store.secondSteps.replaceRecoveryCodes(confirmed, [randomHash()], confirmedAt));
    const guarded = coded && (await store.secondSteps.turnOn(coded, null));
    if (guarded === null) throw new Error(`${person.email} has no second step.`);
    const totp = new TOTP({ secret });
    return { email: person.email, digits: () => totp.generate() };
  }

  try {
    const people: GuardedPerson[] = [];
    for (const id of database.userIds.slice(0, count)) people.push(await guard(id as Id));
    if (people.length < count) throw new Error(`The database has ${people.length} people, and ${count} are needed.`);
    return people;
  } finally {
    await store.close();
  }
}

/** The hash of a recovery code that nobody knows: a second step cannot be turned on without one. */
function randomHash(): string {
  return randomBytes(32).toString("base64url");
}
