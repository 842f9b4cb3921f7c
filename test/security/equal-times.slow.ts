import { after, before, describe, test } from "node:test";
import type { User, UserStore } from "../../src/domain/people/user.ts";
import { hashPassword } from "../../src/secrets/passwords.ts";
import { openTestServer, PASSWORD, type TestServer } from "./authorization-server.ts";
import { Browser } from "./client.ts";
import { assertEqualTimes } from "./equal-times.ts";
import { askFor, forgetNetwork, postOf } from "./mailed.ts";
import { freeAddress, openAccount } from "./people.ts";

/** Requests of each kind. */
const ROUNDS = 200;

let server: TestServer;
let passwordHash: string;
before(async () => {
  passwordHash = await hashPassword(PASSWORD);
  server = await openTestServer({ settings: { SIGN_UP: "open" } });
});
after(() => server.close());

/** Addresses of each kind. Each is used once, so that no limit is reached. */
const KINDS = {
  known: async () => (await person()).email,
  unknown: async () => freeAddress(),
  disabled: async () => (await person({ disabledAt: new Date().toISOString() })).email,
  leaving: async () => {
    const { id, email } = await person();
    await server.store.deletions.ask(id, { deletesAt: "2100-01-01T00:00:00.000Z", posts: "keep" });
    return email;
  },
};

/** All have one hash, of the real cost: another would take its time. */
async function person(change: Parameters<UserStore["update"]>[1] = {}): Promise<User> {
  const about = { name: "Grace", email: freeAddress(), role: "member", emailVerified: true, passwordHash } as const;
  const { id } = await server.store.users.create(about);
  return server.store.users.update(id, change);
}

/** @param prepare what comes before the request about the address */
async function assertAlike(prepare: (email: string) => Promise<() => Promise<unknown>>): Promise<void> {
  const kinds = Object.entries(KINDS).map(([name, address]) => {
    const preparation = async () => {
      const request = await prepare(await address());
      await forgetNetwork(server);
      await server.store.attempts.clear("address 127.0.0.1");
      return request;
    };
    return [name, preparation] as const;
  });
  await assertEqualTimes(ROUNDS, Object.fromEntries(kinds));
}

describe("P12 R14 200 requests about each kind of address take the same time", () => {
  const browser = new Browser();

  for (const path of ["/sign-up", "/recover"] as const)
    test(`P12 ${path}`, async () => {
      const page = await browser.follow(server.issuer + path);
      await assertAlike(async (email) => () => browser.fetch(...postOf(page, path, { email })));
      await server.letters();
    });

  test("P12 a code", async () => {
    await assertAlike(async (email) => {
      const sent = await askFor(server, "/sign-up", email, browser);
      await server.letters();
      return () => browser.fetch(...postOf(sent, "/sign-up/code", { code: "BBBB-BBBB" }));
    });
  });

  test("P12 a wrong password", async () => {
    const page = await openAccount(server, browser);
    await assertAlike(
      async (email) => () =>
        browser.fetch(...postOf(page, "/account/sign-in", { email, password: "a wrong password" })),
    );
  });
});
