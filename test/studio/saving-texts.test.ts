import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { hunksOf } from "../../src/studio/browser/difference/hunks.ts";
import { linesOf } from "../../src/studio/browser/difference/lines.ts";
import type { SaveState } from "../../src/studio/browser/ports.ts";
import { fileName } from "../../src/studio/browser/saving/device/download.ts";
import { isUnsent, type LocalDraft, readRecord, SCHEMA } from "../../src/studio/browser/saving/device/local-draft.ts";
import {
  changedParts,
  hasUnappliedChanges,
  isBlank,
  length,
  requestBytes,
} from "../../src/studio/browser/saving/device/texts.ts";
import { questionsOf } from "../../src/studio/browser/saving/merging/choices.ts";
import { merge, passagesOf } from "../../src/studio/browser/saving/merging/merge.ts";
import { wordsOf } from "../../src/studio/browser/saving/sending/state-words.ts";
import { runs } from "../scale.ts";
import { workedTime } from "../timing.ts";
import { ADA, texts } from "./saving-world.ts";

const line = fc.constantFrom("", "one", "two", "three", "\r", "é", "e\u0301", "\u2028", "\ufeffx", "tab\t");
const body = fc
  .tuple(fc.array(line, { maxLength: 12 }), fc.boolean())
  .map(([lines, ends]) => lines.join("\n") + (ends ? "\n" : ""));

describe("merging texts", () => {
  test("S20: lines keep their ends: joined, they are the text, byte for byte", () => {
    fc.assert(
      fc.property(body, (text) => assert.equal(linesOf(text).join(""), text)),
      { numRuns: runs(300, 2_000) },
    );
  });

  test("S33: one side's changes alone are taken as they are, and both sides' equal changes once", () => {
    fc.assert(
      fc.property(body, body, (base, other) => {
        assert.equal(merge(texts(base), texts(base), texts(other)).texts?.body, other);
        assert.equal(merge(texts(base), texts(other), texts(base)).texts?.body, other);
        assert.equal(merge(texts(base), texts(other), texts(other)).texts?.body, other);
      }),
      { numRuns: runs(300, 2_000) },
    );
  });

  test("S33: lines that one side added or kept are all in a clean merge", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: 9 }), { maxLength: 4 }),
        fc.array(fc.nat({ max: 9 }), { maxLength: 4 }),
        (left, right) => {
          const base = Array.from({ length: 10 }, (_, index) => `line ${index}\n`);
          const edit = (places: readonly number[], by: string) =>
            base.map((text, index) => (places.includes(index) ? `${by} ${index}\n` : text)).join("");
          const merged = merge(texts(base.join("")), texts(edit(left, "mine")), texts(edit(right, "theirs"))).texts;
          if (merged === null) return;
          for (const place of left) assert.ok(merged.body.includes(`mine ${place}\n`));
          for (const place of right) assert.ok(merged.body.includes(`theirs ${place}\n`));
        },
      ),
      { numRuns: runs(300, 2_000) },
    );
  });

  test("S33: answers of one side alone give that side's passages, and what was free to merge", () => {
    const conflict = {
      base: texts("a\nb\nc\nd\ne\n", "Old"),
      mine: texts("A\nb\nc\nd\nmine", "Mine"),
      theirs: texts("a\nb\nC\nd\ntheirs\n", "Theirs"),
      by: "Ben",
    };
    const { questions, answer } = questionsOf(conflict);
    assert.deepEqual(
      questions.map(({ part, mine, theirs }) => [part, mine, theirs]),
      [
        ["title", "Mine", "Theirs"],
        ["body", "mine", "theirs\n"],
      ],
    );
    assert.deepEqual(answer(["mine", "mine"]), texts("A\nb\nC\nd\nmine", "Mine"));
    assert.deepEqual(answer(["theirs", "theirs"]), texts("A\nb\nC\nd\ntheirs\n", "Theirs"));
    assert.deepEqual(answer(["theirs", "both"]), texts("A\nb\nC\nd\nmine\ntheirs\n", "Theirs"));
  });

  test("S33: hunks lead from one text to the other, and a region that only one side changed never asks", () => {
    fc.assert(
      fc.property(body, body, body, (base, mine, theirs) => {
        const [before, after] = [linesOf(base), linesOf(mine)];
        const hunks = hunksOf(before, after);
        let place = 0;
        const rebuilt: string[] = [];
        for (const { start, end, from, to } of hunks) {
          rebuilt.push(...before.slice(place, start), ...after.slice(from, to));
          place = end;
        }
        assert.deepEqual([...rebuilt, ...before.slice(place)], after);
        const passages = passagesOf(base, mine, theirs);
        const side = (name: "mine" | "theirs" | "base") =>
          passages.map((passage) => (passage.isAgreed ? passage.text : passage[name])).join("");
        if (passages.every((passage) => passage.isAgreed)) assert.equal(side("mine"), side("theirs"));
        for (const passage of passages) if (!passage.isAgreed) assert.notEqual(passage.mine, passage.theirs);
      }),
      { numRuns: runs(500, 5_000) },
    );
  });

  test("S33: texts with nothing in common are a question, soon", () => {
    const [left, right] = ["a", "b"].map((letter) =>
      Array.from({ length: 20_000 }, (_, index) => letter + index).join("\n"),
    );
    const start = workedTime();
    assert.equal(merge(texts("x"), texts(left ?? ""), texts(right ?? "")).texts, null);
    assert.equal(merge(texts(left ?? ""), texts(right ?? ""), texts(`${left}\nmore`)).texts, null);
    assert.ok(workedTime() - start < 3_000, `${workedTime() - start} ms`);
  });

  test("S33: a long text with two distant changes is merged quickly", () => {
    const lines = Array.from({ length: 20_000 }, (_, index) =>
      index % 3 === 0 ? "" : `line ${index} ${"x".repeat(40)}`,
    );
    const change = (place: number) => lines.map((text, index) => (index === place ? "changed" : text)).join("\n");
    const start = workedTime();
    const merged = merge(texts(lines.join("\n")), texts(change(5_000)), texts(change(15_000))).texts;
    assert.equal(merged?.body.match(/changed/g)?.length, 2);
    assert.ok(workedTime() - start < 3_000, `${workedTime() - start} ms`);
  });
});

describe("texts", () => {
  test("S35: characters are code points, and bytes those of the request in UTF-8", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => assert.equal(length(text), [...text].length)));
    assert.equal(length("a\ud800"), 2);
    const parts = { body: "ж\n" };
    assert.ok(requestBytes(parts) - Buffer.byteLength(JSON.stringify(parts)) >= 2_000);
  });

  test("S34: changed is a question of content", () => {
    assert.deepEqual(changedParts(texts("a"), texts("b")), { body: "b" });
    assert.equal(hasUnappliedChanges(texts("a"), { ...texts("a"), slug: "title", excerpt: "a" }), false);
    assert.equal(hasUnappliedChanges({ ...texts("a"), slug: "other" }, { ...texts("a"), slug: "title" }), true);
    assert.equal(isBlank(texts(" \n\t", "")), true);
  });

  test("S36: a file is named for its title, whatever is in it", () => {
    assert.equal(fileName("../../etc/passwd: “Über” 日本 😀"), "etc-passwd-Über-日本");
    assert.equal(fileName("..."), "untitled");
    assert.equal(fileName("x".repeat(500)).length, 60);
  });

  test("S96: a draft of another version of the studio is read by what all versions share", () => {
    const draft: LocalDraft = {
      schema: SCHEMA,
      personId: ADA.id,
      personName: ADA.name,
      key: "p",
      postId: "p",
      facts: null,
      base: null,
      texts: texts("kept"),
      unanswered: [],
      creation: null,
      resolution: null,
      asNew: null,
      changedAt: 5,
      isAside: false,
    };
    assert.deepEqual(readRecord(draft), draft);
    const newer = readRecord({ ...draft, schema: 9, base: { strange: true }, texts: { title: "T", body: "kept" } });
    assert.equal(newer?.base, null);
    assert.equal(newer?.texts.body, "kept");
    assert.ok(newer && isUnsent(newer));
    for (const record of [null, 5, {}, { ...draft, texts: null }]) assert.equal(readRecord(record), null);
  });

  test("S34: words of every state are short, and each class has its own", () => {
    const conflict = { base: texts(""), mine: texts("a"), theirs: texts("b"), by: null };
    const states: SaveState[] = [
      { kind: "saved" },
      { kind: "saving" },
      { kind: "on-device", reason: "waiting" },
      { kind: "on-device", reason: "offline" },
      { kind: "on-device", reason: "signed-out" },
      { kind: "on-device", reason: "busy" },
      { kind: "failed", message: "The text is too long.", help: "Shorten it.", isOnDevice: true },
      { kind: "failed", message: "You are offline.", help: "Copy it.", isOnDevice: false },
      { kind: "conflict", conflict },
      { kind: "elsewhere" },
      { kind: "lost", reason: "deleted" },
      { kind: "lost", reason: "forbidden" },
    ];
    const said = states.map((state) => wordsOf(state, false));
    for (const { words, help } of said) {
      assert.ok(words.length <= 40, words);
      assert.doesNotMatch(`${words} ${help}`, /!|undefined|null\./);
    }
    const good = said.filter(({ kind }) => kind === "good").map(({ words }) => words);
    assert.deepEqual(good, ["Saved", "Saving", "Saving"]);
    assert.equal(wordsOf({ kind: "saved" }, true).words, "Nothing written yet");
    for (const state of [
      { kind: "conflict", conflict },
      { kind: "lost", reason: "deleted" },
    ] as const) {
      assert.match(wordsOf(state, false).help ?? "", /is kept on this device/);
      assert.doesNotMatch(wordsOf({ ...state, isOnlyHere: true }, false).help ?? "", /on this device/);
    }
  });
});
