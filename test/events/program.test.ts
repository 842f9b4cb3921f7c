import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Id } from "../../src/domain/id.ts";
import { openStore } from "../../src/storage/open.ts";
import { openTestApp, type TestApp } from "../app.ts";
import { runCommand, runJson } from "../command.ts";
import { aPerson } from "../conformance/samples.ts";
import { openReceiver, type Receiver, verify } from "./receiver.ts";

interface Listed {
  readonly id: string;
  readonly state: string;
  readonly event: string;
  readonly attempts: number;
  readonly lastError: string | null;
}

describe("webhooks of the program", () => {
  let app: TestApp;
  let receiver: Receiver;
  const run = (...args: string[]) => runCommand(["webhook", ...args], app.environment);
  const json = <T>(...args: string[]) => runJson<T>(["webhook", ...args], app.environment);

  before(async () => {
    receiver = await openReceiver();
    app = await openTestApp({ PRIVATE_HOSTS: "127.0.0.1" });
  });
  after(async () => {
    await app.close();
    await receiver.close();
  });

  test("made, listed, rotated, disabled, enabled and deleted at the terminal, the running program sends", async () => {
    const store = await openStore(app.config.DATABASE_URL);
    try {
      const { id: authorId } = await store.users.create(aPerson());
      const { id, secret } = await json<{ id: string; secret: string }>("create", "--url", receiver.url);
      await store.posts.create({ authorId, title: "t", body: "" });
      await receiver.until(1);
      assert.equal(verify(secret, receiver.received[0] as (typeof receiver.received)[number]).type, "post.created");
      const deliveries = () => json<Listed[]>("deliveries", id);
      let [delivery] = await deliveries();
      for (const deadline = Date.now() + 30_000; delivery?.state !== "DELIVERED"; [delivery] = await deliveries()) {
        assert.ok(Date.now() < deadline, JSON.stringify(delivery));
        await pause(50);
      }
      assert.deepEqual([delivery.event, delivery.attempts, delivery.lastError], ["post.created", 1, null]);
      assert.deepEqual(await json("deliveries", id, "--state", "FAILED"), []);
      assert.deepEqual(await json("deliveries", id, "--after", delivery.id), []);
      assert.match((await run("deliveries", id)).stdout, /^[0-9a-f-]+ +post\.created +DELIVERED +1 +204$/m);

      assert.match(await (await fetch(`${app.url}/metrics`)).text(), /^webhook_calls_total\{outcome="delivered"\} 1$/m);

      const rotated = await json<{ id: string; secret: string }>("rotate", id);
      assert.equal((await run("resend", delivery.id)).code, 0);
      await receiver.until(2);
      const again = receiver.received[1] as (typeof receiver.received)[number];
      verify(secret, again);
      verify(rotated.secret, again);
      assert.equal(again.headers["webhook-id"], receiver.received[0]?.headers["webhook-id"]);

      assert.equal((await run("disable", id)).code, 0);
      const [listed] = await json<Record<string, unknown>[]>("list");
      assert.deepEqual(
        [listed?.id, listed?.url, listed?.events, listed?.unpublished, listed?.disabledBy],
        [id, receiver.url, ["all"], false, "administrator"],
      );
      assert.ok(!JSON.stringify(listed).includes("whsec_"));
      assert.match((await run("resend", delivery.id)).stderr, /disabled. Enable it first/);
      assert.equal((await run("enable", id)).code, 0);
      assert.equal((await run("delete", id)).code, 0);
      assert.deepEqual(await json("list"), []);
      const details = (await store.audit.list({ event: "webhook", limit: 9 })).map(({ detail }) => detail);
      assert.deepEqual(details, [
        `${id} deleted`,
        `${id} enabled`,
        `${id} disabled`,
        `${id} delivery ${delivery.id} sent again`,
        `${id} given a new secret`,
        `${id} created`,
      ]);
    } finally {
      await store.close();
    }
  });

  test("changed, tested and sent again at the terminal; disabling and enabling say what waits", async () => {
    const store = await openStore(app.config.DATABASE_URL);
    const other = await openReceiver();
    try {
      const { id, secret } = await json<{ id: string; secret: string }>("create", "--url", receiver.url);
      const changed = await run("update", id, "--url", other.url, "--event", "post.created", "--unpublished");
      assert.equal(changed.code, 0, changed.stderr);
      const tested = await json<Record<string, unknown>>("test", id, "--event", "post.archived");
      const [received] = other.received;
      assert.ok(received !== undefined);
      verify(secret, received);
      assert.equal(tested.payload, received.body);
      assert.deepEqual([tested.status, tested.error, JSON.parse(received.body).test], [204, null, true]);
      other.answer = (response) => response.writeHead(500).end("no");
      const failed = await run("test", id);
      assert.equal(failed.code, 1);
      assert.match(failed.stdout, /^error +the receiver answered 500$/m);

      assert.match((await run("disable", id)).stderr, /is disabled\. No delivery waits\.\n$/);
      const webhookId = id as Id;
      const at = "2026-01-31T12:00:00.000Z";
      const { cursor = "" } = (await store.webhooks.find(webhookId)) ?? {};
      await store.webhooks.enable(webhookId);
      const { cursor: newest = cursor } = (await store.webhooks.find(webhookId)) ?? {};
      const far = "2099-01-31T12:00:00.000Z"; // the running program must leave it alone
      const event = { eventId: webhookId, eventType: "post.created", payload: "{}" } as const;
      await store.webhooks.advance(webhookId, { from: newest, to: webhookId }, [event], far);
      assert.match((await run("disable", id)).stderr, /is disabled\. 1 delivery waits\.\n$/);
      assert.match((await run("enable", id)).stderr, /is enabled\. 1 delivery waits and will be sent/);
      const [claimed] = await store.webhooks.claim(webhookId, { now: far, until: far, limit: 1 });
      const made = { number: 1, startedAt: at, durationMs: 12, status: 500, answer: "no", error: "no", headers: [] };
      await store.webhooks.settle(
        ...([claimed?.id ?? webhookId, claimed?.claim ?? ""] as const),
        { state: "FAILED", dueAt: null, failures: 10, attemptAt: at, status: 500, error: "no" },
        { webhookId, ...made },
      );
      const attempts = await json<Record<string, unknown>[]>("attempts", claimed?.id ?? "");
      assert.deepEqual(attempts, [{ at, durationMs: 12, status: 500, answer: "no", error: "no", headers: [] }]);
      assert.match((await run("attempts", claimed?.id ?? "")).stdout, /^2026-01-31T12:00:00\.000Z +12 +500 +no$/m);
      const shown = await json<Record<string, unknown>>("show", id);
      assert.partialDeepStrictEqual(shown, { url: other.url, waiting: 0, failingSince: at, failingReason: "no" });
      assert.equal((await json<Listed[]>("deliveries", id, "--event", "post.deleted")).length, 0);
      assert.equal((await json<Listed[]>("deliveries", id, "--since", "1h", "--state", "FAILED")).length, 1);
      other.answer = (response) => response.end();
      const dry = await run("resend-failed", id, "--since", "1h", "--dry-run");
      assert.match(dry.stderr, /^Failed deliveries found: 1\.$/m);
      assert.match(
        (await run("resend-failed", id, "--since", "1h")).stderr,
        /^Deliveries sent again while the server runs: 1\.$/m,
      );
      await other.until(3);
      assert.equal(other.received[2]?.headers["webhook-id"], id);
      assert.equal((await run("delete", id)).code, 0);
    } finally {
      await store.close();
      await other.close();
    }
  });

  test("doctor tells of webhooks whose receiver wants no more, and of deliveries that were given up", async () => {
    const look = async () => {
      const { stdout } = await runCommand(["doctor", "--json"], app.environment);
      return (JSON.parse(stdout) as { check: string }[]).find(({ check }) => check === "webhooks");
    };
    assert.equal(await look(), undefined);
    const store = await openStore(app.config.DATABASE_URL);
    try {
      const fields = { url: "https://receiver.example/", eventTypes: [], includesUnpublished: false };
      const { id } = await store.webhooks.create(fields, { most: 1, seal: () => "sealed" });
      assert.deepEqual(await look(), { check: "webhooks", result: "good", detail: "1, and no delivery was given up" });
      const at = new Date().toISOString();
      await store.webhooks.disable(id, { disabledAt: at, disabledBy: "receiver" });
      const detail = `disabled by their receivers, which answered 410: ${id}`;
      assert.deepEqual(await look(), { check: "webhooks", result: "warning", detail });
      await store.webhooks.delete(id);
    } finally {
      await store.close();
    }
  });

  test("used wrongly, commands say so; of what is not there too", async () => {
    for (const [args, code, message] of [
      [["create", "--url", "http://example.com/"], 2, /must use https/],
      [["create", "--url", "https://example.com/", "--event", "post.burned"], 2, /post\.burned/],
      [["create"], 2, /--url/],
      [["update", "nothing"], 2, /--all-events/],
      [["update", "nothing", "--url", "http://example.com/"], 2, /must use https/],
      [["update", "nothing", "--all-events"], 1, /no webhook/],
      [["test", "nothing"], 1, /no webhook/],
      [["resend-failed", "nothing"], 2, /--since/],
      [["resend-failed", "nothing", "--since", "yesterday"], 2, /must be a time/],
      [["resend-failed", "nothing", "--since", "1d"], 1, /no webhook/],
      [["deliveries", "nothing", "--event", "post.burned"], 2, /post\.burned/],
      [["deliveries", "nothing"], 1, /no webhook/],
      [["rotate", "nothing"], 1, /no webhook/],
      [["disable", "01a21efd-4214-7000-8474-a0573e6a4ee8"], 1, /no webhook/],
      [["resend", "nothing"], 1, /no delivery/],
      [["deliveries", "nothing", "--limit", "0"], 2, /from 1 to 1000/],
    ] as const) {
      const result = await run(...args);
      assert.equal(result.code, code, args.join(" "));
      assert.match(result.stderr, message);
      assert.equal(result.stdout, "");
    }
  });

  test("--help names every command", async () => {
    const { code, stdout } = await run("--help");
    assert.equal(code, 0);
    const commands = ["create", "update", "list", "rotate", "disable", "enable", "delete", "deliveries", "attempts"];
    for (const command of [...commands, "resend", "resend-failed", "test"])
      assert.match(stdout, new RegExp(`^  ${command} .*  \\w+`, "m"));
  });
});
