import assert from "node:assert/strict";
import { test } from "node:test";
import type { Letter } from "../../src/mail/letter.ts";
import { openMailbox } from "../../src/mail/mailbox.ts";

const LETTER: Letter = {
  to: "ada@example.com",
  language: "en",
  subject: "Finish your account",
  heading: "Finish your account",
  parts: [{ button: { label: "Go on", href: "https://id.example.com/continue#1" } }],
};

function open() {
  const lines: string[] = [];
  const mailbox = openMailbox({
    operator: "Example",
    supportContact: null,
    now: () => Date.parse("2026-11-29T03:49:00Z"),
    AUTH_URL: "http://localhost:4000",
    announce: (line) => lines.push(line),
  });
  return { mailbox, lines };
}

test("U51 a developer's letter is kept, and one line on the terminal says where", async () => {
  const { mailbox, lines } = open();
  assert.deepEqual(await mailbox.send(LETTER, "<1.1@localhost>"), { result: "sent" });
  assert.deepEqual(lines, ['Mail to ada@example.com, "Finish your account": http://localhost:4000/mailbox/1']);
  const letter = mailbox.find(1);
  assert.deepEqual(
    [letter?.number, letter?.at, letter?.to, letter?.subject],
    [1, "2026-11-29T03:49:00.000Z", "ada@example.com", "Finish your account"],
  );
  assert.match(letter?.text ?? "", /https:\/\/id\.example\.com\/continue#1/);
  assert.match(letter?.html ?? "", /href="https:\/\/id\.example\.com\/continue#1"/);
});

test("U51 the last 50 letters are kept, newest first, and numbers are not used again", async () => {
  const { mailbox } = open();
  for (let i = 0; i < 60; i++) await mailbox.send({ ...LETTER, to: `p${i}@example.com` }, "<1.1@localhost>");
  const numbers = mailbox.list().map(({ number }) => number);
  assert.deepEqual(
    numbers,
    Array.from({ length: 50 }, (_, i) => 60 - i),
  );
  assert.equal(mailbox.find(10), null);
  assert.equal(mailbox.find(11)?.to, "p10@example.com");
});

test("U51 a terminal acts on nothing in the line", async () => {
  const { mailbox, lines } = open();
  await mailbox.send({ ...LETTER, subject: "\u001b[2JHello\u202e" }, "<1.1@localhost>");
  assert.deepEqual(lines, ['Mail to ada@example.com, "[2JHello": http://localhost:4000/mailbox/1']);
});
