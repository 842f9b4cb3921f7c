import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { renderMarkdown } from "../../src/markdown/html.ts";
import { openLatest } from "../../src/studio/browser/api/latest.ts";
import { checksOf } from "../../src/studio/browser/publishing/checks.ts";
import { runs } from "../scale.ts";

/** Timers that run when the test lets time pass. */
function openClock() {
  let now = 0;
  const waiting = new Map<object, { at: number; run: () => void }>();
  return {
    timers: {
      set(run: () => void, milliseconds: number) {
        const timer = {};
        waiting.set(timer, { at: now + milliseconds, run });
        return timer;
      },
      clear: (timer: unknown) => void waiting.delete(timer as object),
    },
    async pass(milliseconds: number) {
      now += milliseconds;
      for (const [timer, { at, run }] of waiting)
        if (at <= now) {
          waiting.delete(timer);
          run();
        }
      for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    },
  };
}

describe("S44 the preview asks for the newest text", () => {
  test("S44 requests wait for 300 ms without a key", async () => {
    const { timers, pass } = openClock();
    const asked: string[] = [];
    const latest = openLatest<string, string>({
      ...{ wait: 300, timers, fail: assert.fail, show: () => undefined },
      run: (text) => {
        asked.push(text);
        return Promise.resolve(text);
      },
    });
    latest.ask("a");
    await pass(200);
    latest.ask("ab");
    await pass(200);
    latest.ask("abc");
    await pass(299);
    assert.deepEqual(asked, []);
    await pass(1);
    assert.deepEqual(asked, ["abc"]);
  });

  test("S44 an answer never replaces that to a later question, in whatever order answers come", async () => {
    type Step =
      | { readonly kind: "ask" }
      | { readonly kind: "pass" }
      | { readonly kind: "answer"; readonly which: number; readonly isGood: boolean };
    const step: fc.Arbitrary<Step> = fc.oneof(
      fc.constant<Step>({ kind: "ask" }),
      fc.constant<Step>({ kind: "pass" }),
      fc.record({ kind: fc.constant("answer" as const), which: fc.nat(20), isGood: fc.boolean() }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { timers, pass } = openClock();
        const open: { question: number; answer: (isGood: boolean) => void; signal: AbortSignal }[] = [];
        const shown: number[] = [];
        let newestSent = -1;
        const latest = openLatest<number, number>({
          wait: 300,
          timers,
          run: (question, signal) => {
            newestSent = question;
            return new Promise((resolve, reject) => {
              open.push({
                question,
                signal,
                answer: (isGood) => (isGood ? resolve(question) : reject(new Error("no"))),
              });
            });
          },
          show: (answer, question) => {
            assert.equal(answer, question);
            shown.push(question);
          },
          fail: (_, question) => shown.push(question),
        });
        let questions = 0;
        for (const step of steps) {
          if (step.kind === "ask") latest.ask(questions++);
          else if (step.kind === "pass") await pass(300);
          else if (open.length > 0) {
            const [request] = open.splice(step.which % open.length, 1);
            const count = shown.length;
            request?.answer(step.isGood);
            await pass(0);
            assert.equal(shown.length, request?.question === newestSent ? count + 1 : count);
            assert.equal(request?.signal.aborted, request?.question !== newestSent);
          }
        }
        await pass(300);
        for (const { answer } of open) answer(true);
        await pass(0);
        assert.deepEqual(
          shown,
          [...new Set(shown)].sort((a, b) => a - b),
        );
        if (questions > 0) assert.equal(shown.at(-1), questions - 1);
      }),
      { numRuns: runs(200, 1_000) },
    );
  });

  test("S44 nothing is shown after the pane is closed", async () => {
    const { timers, pass } = openClock();
    const latest = openLatest<string, string>({
      ...{ wait: 300, timers, show: assert.fail, fail: assert.fail },
      run: (text) => Promise.resolve(text),
    });
    latest.ask("a");
    latest.close();
    await pass(1_000);
    latest.ask("b");
    void pass(300);
    latest.close();
    await pass(1_000);
  });
});

describe("S51 checks before publishing, by the server's own HTML", () => {
  const checks = (body: string, title = "Title") => checksOf({ title, body, html: renderMarkdown(body).html });
  const texts = (body: string) => checks(body).map(({ text }) => text);

  test("S51 a good post passes", () => {
    assert.deepEqual(
      checks('# A\n\n[link](https://a.example) <mail@a.example> ![a cat](/cat.webp "t")\n\n`[x](javascript:a)`'),
      [],
    );
  });

  test("S51 only an empty title blocks", () => {
    assert.deepEqual(
      checks("", " ").map(({ isBlocking }) => isBlocking),
      [true, false],
    );
    assert.ok(checks("![](a.png) [x](javascript:alert(1))").every(({ isBlocking }) => !isBlocking));
    assert.deepEqual(texts("  \n"), ["The text is empty."]);
  });

  test("S51 pictures without alternative text are counted", () => {
    assert.deepEqual(texts("![](a.png)"), ["One picture has no alternative text. Screen readers cannot describe it."]);
    assert.deepEqual(texts("![](a.png) ![ ](b.png) ![c](c.png)\n\n`![](d.png)`"), [
      "2 pictures have no alternative text. Screen readers cannot describe them.",
    ]);
  });

  test("S51 links that readers will not get are counted", () => {
    const sentence = "is left out, because only http, https and mailto addresses may be linked.";
    assert.deepEqual(texts("[x](javascript:alert(1))"), [`One link ${sentence}`]);
    assert.deepEqual(texts("[x](ftp://a.example/file)"), [`One link ${sentence}`]);
    assert.deepEqual(texts("[x](tel:123) and [y](data:text/html,a) [z](https://a.example)"), [
      "2 links are left out, because only http, https and mailto addresses may be linked.",
    ]);
    assert.deepEqual(texts("```\n[x](javascript:alert(1))\n```"), []);
    assert.deepEqual(texts("![a heron](ftp://a.example/heron.png)"), [
      "One picture is left out, because only http, https and mailto addresses may be linked.",
    ]);
  });
});
