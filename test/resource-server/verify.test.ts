import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CHANGE_KINDS, type Change, type ChangeListener } from "../../src/domain/change.ts";
import { AppError } from "../../src/domain/errors.ts";
import type { Id } from "../../src/domain/id.ts";
import type { AccessToken } from "../../src/domain/store/artifacts.ts";
import { TokenRefusal } from "../../src/resource-server/token-refusal.ts";
import { openVerifier } from "../../src/resource-server/verify.ts";
import { hasCode } from "../conformance/samples.ts";
import { liveOrNull } from "./live-or-null.ts";

const NOW = Date.parse("2026-11-27T12:00:00Z");
const DAY = 86_400_000;
const TOKEN: AccessToken = {
  idHash: "hash of t",
  grantId: "g",
  userId: "01a21efd-4214-7000-8474-a0573e6a4ee8" as Id,
  role: "member",
  clientId: "c",
  scope: "",
  expiresAtSeconds: NOW / 1000 + 10 * 86_400,
  jkt: null,
  x5t: null,
  authTimeSeconds: null,
  acr: null,
  audience: null,
  hasSecondStep: false,
};

describe("what the resource server remembers", () => {
  test("A30 F14 a revoked token is refused within half a second, whatever happens to the clock", async () => {
    for (const step of [500, DAY, -500, -DAY]) {
      let now = NOW;
      let kept: AccessToken | null = { ...TOKEN, scope: "posts:read" };
      const verify = liveOrNull(openVerifier({ findAccessToken: async () => kept, watch: () => {}, now: () => now }));
      assert.deepEqual((await verify("t"))?.viewer.scopes, new Set(["posts:read"]));
      kept = null;
      now += step;
      assert.equal(await verify("t"), null, String(step));
      now = NOW;
      assert.equal(await verify("t"), null, "and stays so");
    }
  });

  test("A30 a token is believed no longer than it lives", async () => {
    let now = NOW;
    const token = { ...TOKEN, expiresAtSeconds: NOW / 1000 + 0.1 };
    const found: (AccessToken | null)[] = [token, null];
    const verify = liveOrNull(
      openVerifier({
        findAccessToken: async () => found.shift() ?? null,
        watch: () => {},
        now: () => now,
      }),
    );
    assert.notEqual(await verify("t"), null);
    now += 100;
    assert.equal(await verify("t"), null);
  });

  test("A30 a token whose end is told, by any of its ids, is looked up again at once, and others are not", async () => {
    const about: Change[] = [
      { kind: "token", id: TOKEN.idHash },
      { kind: "grant", id: TOKEN.grantId },
      { kind: "user", id: TOKEN.userId },
      { kind: "client", id: TOKEN.clientId },
    ];
    for (const change of about) {
      let listener: ChangeListener = () => {};
      let lookUps = 0;
      const verify = liveOrNull(
        openVerifier({
          findAccessToken: async () => (lookUps++ === 0 ? TOKEN : null),
          watch: (given) => {
            listener = given;
          },
          now: () => NOW,
        }),
      );
      await verify("t");
      for (const kind of CHANGE_KINDS) {
        listener({ kind, id: "another" });
        listener({ kind, id: null });
      }
      assert.notEqual(await verify("t"), null);
      assert.equal(lookUps, 1);
      listener(change);
      assert.equal(await verify("t"), null, change.kind);
    }
  });

  test("A30 an answer that a change overtakes is not kept", async () => {
    let listener: ChangeListener = () => {};
    const found: (AccessToken | null)[] = [TOKEN, null];
    const verify = liveOrNull(
      openVerifier({
        findAccessToken: async () => found.shift() ?? null,
        watch: (given) => {
          listener = given;
        },
        now: () => NOW,
      }),
    );
    const first = verify("t");
    listener({ kind: "token", id: TOKEN.idHash });
    assert.notEqual(await first, null);
    assert.equal(await verify("t"), null);
  });

  test("a token that is not live is refused as unknown: the store does not say whether it ever was", async () => {
    const verify = openVerifier({ findAccessToken: async () => null, watch: () => {}, now: () => NOW });
    const refusal = await verify("t");
    assert.ok(refusal instanceof TokenRefusal);
    assert.equal(refusal.reason, "unknown");
  });
});

describe("E12 a store that is late, where READ_STALENESS allows it", () => {
  const live = { ...TOKEN, scope: "posts:read" };
  const away = () => Promise.reject(new AppError("UNAVAILABLE", "The database is away."));

  /** A verifier whose store answers as `store.find` says, and with a clock of its own. */
  function open(staleness: number) {
    const store = { find: async (): Promise<AccessToken | null> => live, asked: 0 };
    const clock = { now: NOW };
    let tell: ChangeListener = () => {};
    const verify = liveOrNull(
      openVerifier({
        findAccessToken: () => {
          store.asked++;
          return store.find();
        },
        watch: (listener) => {
          tell = listener;
        },
        now: () => clock.now,
        staleness,
      }),
    );
    return { store, clock, verify, tell: (change: Change) => tell(change) };
  }

  test("while it does not answer, a known token is accepted for five seconds after its last check, whatever READ_STALENESS is", async () => {
    for (const [staleness, accepted] of [
      [30_000, 5_000],
      [2_000, 2_000],
      [0, 500],
    ] as const) {
      for (const find of [away, () => new Promise<never>(() => {})]) {
        const { store, clock, verify } = open(staleness);
        await verify("t");
        store.find = find;
        clock.now += accepted - 1;
        assert.notEqual(await verify("t"), null);
        clock.now += 1;
        if (find === away) await assert.rejects(async () => verify("t"), hasCode("UNAVAILABLE"));
        clock.now = NOW - accepted;
        if (find === away) await assert.rejects(async () => verify("t"), hasCode("UNAVAILABLE"), "F14");
      }
    }
  });

  test("an answer that arrives in time decides, and so does the next one after an answer that was late", async () => {
    const { store, clock, verify } = open(30_000);
    await verify("t");
    clock.now += 500;
    store.find = async () => null;
    assert.equal(await verify("t"), null);
    store.find = async () => live;
    await verify("t");
    const late = Promise.withResolvers<AccessToken | null>();
    store.find = () => late.promise;
    clock.now += 500;
    assert.notEqual(await verify("t"), null);
    late.resolve(null);
    await late.promise;
    await new Promise(setImmediate);
    store.find = async () => null;
    assert.equal(await verify("t"), null);
  });

  test("callers share one look-up, and only the first ones wait for it", async () => {
    const { store, clock, verify } = open(30_000);
    await verify("t");
    clock.now += 500;
    store.find = () => new Promise(() => {});
    await Promise.all(Array.from({ length: 10 }, async () => verify("t")));
    await verify("t");
    assert.equal(store.asked, 2);
  });

  test("a token whose end was notified, one that has expired and one that is unknown wait for the store", async () => {
    const { store, clock, verify, tell } = open(30_000);
    await verify("t");
    store.find = away;
    await assert.rejects(async () => verify("unknown"), hasCode("UNAVAILABLE"));
    clock.now += 500;
    assert.notEqual(await verify("t"), null);
    tell({ kind: "token", id: TOKEN.idHash });
    await assert.rejects(async () => verify("t"), hasCode("UNAVAILABLE"));
    store.find = async () => ({ ...live, expiresAtSeconds: clock.now / 1_000 + 1 });
    await verify("t");
    store.find = away;
    clock.now += 1_000;
    await assert.rejects(async () => verify("t"), hasCode("UNAVAILABLE"));
  });

  test("a token whose end is notified while its look-up is under way is not accepted by the last answer", async () => {
    const { store, clock, verify, tell } = open(30_000);
    await verify("t");
    clock.now += 500;
    const next = Promise.withResolvers<AccessToken | null>();
    store.find = () => next.promise;
    const verifying = verify("t");
    tell({ kind: "user", id: TOKEN.userId });
    next.reject(new AppError("UNAVAILABLE", "The database is away."));
    await assert.rejects(async () => verifying, hasCode("UNAVAILABLE"));
  });
});
