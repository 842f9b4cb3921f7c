import assert from "node:assert/strict";
import { StatementSync } from "node:sqlite";
import { after, before, describe, mock, test } from "node:test";
import { hashPassword } from "../../src/secrets/passwords.ts";
import { hashToken } from "../../src/secrets/token-hash.ts";
import { openTestServer, PASSWORD, type TestServer } from "./authorization-server.ts";
import { Browser } from "./client.ts";
import { assertEqualTimes } from "./equal-times.ts";
import { askFor, comparable, forgetNetwork, letterFor, postOf } from "./mailed.ts";
import { freeAddress, openAccount, somebody } from "./people.ts";

const PATHS = ["/sign-up", "/recover"] as const;
/** Statements but for those that a turn of the event loop, the key ring and the audit cause at times of their own. */
const ABOUT_PEOPLE = /^(?:select|insert|update|delete)\b(?!.*"(?:audit|signing_keys)"|.*posts_unindexed)/i;

let server: TestServer;
before(async () => {
  server = await openTestServer({ settings: { SIGN_UP: "open" } });
  const off = await somebody(server, { email: "off@example.com" });
  await server.store.users.update(off.id, { disabledAt: new Date().toISOString() });
});
after(() => server.close());

describe("nobody learns who has an account by asking for a mail", () => {
  /** As long as each other: with an account, without one, disabled. */
  const EMAILS = ["bob@example.com", "nob@example.com", "off@example.com"];

  for (const path of PATHS)
    test(`U11 P12 ${path}: nothing about people is called, and the row is the same for everybody`, async () => {
      const browser = new Browser();
      const page = await browser.follow(server.issuer + path);
      const { users, accountStates, invitations } = server.store;
      const spies = [users, accountStates, invitations].flatMap((store) =>
        Object.keys(store).map((name) => mock.method(store as unknown as Record<string, () => void>, name)),
      );
      for (const email of EMAILS) {
        await forgetNetwork(server);
        assert.match((await browser.submit(page, path, { email })).url.pathname, /\/sent$/);
      }
      const calls = spies.map((spy) => spy.mock.callCount());
      for (const spy of spies) spy.mock.restore();
      assert.ok(calls.length > 10);
      assert.deepEqual(new Set(calls), new Set([0]));
      const rows = await server.store.mails.list({ state: "PENDING", limit: 3 });
      assert.equal(rows.length, 3);
      assert.equal(new Set(rows.map(({ kind, userId, params }) => JSON.stringify({ kind, userId, params }))).size, 1);
      await server.letters();
    });

  for (const path of PATHS)
    test(`U11 P12 ${path}: status, bytes, headers and cookies are the same`, async () => {
      const answers: string[] = [];
      for (const email of EMAILS) {
        await forgetNetwork(server);
        const browser = new Browser();
        const page = await browser.follow(server.issuer + path);
        const asked = await browser.fetch(...postOf(page, path, { email }));
        const next = new URL(asked.headers.get("location") ?? "", server.issuer);
        const answer = [await comparable(asked, email), await comparable(await browser.fetch(next), email)];
        if (path === "/sign-up") {
          const sent = await browser.follow(next);
          const code = await browser.fetch(...postOf(sent, "/sign-up/code", { code: "BBBB-BBBB" }));
          assert.equal(code.status, 400);
          answer.push(await comparable(code, email));
        }
        answers.push(hashToken(JSON.stringify(answer)));
      }
      assert.equal(new Set(answers).size, 1);
      await server.letters();
    });

  test("U11 P12 the answers take the same time", async () => {
    const passwordHash = await hashPassword(PASSWORD); // of the real cost, or a check of it would not show
    const browser = new Browser();
    const page = await browser.follow(`${server.issuer}/recover`);
    const request = async (email: string) => {
      await forgetNetwork(server);
      return () => browser.fetch(...postOf(page, "/recover", { email }));
    };
    await assertEqualTimes(30, {
      known: async () => {
        const about = { name: "Grace", role: "member", emailVerified: true, passwordHash } as const;
        return request((await server.store.users.create({ ...about, email: freeAddress() })).email);
      },
      unknown: () => request(freeAddress()),
    });
    await server.letters();
  });

  test("P12 R14 the same statements go to the database, for a wrong code and a wrong password too", {
    skip: process.env.TEST_STORE === "postgres" && "they are read at SQLite, and both databases get the same ones",
  }, async (t) => {
    const [known, off, leaving] = [await somebody(server), await somebody(server), await somebody(server)];
    await server.store.users.update(off.id, { disabledAt: new Date().toISOString() });
    await server.store.deletions.ask(leaving.id, { deletesAt: "2100-01-01T00:00:00.000Z", posts: "keep" });
    const statements: string[] = [];
    for (const name of ["all", "get", "run"] as const) {
      const execute = StatementSync.prototype[name] as (...values: unknown[]) => unknown;
      t.mock.method(StatementSync.prototype, name, function (this: StatementSync, ...values: unknown[]) {
        statements.push(this.sourceSQL.replaceAll(/\b\d{10}\b/g, "TIME")); // of the second
        return execute.apply(this, values);
      } as never);
    }
    const browser = new Browser();
    // One after the other: the first sets the cookie that all forms count with.
    const signUp = await browser.follow(`${server.issuer}/sign-up`);
    const recover = await browser.follow(`${server.issuer}/recover`);
    const account = await openAccount(server, browser);
    const seen = new Map<string, string[]>();
    for (const email of [known.email, freeAddress(), off.email, leaving.email]) {
      const sent = await askFor(server, "/sign-up", email, browser);
      for (const [page, action, typed, status] of [
        [signUp, "/sign-up", {}, 200],
        [recover, "/recover", {}, 200],
        [account, "/sign-in", { password: "a wrong password" }, 400],
        [sent, "/code", { code: "BBBB-BBBB" }, 400],
      ] as const) {
        await forgetNetwork(server);
        statements.length = 0;
        const { response } = await browser.submit(page, action, { email, ...typed });
        assert.equal(response.status, status, action);
        seen.set(action, [
          ...(seen.get(action) ?? []),
          statements.filter((text) => ABOUT_PEOPLE.test(text)).join("\n"),
        ]);
      }
      await server.letters();
    }
    for (const [action, texts] of seen) {
      assert.match(texts[0] ?? "", /"mails"|"users"|"account_tokens"/, action);
      for (const text of texts) assert.equal(text, texts[0], action);
    }
  });

  test("U11 U21 the letter tells the owner of the address alone: free, taken, disabled, invited", async () => {
    await server.letters();
    const [taken, invited] = [await somebody(server), freeAddress()];
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    await server.store.invitations.create({ email: invited, role: "member", invitedBy: null, expiresAt });
    const off = await somebody(server);
    await server.store.users.update(off.id, { disabledAt: new Date().toISOString() });
    const subjects = async (path: "/sign-up" | "/recover") => {
      const found: (string | null)[] = [];
      for (const email of [freeAddress(), taken.email, off.email, invited]) {
        await askFor(server, path, email);
        found.push((await server.letters())[0]?.subject ?? null);
      }
      return found;
    };
    const [finish, already, invitation] = [
      "Finish your account",
      "You have an account already",
      "Your invitation to Example",
    ];
    assert.deepEqual(await subjects("/sign-up"), [finish, already, null, invitation]);
    assert.deepEqual(await subjects("/recover"), [null, "Choose a new password", null, null]);
    const letter = await letterFor(server, "/sign-up", taken.email);
    const links = letter.parts.flatMap((part) => ("button" in part ? [part.button.href] : []));
    assert.deepEqual(links, [`${server.issuer}/account`, `${server.issuer}/recover`], "no secret in it");
  });
});
