import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import {
  handBack,
  isOfWindow,
  newStateFor,
  openSignInWindow,
  type SignInWindow,
  visitQuietly,
} from "../../src/studio/browser/session/sign-in-window.ts";

const CALLBACK = "https://api.example.com/studio/callback";
const AUTHORIZE = new URL("https://api.example.com/authorize");

interface Popup {
  isClosed: boolean;
  readonly visited: string[];
}

describe("S05 the window for a sign-in", () => {
  const popups: Popup[] = [];
  const opened: SignInWindow[] = [];
  const open = (): SignInWindow => {
    const one = openSignInWindow();
    assert.ok(one !== null);
    opened.push(one);
    return one;
  };
  beforeEach(() => {
    popups.length = 0;
    Object.assign(globalThis, {
      location: new URL("https://api.example.com/studio/people"),
      window: {
        open() {
          const popup: Popup = { isClosed: false, visited: [] };
          popups.push(popup);
          return {
            location: { replace: (url: URL) => popup.visited.push(url.href) },
            close() {
              popup.isClosed = true;
            },
          };
        },
      },
    });
  });
  afterEach(() => {
    for (const one of opened.splice(0)) one.close();
    Reflect.deleteProperty(globalThis, "window");
    Reflect.deleteProperty(globalThis, "location");
  });
  const answerOf = (state: string) => new URL(`${CALLBACK}?code=c&state=${state}`);

  test("takes its own answer, and none of another window, of a page without one, or that is no URL", async () => {
    const one = open();
    const visited = one.visit(AUTHORIZE);
    assert.deepEqual(popups[0]?.visited, [AUTHORIZE.href]);
    const forged = new BroadcastChannel(`studio-sign-in.${one.id}`);
    for (const junk of ["", "no URL", answerOf("s").href, answerOf(newStateFor("another")).href, 7])
      forged.postMessage(junk);
    handBack(answerOf(newStateFor("another")));
    handBack(answerOf("s"));
    await new Promise((resolve) => setTimeout(resolve, 20));
    const own = answerOf(newStateFor(one.id));
    handBack(own);
    assert.equal((await visited)?.href, own.href);
    forged.close();
    assert.deepEqual([isOfWindow(own), isOfWindow(answerOf("s"))], [true, false]);
  });

  test("the next window takes the place of one that waits, or that does not wait yet, and a late answer is not for it", async () => {
    const first = open();
    const visited = first.visit(AUTHORIZE);
    const second = open();
    assert.equal(await visited, null);
    const third = open();
    assert.equal(await second.visit(AUTHORIZE), null);
    assert.deepEqual(
      popups.map(({ isClosed }) => isClosed),
      [true, true, false],
    );
    const wanted = third.visit(AUTHORIZE);
    handBack(answerOf(newStateFor(first.id)));
    handBack(answerOf(newStateFor(third.id)));
    assert.match((await wanted)?.searchParams.get("state") ?? "", new RegExp(`^window\\.${third.id}\\.`));
  });

  test("without a page, only an answer at the studio's own redirect URI counts, and no other origin is asked", async (t) => {
    const asked: RequestInit[] = [];
    let url = "";
    t.mock.method(globalThis, "fetch", async (_address: URL, init: RequestInit) => {
      asked.push(init);
      return { url, body: null };
    });
    const visit = (issuer = AUTHORIZE) => visitQuietly(issuer, CALLBACK);
    url = `${CALLBACK}?code=c&state=s`;
    assert.equal((await visit())?.href, url);
    assert.equal(asked[0]?.cache, "no-store");
    for (url of [
      ...["https://evil.example/studio/callback?code=c", `${CALLBACK}/x?code=c`],
      "https://api.example.com/authorize?code=c",
    ])
      assert.equal(await visit(), null, url);
    const count = asked.length;
    assert.equal(await visit(new URL("https://id.example.com/authorize")), null);
    assert.equal(asked.length, count);
  });
});
