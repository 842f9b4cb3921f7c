import {
  hashRecoveryCode,
  newRecoveryCodes,
  parseRecoveryCode,
} from "../../src/authorization-server/second-step/recovery-codes.ts";
import { newTotpSecret, sealTotpSecret } from "../../src/authorization-server/second-step/totp.ts";
import type { User } from "../../src/domain/people/user.ts";
import { openSealer } from "../../src/secrets/seal.ts";
import { type App, openApp } from "./authenticator-app.ts";
import type { TestServer } from "./authorization-server.ts";
import { PASSWORD } from "./authorization-server.ts";
import { Browser, type Stop } from "./client.ts";
import { signInAt, somebody } from "./people.ts";

/** A person with an authenticator app and recovery codes. */
export interface Guarded extends App {
  readonly person: User;
  readonly codes: readonly string[];
}

/** A person whose second step is on, as if it had been set up a while ago. */
export async function guarded(
  server: TestServer,
  change: Partial<User> = {},
  { isOn = true }: { readonly isOn?: boolean } = {},
): Promise<Guarded> {
  const { secondSteps } = server.store;
  const person = await somebody(server, change);
  const secret = await newTotpSecret();
  const at = new Date().toISOString();
  const sealedSecret = sealTotpSecret(openSealer(server.secret), person, secret);
  const confirmed = await secondSteps.confirmTotp(person, { sealedSecret, confirmedAt: at, step: 1 });
  const codes = newRecoveryCodes();
  const hashes = codes.map((code) => hashOf(person, code));
  const coded = await secondSteps.replaceRecoveryCodes(confirmed ?? person, hashes, at);
  const on = isOn ? await secondSteps.turnOn(coded ?? person, null) : coded;
  if (on === null) throw new Error("the second step is not on");
  return { person: on, codes, ...openApp(secret) };
}

/** A recovery code as the database has it. */
export function hashOf({ id }: Pick<User, "id">, code: string): string {
  return hashRecoveryCode(id, parseRecoveryCode(code) ?? "");
}

/** Uses a recovery code up. @returns how many are left; null for one that does not count */
export function spend({ store }: TestServer, person: User, code = ""): Promise<number | null> {
  return store.secondSteps.spendRecoveryCode(person.id, hashOf(person, code), new Date().toISOString());
}

/** Six digits that are wrong. */
export function otherDigits(digits: string): string {
  return String((Number(digits) + 1) % 1_000_000).padStart(6, "0");
}

/** The page that asks for the second step, after the right password. */
export function afterPassword(server: TestServer, person: User, browser = new Browser()): Promise<Stop> {
  return signInAt(server, person.email, PASSWORD, browser);
}
