import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { RenderedMarkdown } from "../../src/domain/posts/rendering.ts";
import { openMarkdown } from "../../src/markdown/markdown.ts";
import { RenderingQueue } from "../../src/markdown/rendering-queue.ts";
import { hasCode } from "../conformance/samples.ts";

/** Two threads under a clock of the test's; `finish` ends the text that has been in one for the longest. */
function open(threads = 2) {
  const clock = { now: 0 };
  const begun: string[] = [];
  const running: { markdown: string; end: (rendered: RenderedMarkdown) => void }[] = [];
  const renderer = {
    render: (markdown: string) =>
      new Promise<RenderedMarkdown>((end) => {
        begun.push(markdown);
        running.push({ markdown, end });
      }),
  };
  const queue = new RenderingQueue(
    Array.from({ length: threads }, () => renderer),
    () => clock.now,
  );
  const finish = async (milliseconds: number) => {
    clock.now += milliseconds;
    const first = running.shift();
    first?.end({ html: first.markdown, text: "" });
    await new Promise((resolve) => setImmediate(resolve));
  };
  const add = (owner: string, markdown: string, isAbandoned = () => false) => {
    const result = queue.render(markdown, { owner, isAbandoned });
    result.catch(() => {});
    return result;
  };
  return { queue, begun, finish, add };
}

describe("I18 long texts are rendered fairly by person", () => {
  test("one text of a person at a time: another person does not wait behind them", async () => {
    const { begun, add, finish } = open();
    for (const text of ["a1", "a2", "a3"]) void add("ada", text);
    void add("bob", "b1");
    assert.deepEqual(begun, ["a1", "b1"]);
    await finish(5_000);
    assert.deepEqual(begun, ["a1", "b1", "a2"]);
  });

  test("next is the person who has used the least time", async () => {
    const { begun, add, finish } = open(1);
    for (const text of ["a1", "a2", "a3"]) void add("ada", text);
    for (const text of ["b1", "b2", "b3"]) void add("bob", text);
    await finish(5_000);
    for (let i = 0; i < 5; i++) await finish(10);
    assert.deepEqual(begun, ["a1", "b1", "b2", "b3", "a2", "a3"]);
  });

  test("what would wait too long is refused at once, and says that nothing was written; others are taken", async () => {
    const { add, begun } = open();
    const text = "a".repeat(500_000);
    for (let i = 0; i < 4; i++) void add("ada", text);
    assert.throws(() => add("ada", text), hasCode("UNAVAILABLE"));
    assert.throws(() => add("ada", "a"), /Nothing was written/);
    void add("bob", "b1");
    assert.deepEqual(begun, [text, "b1"]);
    void add("eve", "c".repeat(2_000_000));
    assert.throws(() => add("eve", "a"), hasCode("UNAVAILABLE"), "one text beyond the limit waits alone");
  });

  test("many texts of usual length are taken", async () => {
    const { add, finish, begun } = open(1);
    for (let i = 0; i < 30; i++) void add("ada", "a".repeat(50_000));
    for (let i = 0; i < 30; i++) await finish(10);
    assert.equal(begun.length, 30);
    void add("ada", "a".repeat(1_500_000));
  });

  test("a text that nobody waits for any more is dropped", async () => {
    const { begun, add, finish } = open(1);
    let isGone = false;
    void add("ada", "a1");
    const dropped = add("ada", "a2", () => isGone);
    void add("ada", "a3");
    isGone = true;
    await finish(100);
    await assert.rejects(dropped, hasCode("UNAVAILABLE"));
    assert.deepEqual(begun, ["a1", "a3"]);
  });

  test("in the program: one member's eight expensive texts do not hold up another's post", async () => {
    const render = openMarkdown();
    let isGone = false;
    const expensive = "![".repeat(250_000);
    const theirs = Array.from({ length: 8 }, () =>
      render(expensive, { owner: "ada", isAbandoned: () => isGone }).then(
        () => "rendered",
        (error: Error) => error.message,
      ),
    );
    await new Promise((resolve) => setTimeout(resolve, 300));
    const began = performance.now();
    const mine = await render("word ".repeat(2_000), { owner: "bob" });
    assert.equal(mine.text.trim(), "word ".repeat(2_000).trim());
    assert.ok(performance.now() - began < 2_500, `${performance.now() - began} ms`);
    isGone = true;
    const ends = await Promise.all(theirs);
    assert.ok(performance.now() - began < 4_000, "abandoned work goes on");
    assert.equal(ends.filter((message) => message.startsWith("Too many long texts of yours")).length, 4);
  });
});
