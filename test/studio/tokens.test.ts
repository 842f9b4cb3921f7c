import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { ApiFailure } from "../../src/studio/browser/ports.ts";
import type { StoredSession } from "../../src/studio/browser/session/stored-session.ts";
import {
  type AccessToken,
  RefreshRefused,
  type SessionMessage,
  type TokenPorts,
  Tokens,
} from "../../src/studio/browser/session/tokens.ts";

const LIFETIME = 900;

/** A browser with tabs, one storage, one lock and one channel, and a server that takes each refresh token once. */
function openWorld({ personId = "ada", delay = () => 0 }: { personId?: string; delay?: () => number } = {}) {
  let time = 1_000_000;
  let session: StoredSession | null = { personId, refreshToken: "r0", person: null, server: null };
  let valid: string | null = "r0";
  let refreshes = 0;
  let mode: "answers" | "silent" = "answers";
  let lock = Promise.resolve();
  const tabs: Tokens[] = [];
  const pause = () => new Promise<void>((resolve) => setTimeout(resolve, delay()));

  const openTab = (held: AccessToken | null = null): Tokens => {
    const ports: TokenPorts = {
      store: {
        readSession: async () => {
          await pause();
          return session;
        },
        changeSession: async (change) => {
          await pause();
          session = change(session);
          return session;
        },
      },
      async refresh(token) {
        await pause();
        if (mode === "silent") throw new ApiFailure({ kind: "offline", message: "no answer" });
        if (token !== valid) throw new RefreshRefused();
        refreshes += 1;
        valid = `r${refreshes}`;
        return { token: `a${refreshes}`, expiresIn: LIFETIME, refreshToken: valid };
      },
      exclusive(work) {
        const result = lock.then(work);
        lock = result.then(
          () => undefined,
          () => undefined,
        );
        return result;
      },
      hasOthers: async () => tabs.length > 1,
      tell: (message: SessionMessage) => {
        for (const other of tabs) if (other !== tab) setTimeout(() => other.hear(message), delay());
      },
      now: () => time,
      wait: () => new Promise((resolve) => setTimeout(resolve, 1)),
    };
    const tab = new Tokens(ports, personId, held);
    tabs.push(tab);
    return tab;
  };
  return {
    openTab,
    pass: (seconds: number) => {
      time += seconds * 1_000;
    },
    revoke: () => {
      valid = null;
    },
    answer: (next: typeof mode) => {
      mode = next;
    },
    signInAs: (other: string) => {
      session = { personId: other, refreshToken: "other", person: null, server: null };
    },
    forget: () => {
      session = null;
    },
    get refreshes() {
      return refreshes;
    },
    get stored() {
      return session;
    },
    get valid() {
      return valid;
    },
  };
}

const kindOf = (work: Promise<unknown>) =>
  work.then(
    () => "none",
    (error: ApiFailure) => error.kind,
  );

describe("S05 tokens", () => {
  test("a token is used until a minute before its end, then replaced", async () => {
    const world = openWorld();
    const tab = world.openTab();
    assert.equal((await tab.get()).token, "a1");
    world.pass(LIFETIME - 61);
    assert.equal((await tab.get()).token, "a1");
    world.pass(2);
    assert.equal((await tab.get()).token, "a2");
    assert.equal(world.stored?.refreshToken, "r2", "the next refresh token is kept");
  });

  test("requests at the same time share one refresh", async () => {
    const world = openWorld();
    const tab = world.openTab();
    const all = await Promise.all(Array.from({ length: 20 }, () => tab.get()));
    assert.equal(new Set(all.map(({ token }) => token)).size, 1);
    assert.equal(world.refreshes, 1);
  });

  test("two tabs that need a token at the same time stay signed in, with one refresh", async () => {
    const world = openWorld({ delay: () => 2 });
    const [first, second] = [world.openTab(), world.openTab()];
    const [a, b] = await Promise.all([first.get(), second.get()]);
    assert.equal(a.token, b.token);
    assert.equal(world.refreshes, 1);
    assert.deepEqual([first.isSignedIn.value, second.isSignedIn.value], [true, true]);
  });

  test("a new tab borrows the token of another", async () => {
    const world = openWorld();
    await world.openTab().get();
    assert.equal((await world.openTab().get()).token, "a1");
    assert.equal(world.refreshes, 1);
  });

  test("the end of an access token without a network is no sign-out", async () => {
    const world = openWorld();
    const tab = world.openTab();
    await tab.get();
    world.answer("silent");
    world.pass(LIFETIME - 30);
    assert.equal((await tab.get()).token, "a1", "it still works for half a minute");
    world.pass(31);
    assert.equal(await kindOf(tab.get()), "offline");
    assert.equal(tab.isSignedIn.value, true);
    world.answer("answers");
    assert.equal((await tab.get()).token, "a2");
  });

  test("S06 a refused refresh signs out, and signing in goes on with the same page", async () => {
    const world = openWorld();
    const tab = world.openTab();
    await tab.get();
    world.revoke();
    world.pass(LIFETIME);
    assert.equal(await kindOf(tab.get()), "signed-out");
    assert.equal(tab.isSignedIn.value, false);
    assert.equal(await kindOf(tab.get()), "signed-out", "without asking the server again");
    const token = { token: "new", expiresAt: Number.MAX_SAFE_INTEGER, personId: "ada" };
    tab.hear({ type: "signed-in", token });
    assert.equal(tab.isSignedIn.value, true);
    assert.equal((await tab.get()).token, "new");
  });

  test("a token that the API rejects is replaced once for all who were rejected", async () => {
    const world = openWorld();
    const tab = world.openTab();
    const refused = await tab.get();
    const all = await Promise.all([tab.replace(refused), tab.replace(refused), tab.replace(refused)]);
    assert.deepEqual(new Set(all.map(({ token }) => token)), new Set(["a2"]));
    assert.equal((await tab.replace(refused)).token, "a2");
    assert.equal(world.refreshes, 2);
  });

  test("S06 nothing goes out under another person's session", async () => {
    const world = openWorld();
    const tab = world.openTab();
    await tab.get();
    tab.hear({ type: "signed-in", token: { token: "ben", expiresAt: Number.MAX_SAFE_INTEGER, personId: "ben" } });
    assert.equal(tab.isSignedIn.value, false);
    assert.equal(await kindOf(tab.get()), "signed-out");

    const missed = openWorld();
    const late = missed.openTab();
    missed.signInAs("ben");
    assert.equal(await kindOf(late.get()), "signed-out", "also where the message was missed");
    assert.equal(missed.refreshes, 0);
  });

  test("S06 a sign-out in one tab is one in all", async () => {
    const world = openWorld();
    const [first, second] = [world.openTab(), world.openTab()];
    await first.get();
    world.forget();
    first.end();
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepEqual([first.isSignedIn.value, second.isSignedIn.value], [false, false]);
  });

  test("whatever tabs do at the same time, nobody is signed out and the kept refresh token is the valid one", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(2), fc.nat(3), fc.nat(1_000)), { minLength: 5, maxLength: 25 }),
        fc.infiniteStream(fc.nat(3)),
        async (steps, delays) => {
          const world = openWorld({ delay: () => delays.next().value ?? 0 });
          const tabs = [world.openTab(), world.openTab(), world.openTab()];
          const running: Promise<unknown>[] = [];
          for (const [which, kind, seconds] of steps) {
            const tab = tabs[which] as Tokens;
            if (kind === 0) world.pass(seconds);
            else if (kind === 1) running.push(tab.get().then((token) => tab.replace(token)));
            else running.push(tab.get());
            if (seconds % 3 === 0) await Promise.all(running);
          }
          await Promise.all(running);
          for (const tab of tabs) assert.equal(tab.isSignedIn.value, true);
          assert.equal(world.stored?.refreshToken, world.valid);
        },
      ),
      { numRuns: 60 },
    );
  });
});
