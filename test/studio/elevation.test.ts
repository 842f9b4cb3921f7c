import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { signal } from "@preact/signals";
import { ApiFailure } from "../../src/studio/browser/ports.ts";
import type { Ask } from "../../src/studio/browser/session/authorization.ts";
import { Elevation } from "../../src/studio/browser/session/elevation.ts";
import type { SignInWindow } from "../../src/studio/browser/session/sign-in-window.ts";
import { type Asked, askingAgain } from "../../src/studio/browser/shell/program/doors.ts";

/** An API that wants a recent sign-in for each request, until `isRecent`. */
function openAsking() {
  const world = { isRecent: false, runs: 0 };
  const asked = signal<Asked | null>(null);
  const api = askingAgain(
    {
      async run() {
        world.runs += 1;
        if (world.isRecent) return "done";
        throw new ApiFailure({ kind: "recent-sign-in", message: "", extensions: { maxAge: 900 } });
      },
    } as never,
    asked,
  );
  return { world, asked, run: () => api.run({ id: "", text: "" } as never, {}) };
}

describe("S05 a change that needs a recent sign-in", () => {
  test("is made once the person has signed in again, and never when they would rather not", async () => {
    const { world, asked, run } = openAsking();
    const first = run();
    await turns();
    assert.deepEqual(asked.value?.demand, { maxAge: 900 });
    asked.value?.answer(false);
    await assert.rejects(first, /Nothing was changed/);
    assert.deepEqual([asked.value, world.runs], [null, 1]);
    const second = run();
    await turns();
    world.isRecent = true;
    asked.value?.answer(true);
    assert.equal(await second, "done");
    assert.deepEqual([asked.value, world.runs], [null, 3]);
  });

  test("when two ask, the later one takes the place of the first, and neither hangs", async () => {
    const { world, asked, run } = openAsking();
    const [first, second] = [run(), run()];
    await assert.rejects(first, /Nothing was changed/);
    await turns();
    assert.ok(asked.value !== null, "the second question was taken away");
    world.isRecent = true;
    asked.value.answer(true);
    assert.equal(await second, "done");
    assert.equal(asked.value, null);
  });
});

const SCOPE = "openid admin";
const LIFETIME = 300;
const MINUTE = 60_000;

interface WorldOptions {
  /** The person who answers at the authorization server. */
  readonly personId?: string;
  /** Whether the browser opens windows. */
  readonly opensWindows?: boolean;
}

/** An authorization server that answers quietly while there is a session, and a window that a person uses or closes. */
function openWorld({ personId = "ada", opensWindows = true }: WorldOptions = {}) {
  const world = {
    time: 1_000_000,
    who: personId,
    hasSession: true,
    /** Every request for a token: how it was asked. */
    asks: [] as Ask[],
    /** Answers the window that is open; null closes it. */
    answerWindow: (_address: URL | null) => {},
    closed: 0,
    revoked: [] as string[],
    /** Holds the answer to a code back. */
    gate: Promise.resolve(),
    failure: null as Error | null,
    pass: (milliseconds: number) => {
      world.time += milliseconds;
    },
  };
  const answer = () => new URL("https://api.example.com/studio/callback?code=c&state=s");
  const openWindow = (): SignInWindow | null =>
    opensWindows
      ? {
          id: "w",
          visit: () =>
            new Promise((resolve) => {
              world.answerWindow = resolve;
            }),
          close: () => {
            world.closed += 1;
          },
        }
      : null;
  const elevation = new Elevation(
    {
      personId: "ada",
      authorization: {
        async revoke(token) {
          world.revoked.push(token);
          if (world.failure !== null) throw world.failure;
        },
        async begin({ ask }) {
          if (world.failure !== null) throw world.failure;
          if (ask !== undefined) world.asks.push(ask);
          return new URL("https://api.example.com/authorize");
        },
        async finish() {
          await world.gate;
          const token = `t${world.asks.length}`;
          return { grant: { token, expiresIn: LIFETIME, refreshToken: "" }, personId: world.who, request: {} as never };
        },
      },
      visitQuietly: async () =>
        world.hasSession ? answer() : new URL("https://api.example.com/studio/callback?error=login_required&state=s"),
      openWindow,
      now: () => world.time,
    },
    SCOPE,
    { maxAge: 1_800 },
  );
  return { world, elevation, answer };
}

const turns = () => new Promise<void>((resolve) => setTimeout(resolve));

describe("S05 the second token, for pages of administrators", () => {
  test("a person who signed in lately enters without a page, and asks once however many come", async () => {
    const { world, elevation } = openWorld();
    assert.equal(elevation.state.value, "closed");
    await Promise.all([elevation.enter(), elevation.enter()]);
    assert.equal(elevation.state.value, "open");
    assert.deepEqual(world.asks, [{ maxAge: 1_800, scope: SCOPE, isQuiet: true }]);
    assert.equal((await elevation.get()).token, "t1");
    await elevation.enter();
    assert.equal(world.asks.length, 1);
  });

  test("without a session the person signs in in a window, which is closed afterwards", async () => {
    const { world, elevation, answer } = openWorld();
    world.hasSession = false;
    await elevation.enter();
    assert.equal(elevation.state.value, "sign-in");
    const signedIn = elevation.signIn();
    await turns();
    world.answerWindow(answer());
    assert.equal(await signedIn, true);
    assert.deepEqual([elevation.state.value, world.closed], ["open", 1]);
    assert.deepEqual(world.asks.at(-1), { maxAge: 1_800, scope: SCOPE, windowId: "w" });
  });

  test("a window that is closed, or that the browser does not open, changes nothing", async () => {
    const { world, elevation } = openWorld();
    world.hasSession = false;
    await elevation.enter();
    const signedIn = elevation.signIn({ maxAge: 900, acrValues: ["mfa"] });
    await turns();
    assert.deepEqual(world.asks.at(-1)?.acrValues, ["mfa"]);
    world.answerWindow(null);
    assert.equal(await signedIn, false);
    assert.deepEqual([elevation.state.value, elevation.failure.value], ["sign-in", null]);
    const refusing = openWorld({ opensWindows: false });
    assert.equal(await refusing.elevation.signIn(), false);
    assert.match(refusing.elevation.failure.value ?? "", /blocked the window/);
  });

  test("a server that gives no answer is said, and entering can be tried again", async () => {
    const { world, elevation } = openWorld();
    world.failure = new Error("The server gave no answer.");
    await elevation.enter();
    assert.deepEqual([elevation.state.value, elevation.failure.value], ["sign-in", "The server gave no answer."]);
    world.failure = null;
    await elevation.enter();
    assert.deepEqual([elevation.state.value, elevation.failure.value], ["open", null]);
  });

  test("somebody else who signs in gets no token", async () => {
    const { world, elevation, answer } = openWorld({ personId: "bob" });
    await elevation.enter();
    assert.equal(elevation.state.value, "sign-in");
    assert.match(elevation.failure.value ?? "", /Somebody else signed in/);
    const signedIn = elevation.signIn();
    await turns();
    world.answerWindow(answer());
    assert.equal(await signedIn, false);
    assert.match(elevation.failure.value ?? "", /Somebody else signed in/);
    assert.deepEqual([elevation.state.value, world.closed], ["sign-in", 1]);
  });

  test("while somebody works the session gives the next token, once for all requests, however long ago the sign-in", async () => {
    const { world, elevation } = openWorld();
    await elevation.enter();
    world.pass((LIFETIME - 31) * 1_000);
    assert.equal((await elevation.get()).token, "t1");
    world.pass(2_000);
    const tokens = await Promise.all([elevation.get(), elevation.get()]);
    assert.deepEqual(
      tokens.map(({ token }) => token),
      ["t2", "t2"],
    );
    assert.deepEqual(world.asks.at(-1), { scope: SCOPE, isQuiet: true });
  });

  test("a token that the API refused is replaced, and one that was replaced meanwhile is not", async () => {
    const { elevation } = openWorld();
    await elevation.enter();
    const first = await elevation.get();
    const next = await elevation.replace(first);
    assert.equal(next.token, "t2");
    assert.equal((await elevation.replace(first)).token, "t2");
  });

  test("a request waits while the person must sign in again, and goes on afterwards", async () => {
    const { world, elevation, answer } = openWorld();
    await elevation.enter();
    world.hasSession = false;
    world.pass(LIFETIME * 1_000);
    const waiting = Promise.all([elevation.get(), elevation.get()]);
    await turns();
    assert.equal(elevation.state.value, "sign-in");
    const signedIn = elevation.signIn();
    await turns();
    world.answerWindow(answer());
    assert.equal(await signedIn, true);
    const [one, two] = await waiting;
    assert.equal(one.token, two.token);
  });

  test("after 15 minutes in which nobody was there the token is forgotten, and a key or a touch keeps it", async () => {
    const { world, elevation } = openWorld();
    await elevation.enter();
    world.pass(14 * MINUTE);
    elevation.checkUse();
    elevation.noticeUse();
    world.pass(15 * MINUTE);
    elevation.checkUse();
    assert.equal(elevation.state.value, "open");
    world.pass(1);
    elevation.checkUse();
    assert.equal(elevation.state.value, "idle");
    const waiting = elevation.get();
    await elevation.enter();
    assert.equal(elevation.state.value, "open");
    assert.equal((await waiting).token, "t2", "the old one is gone");
  });

  /** Holds answers of the server back. @returns a function that lets them come */
  function hold(world: { gate: Promise<void> }): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    world.gate = promise;
    return resolve;
  }

  test("a token that comes after the person has signed out is dropped, whether asked for quietly or in a window", async () => {
    for (const how of ["enter", "renew", "window"] as const) {
      const { world, elevation, answer } = openWorld();
      if (how === "renew") await elevation.enter();
      world.pass(LIFETIME * 1_000);
      const release = hold(world);
      const asked: Promise<unknown> =
        how === "enter" ? elevation.enter() : how === "renew" ? elevation.get() : elevation.signIn();
      const ended = Promise.allSettled([asked]);
      await turns();
      world.answerWindow(answer());
      await turns();
      await elevation.end();
      release();
      await turns();
      assert.equal(elevation.state.value, "closed", how);
      let token: unknown = null;
      elevation.get().then(
        (held) => {
          token = held;
        },
        () => undefined,
      );
      await turns();
      assert.equal(token, null, how);
      elevation.giveUp();
      await ended;
    }
  });

  test("a token that comes after 15 minutes without anybody is dropped, and entering again needs a recent sign-in", async () => {
    const { world, elevation } = openWorld();
    await elevation.enter();
    world.pass(15 * MINUTE - 1);
    const release = hold(world);
    const waiting = elevation.get();
    await turns();
    world.pass(2);
    elevation.checkUse();
    release();
    await turns();
    assert.equal(elevation.state.value, "idle");
    await elevation.enter();
    assert.deepEqual(world.asks.at(-1), { maxAge: 1_800, scope: SCOPE, isQuiet: true });
    assert.equal((await waiting).token, "t3");
  });

  test("the first key after a night does not keep the token, and a request of a page does not either", async () => {
    for (const how of ["noticeUse", "get"] as const) {
      const { world, elevation } = openWorld();
      await elevation.enter();
      world.pass(10 * 60 * MINUTE);
      if (how === "noticeUse") elevation.noticeUse();
      else elevation.get().catch(() => undefined);
      assert.equal(elevation.state.value, "idle", how);
    }
  });

  test("when somebody else has signed in meanwhile, requests wait for the person, and the page says why", async () => {
    const { world, elevation } = openWorld();
    await elevation.enter();
    world.who = "bob";
    world.pass(LIFETIME * 1_000);
    const waiting = elevation.get();
    await turns();
    assert.equal(elevation.state.value, "sign-in");
    assert.match(elevation.failure.value ?? "", /Somebody else signed in/);
    world.who = "ada";
    await elevation.enter();
    assert.equal((await waiting).personId, "ada");
  });

  test("requests that wait are rejected when the person signs out or leaves the pages, and never sent later", async () => {
    for (const how of ["end", "giveUp"] as const) {
      const { world, elevation } = openWorld();
      await elevation.enter();
      world.hasSession = false;
      world.pass(LIFETIME * 1_000);
      const waiting = Promise.allSettled([elevation.get(), elevation.get()]);
      await turns();
      void elevation[how]();
      for (const result of await waiting) {
        assert.ok(result.status === "rejected" && result.reason instanceof ApiFailure);
        assert.equal(result.reason.kind, "signed-out");
      }
      world.hasSession = true;
      await elevation.enter();
      assert.equal(elevation.state.value, "open");
    }
  });

  test("signing out forgets and revokes the token, with or without a network", async () => {
    const { world, elevation } = openWorld();
    await elevation.enter();
    await elevation.end();
    assert.deepEqual(world.revoked, ["t1"]);
    await elevation.end();
    assert.equal(world.revoked.length, 1);
    assert.equal(elevation.state.value, "closed");
    await elevation.enter();
    assert.equal((await elevation.get()).token, "t2");
    world.failure = new Error("offline");
    await elevation.end();
    assert.deepEqual(world.revoked, ["t1", "t2"]);
  });
});
