import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { askBeforeLeaving } from "../../src/studio/browser/frame/leaving.ts";
import { openRouter, type Router } from "../../src/studio/browser/shell/program/router.ts";

const ORIGIN = "https://api.example.com";
const BASE = "/studio";

describe("leaving a page of the studio that has something to lose", () => {
  /** Paths of the browser's history, and the present one. */
  let entries: string[];
  let at: number;
  let router: Router;
  let goBack: () => void;
  let ends: (() => void)[];
  /** Leaves in answer to each question that was asked. */
  let asked: (() => void)[];

  const ask = () => {
    const end = askBeforeLeaving((leave) => asked.push(leave));
    ends.push(end);
    return end;
  };
  const isAt = () => [router.place.value.path, entries[at]];

  beforeEach(() => {
    entries = [`${BASE}/clients?q=a`, `${BASE}/clients/new`];
    at = 1;
    ends = [];
    asked = [];
    const listeners: Record<string, () => void> = {};
    goBack = () => {
      at -= 1;
      listeners.popstate?.();
    };
    Object.assign(globalThis, {
      ...{ scrollY: 0, scrollTo() {} },
      addEventListener(type: string, listener: () => void) {
        listeners[type] = listener;
      },
      document: { activeElement: null, addEventListener() {} },
      history: {
        state: {},
        replaceState(_state: unknown, _title: string, url = entries[at] as string) {
          entries[at] = url;
        },
        pushState(_state: unknown, _title: string, url: string) {
          entries = [...entries.slice(0, at + 1), url];
          at += 1;
        },
      },
    });
    Object.defineProperty(globalThis, "location", {
      configurable: true,
      get: () => new URL(ORIGIN + (entries[at] as string)),
    });
    router = openRouter(BASE);
  });
  afterEach(() => {
    for (const end of ends) end();
    for (const name of ["scrollY", "scrollTo", "addEventListener", "document", "history", "location"])
      Reflect.deleteProperty(globalThis, name);
  });

  test("a link, or a command of the palette, waits for the answer; a page that goes on by its own doing does not", () => {
    ask();
    router.go("/clients");
    assert.deepEqual(isAt(), ["/clients/new", `${BASE}/clients/new`]);
    asked[0]?.();
    assert.deepEqual(isAt(), ["/clients", `${BASE}/clients`]);
    router.go("/posts", { replace: true });
    assert.deepEqual([isAt(), asked.length], [["/posts", `${BASE}/posts`], 1]);
  });

  test("a list that takes the place of a page that is gone is another page, whose heading gets the focus", () => {
    const isSameAt = (path: string) => {
      router.go(path, { replace: true });
      return router.place.value.isSame;
    };
    router.go("/posts/new");
    assert.deepEqual(["/posts/1", "/posts/1?view=panel", "/posts"].map(isSameAt), [true, true, false]);
    router.go("/webhooks/1/settings");
    assert.equal(isSameAt("/webhooks"), false);
    assert.equal(isSameAt("/webhooks?q=a"), true);
  });

  test("Back keeps the page and its URL until the answer, and then goes where it led", () => {
    ask();
    goBack();
    assert.deepEqual(isAt(), ["/clients/new", `${BASE}/clients/new`]);
    asked[0]?.();
    assert.deepEqual(isAt(), ["/clients", `${BASE}/clients?q=a`]);
    assert.equal(router.place.value.query.get("q"), "a");
  });

  test("two things to lose ask one after the other, and nobody asks once they are gone", () => {
    const [first, second] = [ask(), ask()];
    router.go("/posts");
    assert.equal(asked.length, 1);
    asked[0]?.();
    assert.deepEqual([asked.length, isAt()[0]], [2, "/clients/new"]);
    asked[1]?.();
    assert.equal(isAt()[0], "/posts");
    first();
    second();
    router.go("/people");
    assert.deepEqual([isAt()[0], asked.length], ["/people", 2]);
    goBack();
    assert.equal(isAt()[0], "/posts");
  });
});
