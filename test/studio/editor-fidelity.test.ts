import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { history, redo, undo } from "@codemirror/commands";
import { EditorState, type TransactionSpec } from "@codemirror/state";
import fc from "fast-check";
import {
  keepLineEndings,
  lineEndings,
  setLineEndings,
} from "../../src/studio/browser/editor/code-mirror/line-endings-field.ts";
import { applyEdits, inverted } from "../../src/studio/browser/editor/text/edit.ts";
import { LineEndings, withLf } from "../../src/studio/browser/editor/text/line-endings.ts";
import { smallestEdit, smallestEdits } from "../../src/studio/browser/editor/text/smallest-edits.ts";
import { runs } from "../scale.ts";

/** Pieces that editors are known to change: line endings, marks of the file, blanks, decomposed letters, odd surrogates. */
const piece = fc.constantFrom(
  ...[
    "\n",
    "\r\n",
    "\r",
    "\n\n",
    "\r\n\r\n",
    "\u2028",
    "\u2029",
    "\u0085",
    "\ufeff",
    "\t",
    "  \n",
    "   ",
    "\u00a0",
    "\f",
    "\v",
  ],
  ...[
    "a",
    "B",
    "Zoë",
    "Zoe\u0308",
    "한글",
    "日本",
    "👩‍👩‍👧",
    "\ud83d",
    "\ude00",
    "# ",
    "- ",
    "> ",
    "**",
    "`",
    "\\",
    "<b>",
    "&amp;",
    "|",
  ],
);
const body = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""));
/** Edits by fractions of the text, so that they fit whatever it has become. */
const editing = fc.array(
  fc.record({ from: fc.double({ min: 0, max: 1, noNaN: true }), length: fc.nat({ max: 6 }), insert: body }),
  {
    maxLength: 6,
  },
);

/** The text as characters, of which each line break is one: what edits mean, whatever stores them. */
function charactersOf(raw: string): string[] {
  return raw.match(/\r\n|[\s\S]/g) ?? [];
}

/** CR before LF would be read as one line break: then the first one has to be LF. */
function written(characters: readonly string[]): string {
  return characters.reduceRight(
    (after, character) => (character === "\r" && after.startsWith("\n") ? "\n" : character) + after,
    "",
  );
}

function edited(characters: readonly string[], from: number, to: number, insert: string, added: string): string[] {
  const inserted = charactersOf(withLf(insert)).map((character) => (character === "\n" ? added : character));
  return [...characters.slice(0, from), ...inserted, ...characters.slice(to)];
}

/** The place of a character in the text with LF alone. */
function placeOf(characters: readonly string[], index: number): number {
  return characters.slice(0, index).reduce((sum, character) => sum + (character === "\r\n" ? 1 : character.length), 0);
}

function addedIn(raw: string): string {
  const breaks = new Set(raw.match(/\r\n?|\n/g));
  return breaks.size === 1 ? ([...breaks][0] ?? "\n") : "\n";
}

/** An editor as CodeMirror's surface has it, without the view. */
function open(raw: string) {
  const { text, endings } = LineEndings.split(raw);
  let state = EditorState.create({
    doc: text,
    extensions: [history(), keepLineEndings, lineEndings.init(() => endings)],
  });
  const dispatch = (spec: TransactionSpec) => {
    state = state.update(spec).state;
  };
  return {
    dispatch,
    undo: () => undo({ state, dispatch: (transaction) => (state = transaction.state) }),
    redo: () => redo({ state, dispatch: (transaction) => (state = transaction.state) }),
    text: () => state.doc.toString(),
    raw: () => state.field(lineEndings).join(state.doc.toString()),
  };
}

const RUNS = { numRuns: runs(1_000, 10_000) };

describe("S20 fidelity of the editor", () => {
  test(`${RUNS.numRuns} bodies come back byte for byte when nothing is edited`, () => {
    fc.assert(
      fc.property(body, (raw) => {
        const { text, endings } = LineEndings.split(raw);
        assert.equal(text.includes("\r"), false);
        assert.equal(endings.join(text), raw);
        assert.equal(open(raw).raw(), raw);
      }),
      RUNS,
    );
  });

  test(`${RUNS.numRuns} bodies with random edits equal the model, in CodeMirror's state`, () => {
    fc.assert(
      fc.property(body, editing, (raw, edits) => {
        const added = addedIn(raw);
        let model = charactersOf(raw);
        const editor = open(raw);
        for (const { from: fraction, length, insert } of edits) {
          const from = Math.floor(fraction * model.length);
          const to = Math.min(model.length, from + length);
          const at = (index: number) => placeOf(model, index);
          editor.dispatch({ changes: { from: at(from), to: at(to), insert: withLf(insert) } });
          model = edited(model, from, to, insert, added);
          assert.equal(editor.raw(), written(model));
        }
        while (editor.undo());
        assert.equal(editor.raw(), raw, "undone to the first byte");
        while (editor.redo());
        assert.equal(editor.raw(), written(model), "and done again");
      }),
      RUNS,
    );
  });

  test(`${RUNS.numRuns} bodies with random edits equal the model, as a textarea tells of them`, () => {
    fc.assert(
      fc.property(body, editing, (raw, edits) => {
        const added = addedIn(raw);
        let model = charactersOf(raw);
        let { text, endings } = LineEndings.split(raw);
        // A line break put in place of a line break is no change of the field's value: it keeps its kind then.
        let isKnown = true;
        for (const { from: fraction, length, insert } of edits) {
          const from = Math.floor(fraction * model.length);
          const to = Math.min(model.length, from + length);
          const at = (index: number) => placeOf(model, index);
          const inserted = withLf(insert);
          const value = text.slice(0, at(from)) + inserted + text.slice(at(to));
          // The field tells its value and where the cursor is.
          const change = smallestEdit(text, value, at(from) + inserted.length);
          if (change !== null) endings = endings.after([change]);
          text = value;
          const isBreak = (characters: readonly string[]) => characters.some((character) => /[\r\n]/.test(character));
          if (isBreak(model.slice(from, to)) && isBreak([insert])) isKnown = false;
          model = edited(model, from, to, insert, added);
          const result = endings.join(text);
          assert.equal(withLf(result), withLf(written(model)));
          if (isKnown) assert.equal(result, written(model));
        }
      }),
      RUNS,
    );
  });

  test("lines that were not touched keep their ending in a body with all kinds", () => {
    const raw = "one\r\ntwo\rthree\nfour\u2028five\r\n\r\nsix  \r\n";
    const editor = open(raw);
    const place = editor.text().indexOf("three");
    editor.dispatch({ changes: { from: place, insert: "x\n" } });
    assert.equal(editor.raw(), "one\r\ntwo\rx\nthree\nfour\u2028five\r\n\r\nsix  \r\n");
  });

  test("no line break is lost where CR, CR and LF meet", () => {
    const editor = open("\r\r  \n");
    editor.dispatch({ changes: { from: 2, insert: "\n" } });
    assert.equal(withLf(editor.raw()), "\n\n\n  \n");
  });

  test("a body with CR LF alone gets CR LF for new lines, and LF stays LF", () => {
    const editor = open("one\r\ntwo\r\n");
    editor.dispatch({ changes: { from: 3, insert: "\nnew" } });
    assert.equal(editor.raw(), "one\r\nnew\r\ntwo\r\n");
    const other = open("one\ntwo");
    other.dispatch({ changes: { from: 3, insert: "\nnew" } });
    assert.equal(other.raw(), "one\nnew\ntwo");
  });

  test("a removed line break of another kind comes back with undo", () => {
    const editor = open("one\r\ntwo\nthree");
    editor.dispatch({ changes: { from: 3, to: 4 } });
    assert.equal(editor.raw(), "onetwo\nthree");
    editor.undo();
    assert.equal(editor.raw(), "one\r\ntwo\nthree");
  });

  test("a merged text brings its own line endings, and undo goes back to those before", () => {
    const editor = open("one\r\ntwo\r\n");
    const { text, endings } = LineEndings.split("one\ntwo and more\n");
    editor.dispatch({ changes: smallestEdits(editor.text(), text), effects: setLineEndings.of(endings) });
    assert.equal(editor.raw(), "one\ntwo and more\n");
    editor.undo();
    assert.equal(editor.raw(), "one\r\ntwo\r\n");
  });

  test("300 real Markdown files come back byte for byte, and an edit at their end changes nothing before it", () => {
    const files = globSync("node_modules/**/*.md", { cwd: join(import.meta.dirname, "../..") })
      .sort()
      .slice(0, 300);
    assert.equal(files.length, 300);
    let withCr = 0;
    for (const file of files) {
      const raw = readFileSync(join(import.meta.dirname, "../..", file), "utf8");
      if (raw.includes("\r")) withCr++;
      const editor = open(raw);
      assert.equal(editor.raw(), raw, file);
      editor.dispatch({ changes: { from: editor.text().length, insert: "x" } });
      assert.equal(editor.raw(), `${raw}x`, file);
    }
    assert.ok(withCr > 0, "none of them has CR");
  });
});

describe("S33 a text from elsewhere", () => {
  test("the smallest edits make the one text of the other, and inverted ones take that back", () => {
    const text = body.map(withLf);
    fc.assert(
      fc.property(text, text, (before, after) => {
        const edits = smallestEdits(before, after);
        assert.equal(applyEdits(before, edits), after);
        assert.equal(applyEdits(after, inverted(before, edits)), before);
      }),
      RUNS,
    );
  });

  test("two changed lines are two edits, so that a cursor between them stays", () => {
    const before = "one\ntwo\nthree\nfour\nfive\n";
    assert.deepEqual(smallestEdits(before, "ONE\ntwo\nthree\nfour!\nfive\n"), [
      { from: 0, to: 3, insert: "ONE" },
      { from: 18, to: 18, insert: "!" },
    ]);
  });

  test("distant changes of 20,000 lines are edits of their own, soon", () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => (index % 3 === 0 ? "" : `line ${index}`));
    const changed = lines.map((line, index) => (index === 10 || index === 19_990 ? `${line}!` : line));
    const start = performance.now();
    const edits = smallestEdits(lines.join("\n"), changed.join("\n"));
    assert.deepEqual(
      edits.map(({ from, to, insert }) => [to - from, insert]),
      [
        [0, "!"],
        [0, "!"],
      ],
    );
    assert.ok(performance.now() - start < 3_000, `${performance.now() - start} ms`);
  });
});
