import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyRequest } from "fastify";
import { TOTP } from "otpauth";
import { openAudit } from "../../../src/authorization-server/engine/audit.ts";
import { openOutgoing } from "../../../src/authorization-server/letters/outgoing.ts";
import {
  openSecondStep,
  type SecondStep,
  type SecondStepSettings,
} from "../../../src/authorization-server/second-step/second-step.ts";
import { createUser, type NewUser, type User } from "../../../src/domain/people/user.ts";
import type { Store } from "../../../src/domain/store/store.ts";
import { openSealer } from "../../../src/secrets/seal.ts";
import { openStore } from "../../../src/storage/open.ts";
import { aPerson } from "../../conformance/samples.ts";
import { createTestDatabase } from "../../database.ts";

export const RP = "id.example.com";
/** The installation's. */
export const SECRET = new Uint8Array(32).fill(7);
export const BOUND = "form of a browser";

/** The second step over a database of its own. Its clock stands still until a test moves it. */
export interface Bench {
  readonly store: Store;
  readonly secondStep: SecondStep;
  /** Unix time in milliseconds. */
  readonly clock: { now: number };
  /** The same server with other settings, or another one on the same database. */
  openAnother(settings?: Partial<SecondStepSettings>, store?: Store): SecondStep;
  openStore(): Promise<Store>;
  person(change?: Partial<NewUser>): Promise<User>;
  /** Written events, newest first. */
  audited(user: User): Promise<string[]>;
  /** Kinds of mails, oldest first. */
  mailed(user: User): Promise<string[]>;
  close(): Promise<void>;
}

export const REQUEST = {
  ip: "192.0.2.7",
  id: "request-1",
  headers: { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" },
} as unknown as FastifyRequest;

export async function openBench(): Promise<Bench> {
  const folder = await mkdtemp(join(tmpdir(), "content-api-"));
  const database = await createTestDatabase(folder);
  const clock = { now: Date.parse("2026-01-31T12:00:00.000Z") };
  const now = () => clock.now;
  const store = await openStore(database.url, { now });
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const audit = openAudit(store.audit, { days: 90, now, log });
  const sealer = openSealer(SECRET);
  const stores: Store[] = [];
  let people = 0;

  const openAnother = (change: Partial<SecondStepSettings> = {}, on = store) =>
    openSecondStep({
      settings: {
        ...{ OPERATOR_NAME: "Example", SUPPORT_CONTACT: "help@example.com", SECOND_STEP: "optional", PASSKEY_ID: RP },
        ...change,
      },
      ...{ store: on, sealer, audit, now, outgoing: openOutgoing(true, store, now) },
    });

  return {
    ...{ store, clock, openAnother, secondStep: openAnother() },
    async openStore() {
      const another = await openStore(database.url, { now });
      stores.push(another);
      return another;
    },
    person: (change = {}) =>
      createUser(
        store.users,
        aPerson({ email: `ada-${++people}@example.com`, passwordHash: "$argon2id$x", ...change }),
      ),
    async audited({ id }) {
      await audit.record({ event: "audit", result: "ok" }); // writes what was noted before it
      const events = await store.audit.list({ userId: id, limit: 1_000 });
      return events.map(({ event, result, detail }) => `${event} ${result}: ${detail}`);
    },
    mailed: async ({ id: userId }) =>
      (await store.mails.list({ userId, limit: 100 })).map(({ kind }) => kind).toReversed(),
    async close() {
      await audit.close();
      await Promise.all([store, ...stores].map((one) => one.close()));
      await database.drop();
      await rm(folder, { recursive: true });
    },
  };
}

/** An authenticator app that was set up for a person. */
export interface App {
  /** The person afterwards. */
  readonly user: User;
  /** @param steps of 30 seconds from now */
  digits(steps?: number): string;
}

/** Sets up an app with the digits of its first step, which do not count again. */
export async function addApp({ secondStep, clock }: Bench, user: User): Promise<App> {
  const { sealed, secret } = await secondStep.setUp.begin(user, BOUND);
  const digits = (steps = 0) =>
    TOTP.generate({ secret: secretOf(secret), timestamp: clock.now + steps * 30_000, digits: 6, period: 30 });
  const added = await secondStep.factors.confirmTotp(user, { sealed, bound: BOUND, typed: digits() }, REQUEST);
  if (added.user === null) throw new Error(added.message);
  clock.now += 60_000;
  return { user: added.user, digits };
}

function secretOf(groups: string) {
  return new TOTP({ secret: groups.replaceAll(" ", "") }).secret;
}

/** A person with an app and recovery codes, and the second step on. */
export async function addAll(bench: Bench, user: User): Promise<App & { readonly codes: readonly string[] }> {
  const { factors } = bench.secondStep;
  const app = await addApp(bench, user);
  const made = await factors.makeRecoveryCodes(app.user, REQUEST);
  const on = await factors.turnOn(made.user ?? app.user, REQUEST);
  if (on.user === null) throw new Error(on.message);
  return { ...app, user: on.user, codes: made.codes };
}
