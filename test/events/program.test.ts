import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
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
    for (const command of ["create", "list", "rotate", "disable", "enable", "delete", "deliveries", "resend"])
      assert.match(stdout, new RegExp(`^  ${command} .*  \\w+`, "m"));
  });
});
