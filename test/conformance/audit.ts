import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { auditEvent } from "../../src/domain/audit.ts";
import { HARD_TEXTS, withStore } from "./samples.ts";
import type { OpenFresh } from "./store.ts";

const T = Date.parse("2026-01-31T12:00:00.000Z");

export function auditConforms(open: OpenFresh): void {
  describe("audit", () => {
    test("what is added is listed newest first, whole, and by each filter", () =>
      withStore(open, async ({ audit }) => {
        const signIn = auditEvent(T, { event: "sign-in", result: "ok", userId: "p1", clientId: "c1", address: "::1" });
        const token = auditEvent(T + 1, {
          event: "token",
          result: "reuse",
          clientId: "c2",
          detail: "twice",
          requestId: "r",
        });
        const session = auditEvent(T + 2, { event: "session", result: "ok", userId: "p2" });
        await audit.add([signIn, token]);
        await audit.add([session]);
        await audit.add([]);
        const list = async (filter: object) =>
          (await audit.list({ limit: 10, ...filter })).map(({ id: _, ...event }) => event);
        assert.deepEqual(await list({}), [session, token, signIn]);
        assert.deepEqual(await list({ limit: 2 }), [session, token]);
        assert.deepEqual(await list({ userId: "p1" }), [signIn]);
        assert.deepEqual(await list({ clientId: "c2" }), [token]);
        assert.deepEqual(await list({ event: "session" }), [session]);
        assert.deepEqual(await list({ since: token.at }), [session, token]);
        assert.deepEqual(await list({ since: token.at, userId: "p1" }), []);
      }));

    test("U28 a person reads their own decisions, without those that come with every token", () =>
      withStore(open, async ({ audit }) => {
        const kinds = [
          "sign-in",
          "token",
          "authorization",
          "email",
          "userinfo",
          "introspection",
          "revocation",
        ] as const;
        await audit.add(kinds.map((event, i) => auditEvent(T + i, { event, result: "ok", userId: "p1" })));
        await audit.add([auditEvent(T, { event: "sign-in", result: "ok", userId: "p2" })]);
        const listed = await audit.list({ forPerson: "p1", limit: 10 });
        assert.deepEqual(
          listed.map(({ event, userId }) => [event, userId]),
          [
            ["email", "p1"],
            ["sign-in", "p1"],
          ],
        );
        assert.equal((await audit.list({ forPerson: "p1", limit: 1 }))[0]?.event, "email");
      }));

    test("those of one millisecond keep their order", () =>
      withStore(open, async ({ audit }) => {
        const events = Array.from({ length: 50 }, (_, i) =>
          auditEvent(T, { event: "token", result: "ok", detail: `${i}` }),
        );
        await audit.add(events);
        const listed = await audit.list({ limit: 100 });
        assert.deepEqual(
          listed.map(({ detail }) => detail).reverse(),
          events.map(({ detail }) => detail),
        );
        const before = listed[19];
        assert.ok(before !== undefined);
        assert.deepEqual(await audit.list({ before, limit: 10 }), listed.slice(20, 30));
        assert.deepEqual(await audit.list({ before: { ...before, at: new Date(T - 1).toISOString() }, limit: 10 }), []);
      }));

    test("A42 texts are bounded, and hard ones kept as far as a database can", () =>
      withStore(open, async ({ audit }) => {
        const texts = [...HARD_TEXTS, "\u0000\ud800\n", "x".repeat(10_000)];
        await audit.add(texts.map((detail) => auditEvent(T, { event: "token", result: "refused", detail })));
        for (const { detail } of await audit.list({ limit: 100 })) {
          assert.ok(detail !== null && detail.length <= 200 && detail.isWellFormed() && !/\p{Cc}/u.test(detail));
        }
      }));

    test("sweep destroys what is older, oldest first, within its limit", () =>
      withStore(open, async ({ audit }) => {
        await audit.add(
          Array.from({ length: 10 }, (_, i) => auditEvent(T + i, { event: "token", result: "ok", detail: `${i}` })),
        );
        const before = new Date(T + 5).toISOString();
        assert.equal(await audit.sweep(before, 3), 3);
        assert.deepEqual((await audit.list({ limit: 20 })).at(-1)?.detail, "3");
        assert.equal(await audit.sweep(before, 3), 2);
        assert.equal(await audit.sweep(before, 3), 0);
        assert.equal((await audit.list({ limit: 20 })).length, 5);
      }));
  });
}
