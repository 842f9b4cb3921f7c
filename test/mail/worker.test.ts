import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import type { Id } from "../../src/domain/id.ts";
import type { ClaimedMail } from "../../src/domain/people/mail.ts";
import type { Letter } from "../../src/mail/letter.ts";
import type { SendOutcome } from "../../src/mail/sender.ts";
import { openSmtp } from "../../src/mail/smtp.ts";
import { type MailWorker, type MailWorkerOptions, openMailWorker } from "../../src/mail/worker.ts";
import { openMetrics } from "../../src/observe/metrics.ts";
import { livedTime } from "../timing.ts";
import { openMailServer, openRawServer } from "./mail-server.ts";
import { openMemoryMails } from "./memory-mails.ts";

const BEGIN = Date.parse("2026-11-29T03:49:00Z");
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const SENT: SendOutcome = { result: "sent" };
const BUSY: SendOutcome = { result: "retry", reason: "the mail server answered 421" };
const LOGIN: SendOutcome = { result: "unavailable", reason: "the mail server answered 535" };

interface Attempted {
  readonly to: string;
  readonly messageId: string;
  readonly at: number;
}

/** An outbox with a clock of its own, and a sender that answers as the test says. */
function openHouse(t: TestContext, answer: (attempt: Attempted) => SendOutcome | Promise<SendOutcome> = () => SENT) {
  let clock = BEGIN;
  const now = () => clock;
  const mails = openMemoryMails(now);
  const metrics = openMetrics();
  const attempted: Attempted[] = [];
  const lines: { level: string; fields: object; message: string }[] = [];
  const line = (level: string) => (fields: object, message: string) => void lines.push({ level, fields, message });
  const log = { debug: line("debug"), info: line("info"), warn: line("warn"), error: line("error") };
  const broken = Promise.withResolvers<SendOutcome>();
  const sender: MailWorkerOptions["sender"] = {
    async send({ to }, messageId) {
      const attempt = { to, messageId, at: clock - BEGIN };
      attempted.push(attempt);
      return Promise.race([answer(attempt), broken.promise]);
    },
    close: () => broken.resolve({ result: "retry", reason: "broken off" }),
  };
  return {
    mails,
    metrics,
    attempted,
    lines,
    now,
    /** Moves the clock, in milliseconds. */
    pass: (milliseconds: number) => {
      clock += milliseconds;
    },
    add: (address = "ada@example.com", livesFor = 24 * HOUR) =>
      mails.add({
        kind: "sign-up",
        userId: null,
        address,
        language: "en",
        params: {},
        expiresAt: new Date(clock + livesFor).toISOString(),
      }),
    row(id: Id) {
      const row = mails.rows.get(id);
      assert.ok(row !== undefined);
      return row;
    },
    start(change: Partial<MailWorkerOptions> = {}) {
      const worker = openMailWorker({
        mails,
        sender,
        compose: async (mail) => letterFor(mail),
        wake: mails.watch,
        take: async () => 0,
        settings: { MAIL_FROM: "Example <accounts@mail.example.com>", AUTH_URL: "http://localhost:4000" },
        log,
        metrics,
        now,
        random: () => 0,
        ...change,
      });
      t.after(() => worker.close());
      return worker;
    },
  };
}

function letterFor({ address, language }: ClaimedMail): Letter {
  return { to: address, language, subject: "Hello", heading: "Hello", parts: [] };
}

/** All that is due now has been tried. */
async function work(worker: MailWorker): Promise<void> {
  for (let i = 0; i < 3; i++) {
    await worker.look();
    await worker.idle();
  }
}

describe("the worker of the outbox of mails", () => {
  test("U50 a mail that is added is sent at once, and once", async (t) => {
    const { add, row, start, attempted, metrics, lines } = openHouse(t);
    const worker = start();
    await work(worker);
    const id = await add();
    await worker.look();
    await worker.idle();
    await work(worker);
    assert.deepEqual(attempted, [{ to: "ada@example.com", messageId: `<${id}.1@mail.example.com>`, at: 0 }]);
    assert.deepEqual([row(id).state, row(id).attempts, row(id).error], ["SENT", 1, null]);
    assert.match(metrics.print(), /^content_api_mails_total\{outcome="sent"\} 1$/m);
    assert.doesNotMatch(JSON.stringify(lines), /ada@/);
  });

  test("U50 without MAIL_FROM the Message-ID has the host of AUTH_URL", async (t) => {
    const { add, start, attempted } = openHouse(t);
    const id = await add();
    await work(start({ settings: { MAIL_FROM: null, AUTH_URL: "http://localhost:4000" } }));
    assert.equal(attempted[0]?.messageId, `<${id}.1@localhost>`);
  });

  test("U50 attempts follow after 10 s, 1, 5, 30 min and 2 h; then the mail has failed", async (t) => {
    const { add, row, start, pass, attempted, metrics, lines } = openHouse(t, () => BUSY);
    const id = await add();
    const worker = start();
    await work(worker);
    for (const seconds of [10, 60, 300, 1_800, 7_200]) {
      assert.deepEqual([row(id).state, row(id).error], ["PENDING", BUSY.result === "retry" && BUSY.reason]);
      pass(seconds * SECOND - 1);
      await work(worker);
      pass(1);
      await work(worker);
    }
    assert.deepEqual(
      attempted.map(({ at }) => at / SECOND),
      [0, 10, 70, 370, 2_170, 9_370],
    );
    assert.equal(new Set(attempted.map(({ messageId }) => messageId)).size, 6);
    assert.deepEqual([row(id).state, row(id).attempts], ["FAILED", 6]);
    assert.match(metrics.print(), /outcome="retried"\} 5\n.*outcome="failed"\} 1$/m);
    assert.ok(lines.some(({ level, message }) => level === "warn" && message === "a mail is not sent"));
  });

  test("U50 no attempt comes after the mail has expired", async (t) => {
    const { add, row, start, pass, attempted } = openHouse(t, () => BUSY);
    const id = await add("ada@example.com", 60 * SECOND);
    const late = await add("late@example.com", 0);
    const worker = start();
    await work(worker);
    assert.equal(row(late).state, "FAILED");
    assert.equal(row(late).error, "it expired before it could be sent");
    pass(10 * SECOND);
    await work(worker);
    // The next would come 70 s after the first.
    assert.deepEqual([row(id).state, row(id).attempts], ["FAILED", 2]);
    assert.ok(attempted.every(({ to }) => to === "ada@example.com"));
  });

  test("U50 a mail that the server refuses has failed at once, and others are told", async (t) => {
    const answers: Record<string, SendOutcome> = {
      "eve@example.com": { result: "refused", reason: "the mail server answered 550 5.1.1" },
      "slow@example.com": BUSY,
    };
    const { add, row, start } = openHouse(t, ({ to }) => answers[to] ?? SENT);
    const told: string[] = [];
    const ids = [await add("eve@example.com"), await add("ada@example.com"), await add("slow@example.com")] as const;
    const settled: MailWorkerOptions["settled"] = async ({ id, address }, result) => {
      told.push(`${address} ${result} ${row(id).state}`);
    };
    await add("late@example.com", 0);
    await work(start({ settled }));
    assert.deepEqual(told.sort(), ["ada@example.com sent SENT", "eve@example.com refused FAILED"]);
    assert.deepEqual([row(ids[0]).error, row(ids[0]).attempts], ["the mail server answered 550 5.1.1", 1]);
  });

  test("U50 a mail that is not needed is dropped, and one that cannot be written is tried again", async (t) => {
    const { add, row, start, pass, attempted, metrics } = openHouse(t);
    const [dropped, broken, good] = [await add("nobody@example.com"), await add("broken@example.com"), await add()];
    let isBroken = true;
    const compose: MailWorkerOptions["compose"] = async (mail) => {
      if (mail.id === dropped) return null;
      if (mail.id === broken && isBroken) throw new Error("the database is locked");
      return letterFor(mail);
    };
    const worker = start({ compose });
    await work(worker);
    assert.deepEqual([row(dropped).state, row(broken).state, row(good).state], ["DROPPED", "PENDING", "SENT"]);
    assert.deepEqual([row(broken).attempts, row(broken).error], [1, "the mail could not be written"]);
    isBroken = false;
    pass(10 * SECOND);
    await work(worker);
    assert.equal(row(broken).state, "SENT");
    assert.deepEqual(
      attempted.map(({ to }) => to),
      ["ada@example.com", "broken@example.com"],
    );
    assert.match(metrics.print(), /outcome="dropped"\} 1$/m);
  });

  test("U50 a failed login pauses the queue, 10 s to 5 min, and is no mail's fault", async (t) => {
    let answer: SendOutcome = LOGIN;
    const { add, row, start, pass, attempted, lines, metrics } = openHouse(t, () => answer);
    const ids = await Promise.all(Array.from({ length: 20 }, (_, i) => add(`p${i}@example.com`)));
    const worker = start();
    await work(worker);
    assert.equal(attempted.length, 5);
    const pauses: number[] = [];
    for (let i = 0; i < 7; i++) {
      const before: number = attempted.length;
      const from = attempted.at(-1)?.at ?? 0;
      while (attempted.length === before) {
        pass(SECOND);
        await work(worker);
      }
      assert.equal(attempted.length, before + 1, "one mail finds out");
      pauses.push(((attempted.at(-1)?.at ?? 0) - from) / SECOND);
    }
    assert.deepEqual(pauses, [10, 20, 40, 80, 160, 300, 300]);
    assert.ok(ids.every((id) => row(id).attempts === 0 && row(id).state === "PENDING"));
    assert.doesNotMatch(metrics.print(), /mails_total\{outcome="(retried|failed)"\} [1-9]/);
    answer = SENT;
    pass(300 * SECOND);
    await work(worker);
    for (let i = 0; i < 10; i++) await work(worker);
    assert.ok(ids.every((id) => row(id).attempts === 1 && row(id).state === "SENT"));
    assert.equal(lines.filter(({ message }) => message === "mails are sent again").length, 1);
  });

  test("U50 a mail that expires during a pause has failed", async (t) => {
    const { add, row, start } = openHouse(t, () => LOGIN);
    const id = await add("ada@example.com", 5 * SECOND);
    await work(start());
    assert.deepEqual([row(id).state, row(id).error], ["FAILED", "the mail server answered 535"]);
  });

  test("U50 600 mails an hour: others wait without losing an attempt", async (t) => {
    const { add, row, start, pass, attempted } = openHouse(t);
    let left = 2;
    const take = async () => (left-- > 0 ? 0 : 120);
    const ids = [await add("a@example.com"), await add("b@example.com"), await add("c@example.com")] as const;
    const worker = start({ take });
    await work(worker);
    assert.equal(attempted.length, 2);
    assert.deepEqual([row(ids[2]).state, row(ids[2]).attempts], ["PENDING", 0]);
    left = 1;
    const fourth = await add("d@example.com");
    pass(119 * SECOND);
    await work(worker);
    assert.equal(attempted.length, 2, "the whole queue waits");
    pass(SECOND);
    await work(worker);
    assert.deepEqual([row(ids[2]).state, row(fourth).state], ["SENT", "PENDING"]);
  });

  test("U50 a mail that is not needed takes no place among those of an hour", async (t) => {
    const { add, start } = openHouse(t);
    let taken = 0;
    await add();
    await work(start({ compose: async () => null, take: async () => taken++ }));
    assert.equal(taken, 0);
  });
});

describe("several workers, and workers that die", () => {
  test("U50 U75 two workers over one outbox: each mail goes once", async (t) => {
    const { add, row, start, attempted } = openHouse(t, async () => {
      await turn();
      return SENT;
    });
    const ids = await Promise.all(Array.from({ length: 200 }, (_, i) => add(`p${i}@example.com`)));
    const workers = [start(), start()];
    while (ids.some((id) => row(id).state !== "SENT")) await Promise.all(workers.map(work));
    assert.equal(attempted.length, 200);
    assert.equal(new Set(attempted.map(({ to }) => to)).size, 200);
  });

  test("P54 a worker dies between DATA and the row's update: the mail is sent again, with a link of its own", async (t) => {
    const server = await openMailServer();
    t.after(server.close);
    const { add, row, start, pass, mails, now } = openHouse(t);
    const sender = openSmtp(
      { SMTP_URL: `smtp://127.0.0.1:${server.port}`, SMTP_PASSWORD: null, MAIL_FROM: "accounts@example.com" },
      { operator: "Example", supportContact: null, now, isLoopback: () => true },
    );
    let links = 0;
    const compose: MailWorkerOptions["compose"] = async (mail) => ({
      ...letterFor(mail),
      parts: [{ button: { label: "Go on", href: `https://id.example.com/continue#${++links}` } }],
    });
    const id = await add();
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
    const { promise: isAtItsEnd, resolve: arrive } = Promise.withResolvers<void>();
    // Its process is gone: what it wants to write never arrives.
    const settle = () => {
      arrive();
      return isOver;
    };
    const dying = { ...mails, settle };
    void start({ mails: dying, sender, compose }).look();
    await isAtItsEnd;
    assert.equal(server.mails.length, 1);

    const other = start({ sender, compose });
    pass(59 * SECOND);
    await work(other);
    assert.equal(server.mails.length, 1, "the claim still holds");
    pass(SECOND);
    await work(other);
    await work(other);
    assert.equal(row(id).state, "SENT");
    assert.deepEqual(
      server.mails.map(({ email }) => email.text?.match(/continue#(\d)/)?.[1]),
      ["1", "2"],
    );
    end();
  });

  test("P54 a worker that wakes up after its claim changes nothing", async (t) => {
    const { promise: stuck, resolve: wakeUp } = Promise.withResolvers<SendOutcome>();
    const { add, row, start, pass, attempted } = openHouse(t, () => (attempted.length === 1 ? stuck : SENT));
    const id = await add();
    const slow = start();
    await slow.look();
    pass(60 * SECOND);
    await work(start());
    assert.deepEqual([row(id).state, attempted.length], ["SENT", 2]);
    wakeUp({ result: "refused", reason: "the mail server answered 550" });
    await slow.idle();
    assert.deepEqual([row(id).state, row(id).error], ["SENT", null]);
  });

  test("U50 an outbox that is down is said once, and mails go when it is back", async (t) => {
    const { add, row, start, mails, lines } = openHouse(t);
    const id = await add();
    let isDown = true;
    const claim: typeof mails.claim = async (options) => {
      if (isDown) throw new Error("connection refused");
      return mails.claim(options);
    };
    const worker = start({ mails: { ...mails, claim } });
    await work(worker);
    assert.deepEqual(
      lines.map(({ message }) => message),
      ["mails wait for now"],
    );
    isDown = false;
    await work(worker);
    assert.equal(row(id).state, "SENT");
  });
});

describe("the worker keeps out of the way", () => {
  test("P13 a mail server that says nothing holds up nobody who adds a mail", async (t) => {
    const { port, close } = await openRawServer(async () => {});
    t.after(close);
    const { add, start, mails, now } = openHouse(t);
    const sender = openSmtp(
      { SMTP_URL: `smtp://127.0.0.1:${port}`, SMTP_PASSWORD: null, MAIL_FROM: "accounts@example.com" },
      { operator: "Example", supportContact: null, now, isLoopback: () => true, limits: { connect: 400, whole: 400 } },
    );
    const worker = start({ sender });
    await add();
    await worker.look();
    const begin = livedTime();
    for (let i = 0; i < 200; i++) await add(`p${i}@example.com`);
    const took = livedTime() - begin;
    assert.ok(took < 200, `${took} ms`);
    const claimed = [...mails.rows.values()].filter(({ claim }) => claim !== null);
    assert.ok(claimed.length >= 1 && claimed.length <= 5, `${claimed.length} under way`);
    sender.close();
  });

  test("U50 while nothing waits it looks every 5 seconds, and while something does every second", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const { add, start, mails, attempted, pass } = openHouse(t, () => BUSY);
    const worker = start();
    await work(worker);
    const before = mails.claims;
    for (let second = 0; second < 60; second++) {
      t.mock.timers.tick(SECOND);
      await turn();
    }
    assert.equal(mails.claims - before, 12);
    await add();
    await turn();
    assert.equal(attempted.length, 1, "it is woken");
    await work(worker);
    pass(10 * SECOND);
    for (let second = 0; second < 6 && attempted.length === 1; second++) {
      t.mock.timers.tick(SECOND);
      await turn();
    }
    assert.equal(attempted.length, 2);
  });

  test("U50 close gives mails under way two seconds, then breaks them off, and leaves the claims of others", async (t) => {
    const { add, row, start, mails } = openHouse(t, () => new Promise<never>(() => {}));
    const id = await add();
    const worker = start();
    await worker.look();
    t.mock.timers.enable({ apis: ["setTimeout"] });
    let isClosed = false;
    const closing = worker.close().then(() => {
      isClosed = true;
    });
    await turn();
    t.mock.timers.tick(1_999);
    await turn();
    assert.equal(isClosed, false);
    t.mock.timers.tick(1);
    await closing;
    assert.notEqual(row(id).claim, null);
    const { claims } = mails;
    await add();
    await turn();
    assert.equal(mails.claims, claims, "it is not woken any more");
  });

  test("U50 a last attempt that was broken off is no failure: the next process makes it", async (t) => {
    const { add, row, start, mails } = openHouse(t, () => new Promise<never>(() => {}));
    const id = await add();
    mails.rows.set(id, { ...row(id), attempts: 5 });
    const worker = start();
    await worker.look();
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const closing = worker.close();
    await turn();
    t.mock.timers.tick(2_000);
    await closing;
    assert.deepEqual([row(id).state, row(id).attempts], ["PENDING", 5]);
  });

  test("U50 a mail that ends in these two seconds is kept, and one that was broken off is not judged", async (t) => {
    const ends = new Map<string, (outcome: SendOutcome) => void>();
    const { add, row, start } = openHouse(t, ({ to }) => new Promise((resolve) => ends.set(to, resolve)));
    const [good, broken] = [await add("good@example.com"), await add("broken@example.com")];
    const worker = start();
    await worker.look();
    while (ends.size < 2) await turn();
    const closing = worker.close();
    ends.get("good@example.com")?.(SENT);
    ends.get("broken@example.com")?.(BUSY);
    await closing;
    assert.equal(row(good).state, "SENT");
    assert.deepEqual([row(broken).state, row(broken).attempts], ["PENDING", 0]);
    assert.notEqual(row(broken).claim, null);
  });

  test("U55 metrics show how many mails wait, and the age of the oldest, asked every 10 s at most", async (t) => {
    const { add, start, metrics, pass, mails } = openHouse(t, () => LOGIN);
    let asked = 0;
    const backlog: typeof mails.backlog = () => {
      asked++;
      return mails.backlog();
    };
    await add();
    await add("eve@example.com");
    await work(start({ mails: { ...mails, backlog } }));
    pass(30 * SECOND);
    metrics.print();
    await turn();
    const text = metrics.print();
    assert.match(text, /^content_api_mails_waiting 2$/m);
    assert.match(text, /^content_api_mails_oldest_seconds 30$/m);
    for (let i = 0; i < 10; i++) metrics.print();
    assert.equal(asked, 2);
  });
});
