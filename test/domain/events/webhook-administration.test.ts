import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ContentEvent, EventType } from "../../../src/domain/events/event.ts";
import type { Webhook } from "../../../src/domain/events/webhook.ts";
import { createWebhook } from "../../../src/domain/events/webhook-administration.ts";
import { deliveryFor } from "../../../src/domain/events/webhook-delivery.ts";
import type { Id } from "../../../src/domain/id.ts";
import type { Store } from "../../../src/domain/store/store.ts";
import { hasCode } from "../../conformance/samples.ts";

const POST = "01a21efd-4214-7000-8474-a0573e6a4ee8" as Id;

const WEBHOOK: Webhook = {
  id: POST,
  url: "https://receiver.example/",
  eventTypes: [],
  includesUnpublished: false,
  secret: "",
  previousSecret: null,
  previousUntil: null,
  cursor: "",
  createdAt: "",
  disabledAt: null,
  disabledBy: null,
};

function event(type: EventType, status?: string, previousStatus?: string): ContentEvent {
  const data = { id: POST, authorId: POST, title: "secret plan", status, previousStatus };
  return { id: POST, type, subjectId: POST, occurredAt: "2026-01-31T12:00:00.000Z", data: JSON.stringify(data) };
}

describe("what a webhook is told of", () => {
  test("drafts and archived posts only where an administrator wants it: otherwise that they went, by their id", () => {
    const told = (webhook: Webhook, type: EventType, status?: string, previous?: string) => {
      const delivery = deliveryFor(webhook, event(type, status, previous));
      return delivery === null ? null : Object.keys(JSON.parse(delivery.payload).data).join(" ");
    };
    const cases: [EventType, status: string, string | null, previous?: string][] = [
      ["post.created", "PUBLISHED", "id authorId title status"],
      ["post.created", "DRAFT", null],
      ["post.updated", "PUBLISHED", "id authorId title status previousStatus", "PUBLISHED"],
      ["post.updated", "DRAFT", null, "DRAFT"],
      ["post.updated", "ARCHIVED", null, "ARCHIVED"],
      ["post.published", "PUBLISHED", "id authorId title status previousStatus", "DRAFT"],
      ["post.unpublished", "DRAFT", "id", "PUBLISHED"],
      ["post.unpublished", "DRAFT", null, "ARCHIVED"],
      ["post.archived", "ARCHIVED", "id", "PUBLISHED"],
      ["post.deleted", "PUBLISHED", "id authorId title status previousStatus", "PUBLISHED"],
      ["post.deleted", "DRAFT", null, "DRAFT"],
      ["post.deleted", "ARCHIVED", null, "ARCHIVED"],
    ];
    for (const [type, status, expected, previous] of cases) {
      assert.equal(told(WEBHOOK, type, status, previous), expected, `${type} ${previous} ${status}`);
      const all = `id authorId title status${previous === undefined ? "" : " previousStatus"}`;
      assert.equal(told({ ...WEBHOOK, includesUnpublished: true }, type, status, previous), all);
    }
    assert.equal(told(WEBHOOK, "user.updated"), "id authorId title");
  });

  test("only the types it was made for", () => {
    const webhook: Webhook = { ...WEBHOOK, eventTypes: ["post.deleted"] };
    assert.equal(deliveryFor(webhook, event("post.created", "PUBLISHED")), null);
    assert.equal(deliveryFor(webhook, event("user.updated")), null);
    assert.equal(deliveryFor(webhook, event("post.deleted", "PUBLISHED"))?.eventType, "post.deleted");
  });
});

describe("a webhook's address", () => {
  const create = (url: string, eventTypes: string[] = []) =>
    createWebhook(
      {
        store: {
          webhooks: { create: async (fields) => ({ ...WEBHOOK, ...fields }) } as Partial<Store["webhooks"]>,
        } as Store,
        secrets: { create: () => "whsec_", seal: () => "" },
        actorId: null,
        privateHosts: ["receiver.internal"],
        now: Date.now,
        record: async () => {},
      },
      { url, eventTypes },
    );

  test("is https, or http at a host that PRIVATE_HOSTS names", async () => {
    for (const url of ["https://receiver.example/hook?a=b", "http://receiver.internal:8080/hook"])
      assert.equal((await create(url)).webhook.url, url);
    for (const url of [
      ...["", "receiver.example", "/hook", "ftp://receiver.example/", "javascript:alert(1)", "file:///etc/passwd"],
      ...["http://receiver.example/", "http://127.0.0.1/", "https://user:secret@receiver.example/"],
      ...[
        "https://receiver.example/#here",
        "https://receiver.example/\0",
        `https://receiver.example/${"x".repeat(2_000)}`,
      ],
    ])
      await assert.rejects(create(url), hasCode("BAD_USER_INPUT", "url"), url);
  });

  test("comes with types of events that there are, each once", async () => {
    await assert.rejects(create("https://receiver.example/", ["post.burned"]), hasCode("BAD_USER_INPUT", "eventTypes"));
    const { webhook } = await create("https://receiver.example/", ["post.deleted", "post.created", "post.deleted"]);
    assert.deepEqual(webhook.eventTypes, ["post.created", "post.deleted"]);
  });
});
