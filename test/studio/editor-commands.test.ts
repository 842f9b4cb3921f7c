import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isInFence } from "../../src/studio/browser/editor/plain/code-block.ts";
import { commandFor } from "../../src/studio/browser/editor/plain/keys.ts";
import { PlainHistory } from "../../src/studio/browser/editor/plain/plain-history.ts";
import { COMMANDS, type Command, keyName } from "../../src/studio/browser/editor/text/commands.ts";
import { applyEdits, type Edit, type Outcome } from "../../src/studio/browser/editor/text/edit.ts";
import { LineEndings } from "../../src/studio/browser/editor/text/line-endings.ts";
import { continueLine, isAtItemStart } from "../../src/studio/browser/editor/text/lines.ts";
import { makeLink, type Passage } from "../../src/studio/browser/editor/text/marks.ts";

/** `[` and `]` mark the selection as ⟦ and ⟧, a cursor as ⟦⟧. */
function read(marked: string): Passage {
  const from = marked.indexOf("⟦");
  const to = marked.indexOf("⟧") - 1;
  return { text: marked.replace(/[⟦⟧]/g, ""), from, to };
}

function shown(passage: Passage, outcome: Outcome | null): string | null {
  if (outcome === null) return null;
  const text = applyEdits(passage.text, outcome.edits);
  const [from, to] = [outcome.selection.anchor, outcome.selection.head].sort((a, b) => a - b) as [number, number];
  return `${text.slice(0, from)}⟦${text.slice(from, to)}⟧${text.slice(to)}`;
}

function run(command: Command, marked: string): string | null {
  const passage = read(marked);
  return shown(passage, command.apply(passage));
}

describe("S22 commands", () => {
  const cases: readonly (readonly [name: keyof typeof COMMANDS, before: string, after: string])[] = [
    ["bold", "a ⟦heron⟧ stands", "a **⟦heron⟧** stands"],
    ["bold", "a **⟦heron⟧** stands", "a ⟦heron⟧ stands"],
    ["bold", "a ⟦**heron**⟧ stands", "a ⟦heron⟧ stands"],
    ["bold", "a ⟦heron ⟧stands", "a **⟦heron⟧** stands"],
    ["bold", "a her⟦⟧on stands", "a **her⟦⟧on** stands"],
    ["bold", "a **her⟦⟧on** stands", "a her⟦⟧on stands"],
    ["bold", "a ⟦⟧ b", "a **⟦⟧** b"],
    ["bold", "a **⟦⟧** b", "a ⟦⟧ b"],
    ["bold", "⟦- one\n- two⟧", "- **⟦one**\n- **two⟧**"],
    ["bold", "- **⟦one**\n- **two⟧**", "- ⟦one\n- two⟧"],
    ["italic", "**⟦heron⟧**", "***⟦heron⟧***"],
    ["italic", "***⟦heron⟧***", "**⟦heron⟧**"],
    ["bold", "***⟦heron⟧***", "*⟦heron⟧*"],
    ["italic", "*⟦heron⟧*", "⟦heron⟧"],
    ["bold", "⟦한국어⟧", "**⟦한국어⟧**"],
    ["strike", "⟦old⟧", "~~⟦old⟧~~"],
    ["link", "see ⟦herons⟧ there", "see [herons](⟦⟧) there"],
    ["link", "see ⟦https://a.example/b⟧", "see [⟦⟧](https://a.example/b)"],
    ["heading2", "He⟦⟧rons", "## He⟦⟧rons"],
    ["heading2", "## He⟦⟧rons", "He⟦⟧rons"],
    ["heading3", "## He⟦⟧rons", "### He⟦⟧rons"],
    ["heading2", "- He⟦⟧rons", "## He⟦⟧rons"],
    ["bullets", "⟦one\n\ntwo⟧", "⟦- one\n\n- two⟧"],
    ["bullets", "⟦1. one\n2. two⟧", "⟦- one\n- two⟧"],
    ["bullets", "⟦- one\n- two⟧", "⟦one\ntwo⟧"],
    ["numbers", "⟦one\ntwo\nthree⟧", "⟦1. one\n2. two\n3. three⟧"],
    ["numbers", "  - o⟦⟧ne", "  1. o⟦⟧ne"],
    ["quote", "⟦one\n\ntwo⟧", "⟦> one\n> \n> two⟧"],
    ["quote", "⟦> one\n> \n> two⟧", "⟦one\n\ntwo⟧"],
    ["code", "a ⟦heron⟧ b", "a `⟦heron⟧` b"],
    ["code", "a `⟦heron⟧` b", "a ⟦heron⟧ b"],
    ["code", "⟦a`b⟧", "``⟦a`b⟧``"],
    ["code", "⟦one\ntwo⟧", "```⟦⟧\none\ntwo\n```"],
    ["code", "⟦```\none⟧", "````⟦⟧\n```\none\n````"],
    ["table", "text⟦⟧", "text\n\n| ⟦Heading⟧ | Heading |\n| --- | --- |\n|  |  |\n"],
  ];
  for (const [name, before, after] of cases)
    test(`${name}: ${JSON.stringify(before)}`, () => assert.equal(run(COMMANDS[name], before), after));

  test("items move in and out by the width of their marker, and other lines do not", () => {
    assert.equal(run(COMMANDS.indent, "- t⟦⟧wo"), "  - t⟦⟧wo");
    assert.equal(run(COMMANDS.indent, "1. t⟦⟧wo"), "   1. t⟦⟧wo");
    assert.equal(run(COMMANDS.outdent, "  - t⟦⟧wo"), "- t⟦⟧wo");
    assert.equal(run(COMMANDS.outdent, "\t- t⟦⟧wo"), "- t⟦⟧wo");
    assert.equal(run(COMMANDS.indent, "te⟦⟧xt"), null);
  });

  test("a pasted URL makes a link of the selection, whatever it holds", () => {
    const passage = read("see ⟦this⟧.");
    assert.equal(shown(passage, makeLink(passage, "https://a.example/(b)")), "see [this](<https://a.example/(b)>)⟦⟧.");
  });

  test("Enter continues lists and quotes, and ends them on an empty item", () => {
    const enter = (marked: string) => shown(read(marked), continueLine(read(marked)));
    assert.equal(enter("- one⟦⟧"), "- one\n- ⟦⟧");
    assert.equal(enter("- o⟦⟧ne"), "- o\n- ⟦⟧ne");
    assert.equal(enter("9. nine⟦⟧"), "9. nine\n10. ⟦⟧");
    assert.equal(enter("3) three  ⟦⟧"), "3) three\n4) ⟦⟧");
    assert.equal(enter("  * deep⟦⟧"), "  * deep\n  * ⟦⟧");
    assert.equal(enter("> said⟦⟧"), "> said\n> ⟦⟧");
    assert.equal(enter("> - said⟦⟧"), "> - said\n> - ⟦⟧");
    assert.equal(enter("- ⟦⟧"), "⟦⟧");
    assert.equal(enter("  - ⟦⟧"), "- ⟦⟧");
    assert.equal(enter("> ⟦⟧"), "⟦⟧");
    assert.equal(enter("> - ⟦⟧"), "> ⟦⟧");
    assert.equal(enter("text⟦⟧"), null);
    assert.equal(enter("⟦⟧- one"), null);
    assert.equal(enter("1986 was good⟦⟧"), null);
  });

  test("Tab belongs to a list only where the text of an item begins", () => {
    assert.equal(isAtItemStart(read("- ⟦⟧one")), true);
    assert.equal(isAtItemStart(read("- o⟦⟧ne")), false);
    assert.equal(isAtItemStart(read("⟦⟧one")), false);
    assert.equal(isAtItemStart(read("\n- ⟦⟧")), true);
  });

  test("keys are found on any keyboard, and Ctrl+K without a selection is left to the palette", () => {
    const press = (key: string, code: string, held: Partial<KeyboardEvent>) => ({
      ...{ key, code, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false },
      ...held,
    });
    const at = { text: "a heron", from: 2, to: 7 };
    assert.equal(commandFor(press("b", "KeyB", { ctrlKey: true }), at, false), COMMANDS.bold);
    assert.equal(commandFor(press("b", "KeyB", { metaKey: true }), at, true), COMMANDS.bold);
    assert.equal(commandFor(press("B", "KeyB", { ctrlKey: true }), at, false), COMMANDS.bold, "caps lock");
    assert.equal(commandFor(press("b", "KeyB", { ctrlKey: true, altKey: true }), at, false), null, "AltGr");
    assert.equal(commandFor(press("(", "Digit8", { ctrlKey: true, shiftKey: true }), at, false), COMMANDS.bullets);
    assert.equal(commandFor(press("²", "Digit2", { ctrlKey: true, altKey: true }), at, false), COMMANDS.heading2);
    assert.equal(commandFor(press("k", "KeyK", { ctrlKey: true }), at, false), COMMANDS.link);
    assert.equal(commandFor(press("k", "KeyK", { ctrlKey: true }), { ...at, to: 2 }, false), null);
    assert.equal(commandFor(press("z", "KeyZ", { ctrlKey: true }), at, false), "undo");
    assert.equal(commandFor(press("Z", "KeyZ", { ctrlKey: true, shiftKey: true }), at, false), "redo");
  });

  test("names of keys", () => {
    assert.equal(keyName("Mod-Shift-8", false), "Ctrl+Shift+8");
    assert.equal(keyName("Mod-Alt-2", true), "⌘⌥2");
    assert.equal(keyName("Mod-b", false), "Ctrl+B");
  });
});

describe("S25 the plain editor", () => {
  test("knows where code is", () => {
    const text = "a\n```js\nb\n```\nc\n~~~\n```\nd";
    const isIn = (letter: string) => isInFence(text, text.indexOf(letter) + 1);
    assert.deepEqual(["a", "b", "c", "d"].map(isIn), [false, true, false, true]);
  });

  /** Types a text into an empty field, one character each `pause` milliseconds. */
  function typed(text: string, pause: number) {
    const steps = new PlainHistory();
    let now = { text: "", endings: LineEndings.split("").endings };
    [...text].forEach((character, index) => {
      const edits: Edit[] = [{ from: now.text.length, to: now.text.length, insert: character }];
      const after = { text: applyEdits(now.text, edits), endings: now.endings.after(edits) };
      const at = (place: number) => ({ anchor: place, head: place });
      steps.add(
        { before: now, after, edits, selectionBefore: at(now.text.length), selectionAfter: at(after.text.length) },
        true,
        index * pause,
      );
      now = after;
    });
    return steps;
  }

  test("typing without a pause is one step, each line one of its own", () => {
    const quick = typed("heron", 100);
    assert.equal(quick.undo()?.text, "");
    assert.equal(quick.undo(), null);
    assert.equal(quick.redo()?.text, "heron");
    assert.equal(quick.redo(), null);
    const lines = typed("one\ntwo", 100);
    assert.equal(lines.undo()?.text, "one");
    assert.equal(lines.undo()?.text, "");
  });

  test("typing with pauses is a step for each", () => {
    const slow = typed("ab", 1_000);
    assert.deepEqual(slow.undo()?.selection, { anchor: 1, head: 1 });
    assert.equal(slow.undo()?.text, "");
  });
});
