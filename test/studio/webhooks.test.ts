import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, test } from "node:test";
import type { DeliveryFacts } from "../../src/studio/browser/documents/deliveries.ts";
import type { WebhookFacts } from "../../src/studio/browser/documents/webhooks.ts";
import { ApiFailure } from "../../src/studio/browser/ports.ts";
import {
  countWords,
  durationWords,
  EVENTS,
  errorSentence,
  eventType,
  prettyBody,
  stateWord,
  subjectOf,
  waitingWords,
  webhookFailureWords,
} from "../../src/studio/browser/webhooks/calls/call-words.ts";
import { curlCommand } from "../../src/studio/browser/webhooks/calls/curl.ts";
import {
  fieldValueOf,
  filterOf,
  isFiltered,
  momentOf,
} from "../../src/studio/browser/webhooks/deliveries/delivery-filter.ts";
import { DeliveryList } from "../../src/studio/browser/webhooks/deliveries/delivery-list.ts";
import { countFailed, resendFailed } from "../../src/studio/browser/webhooks/deliveries/resend-failed.ts";
import {
  changesOf,
  eventsWords,
  exampleText,
  hostOf,
  judgeUrl,
  needsLook,
  privateHostsOf,
  shortUrl,
  stateOf,
  urlFailure,
} from "../../src/studio/browser/webhooks/facts/webhook-words.ts";

const NOW = Date.parse("2026-01-31T12:00:00.000Z");
const WEBHOOK: WebhookFacts = {
  ...{ id: "w", url: "https://app.example.com/hooks", events: [], includesUnpublished: false, previousUntil: null },
  ...{ createdAt: "2026-01-01T12:00:00.000Z", disabledAt: null, disabledBy: null },
  ...{ lastDay: { delivered: 0, failed: 0, waiting: 0 }, waiting: 0, oldestWaitingAt: null },
  ...{ failingSince: null, failingReason: null },
};

function delivery(id: string, more: Partial<DeliveryFacts> = {}): DeliveryFacts {
  return {
    ...{ id, event: "POST_CREATED", state: "PENDING", attempts: 0, createdAt: id, nextAttemptAt: null },
    ...{ lastAttemptAt: null, lastStatus: null, lastError: null, payload: "{}", ...more },
  };
}

describe("S80 S87 webhooks in words", () => {
  test("a URL is judged by the server's rule; a beginning is no mistake", () => {
    const error = (text: string, hosts: readonly string[] | null = [], isDone = false) =>
      judgeUrl(text, hosts, isDone).error;
    for (const text of ["", "h", "https:/", "http://"]) assert.equal(error(text), null, text);
    assert.equal(error("", [], true), null, "leaving an empty field is no mistake either");
    assert.equal(error("htt", [], true), "The URL must be an https URL.");
    assert.equal(error("ftp://example.com"), "The URL must be an https URL.");
    assert.equal(error("https://a:b@example.com"), "The URL must not have user information.");
    assert.equal(error("https://example.com/#x"), "The URL must not have a fragment.");
    assert.match(error("http://example.com") ?? "", /must use https/);
    assert.equal(error("http://intranet", ["intranet"]), null);
    assert.equal(error("http://example.com", null), null, "the server judges while the setting is not known");
    assert.equal(error(" https://example.com/hooks "), null);
  });

  test("a hint says where calls go, and warns of hosts that look private", () => {
    const hint = (text: string, hosts: readonly string[] = []) => judgeUrl(text, hosts, false).hint;
    assert.equal(hint("https://example.com:8443/x"), "Calls go to example.com:8443.");
    assert.equal(hint("http://intranet/x", ["intranet"]), "Calls go to intranet, which PRIVATE_HOSTS lists.");
    for (const host of ["localhost", "10.1.2.3", "172.20.0.1", "192.168.1.1", "127.0.0.1", "[::1]", "a.internal"])
      assert.match(hint(`https://${host}/`), /looks private/, host);
    for (const host of ["example.com", "172.32.0.1", "11.1.1.1", "[2001:db8::1]"])
      assert.doesNotMatch(hint(`https://${host}/`), /looks private/, host);
    const settings = [
      { name: "PORT", value: "1" },
      { name: "PRIVATE_HOSTS", value: "a, b ,," },
    ];
    assert.deepEqual(privateHostsOf(settings), ["a", "b"]);
    assert.deepEqual(privateHostsOf([{ name: "PRIVATE_HOSTS", value: null }]), []);
  });

  test("states, and webhooks that somebody should look at", () => {
    const hoursAgo = (hours: number) => new Date(NOW - hours * 3_600_000).toISOString();
    const cases: [string, boolean, Partial<WebhookFacts>][] = [
      ["Active", false, {}],
      ["Failing", false, { failingSince: hoursAgo(23) }],
      ["Failing", true, { failingSince: hoursAgo(24) }],
      ["Disabled", false, { disabledAt: hoursAgo(1), disabledBy: "ADMINISTRATOR", failingSince: hoursAgo(48) }],
      ["Stopped by the receiver", true, { disabledAt: hoursAgo(1), disabledBy: "RECEIVER" }],
    ];
    for (const [state, isBad, change] of cases) {
      const webhook = { ...WEBHOOK, ...change };
      assert.deepEqual([stateOf(webhook), needsLook(webhook, NOW)], [state, isBad]);
    }
    assert.equal(stateWord(delivery("a")), "Waiting");
    assert.equal(stateWord(delivery("a", { attempts: 1 })), "Retrying");
    assert.equal(stateWord(delivery("a", { state: "FAILED" })), "Failed");
  });

  test("events, numbers and errors", () => {
    assert.equal(EVENTS.length, 10);
    assert.equal(eventType("USER_EMAIL_CHANGED"), "user.email-changed");
    assert.equal(eventType("POST_PINNED"), "POST_PINNED");
    const [one, two, three, four] = ["POST_CREATED", "POST_DELETED", "USER_CREATED", "USER_DELETED"] as const;
    assert.equal(eventsWords([]), "All events");
    assert.equal(eventsWords([one]), "post.created");
    assert.equal(eventsWords([one, two]), "post.created and post.deleted");
    assert.equal(eventsWords([one, two, three]), "post.created, post.deleted and user.created");
    assert.equal(eventsWords([one, two, three, four]), "post.created, post.deleted and 2 more");
    assert.deepEqual([countWords(1_000), countWords(1_001)], ["1,000", "more than 1,000"]);
    assert.deepEqual(
      [1, 17].map((count) => waitingWords(count, "goes", "go")),
      ["1 waiting call goes", "17 waiting calls go"],
    );
    assert.deepEqual([durationWords(42), durationWords(1_340)], ["42 ms", "1.3 s"]);
    const other = { ...WEBHOOK, events: [one], includesUnpublished: true };
    assert.deepEqual(
      [changesOf(WEBHOOK, WEBHOOK), changesOf(other, WEBHOOK)],
      [{}, { events: [], includesUnpublished: false }],
    );
    assert.deepEqual(changesOf(WEBHOOK, { ...WEBHOOK, url: "https://b.example" }), { url: "https://b.example" });
    assert.equal(errorSentence("the receiver answered 500"), "The receiver answered 500.");
    assert.deepEqual([shortUrl("https://a.example/"), hostOf("https://a.example:1/x")], ["a.example", "a.example:1"]);
    assert.deepEqual([prettyBody('{"a":1}'), prettyBody("no")], ['{\n  "a": 1\n}', "no"]);
    const payload = '{"data":{"id":"p","title":"Nine herons"}}';
    assert.deepEqual(subjectOf({ event: one, payload }), { name: "Nine herons", postId: "p" });
    assert.deepEqual(subjectOf({ event: three, payload: "no" }), { name: null, postId: null });
  });

  test("examples have the body of the event, without the mark of a test", () => {
    for (const { type } of EVENTS) {
      const body = JSON.parse(exampleText(type, false, "2026-01-31T12:00:00.000Z"));
      assert.deepEqual([Object.keys(body), body.type], [["type", "timestamp", "data"], type]);
    }
    assert.match(exampleText("post.archived", true, ""), /An example/);
    assert.doesNotMatch(exampleText("post.archived", false, ""), /An example/);
  });

  test("failures", () => {
    const failure = (kind: ApiFailure["kind"], more = {}) => new ApiFailure({ kind, message: "m", ...more });
    assert.equal(webhookFailureWords(failure("conflict", { message: "It is disabled." })), "It is disabled.");
    assert.match(webhookFailureWords(failure("not-found")), /no longer exists/);
    assert.match(
      webhookFailureWords(failure("busy", { code: "RATE_LIMITED", retryAfter: 7 })),
      /Too many calls.* 7 seconds/,
    );
    assert.match(webhookFailureWords(new TypeError("x")), /Something went wrong/);
    const refused = failure("bad-input", { field: "input.url", message: "input.url must use https." });
    assert.equal(urlFailure(refused), "The URL must use https.");
    assert.equal(urlFailure(failure("bad-input")), null);
  });

  test("a shell reads the command for curl as the call that was made", () => {
    const call = {
      url: "https://a.example/it's?b=$c",
      headers: [{ name: "a", value: "b'c" }],
      body: '{"t":"`x` \\\' é"}',
    };
    const script = `curl() { for part in "$@"; do printf '%s\\n' "$part"; done; }\n${curlCommand(call)}`;
    const parts = execFileSync("sh", ["-c", script], { encoding: "utf8" }).trimEnd().split("\n");
    assert.deepEqual(parts, ["--include", call.url, "--header", "a: b'c", "--data-raw", call.body]);
  });
});

describe("S83 the list of deliveries", () => {
  function openList(
    ...answers: readonly { readonly ids: readonly (string | DeliveryFacts)[]; readonly hasMore?: true }[]
  ) {
    const left = [...answers];
    const asked: { first: number; after: string | null }[] = [];
    const run = async (_document: unknown, variables: { first: number; after: string | null }) => {
      asked.push(variables);
      const { ids, hasMore = false } = left.shift() ?? assert.fail("no more answers");
      const nodes = ids.map((row) => (typeof row === "string" ? delivery(row) : row));
      return { webhook: WEBHOOK, webhookDeliveries: { nodes, pageInfo: { hasNextPage: hasMore, endCursor: "C" } } };
    };
    return { list: new DeliveryList({ run } as never, "w", { webhook: "w" }), asked };
  }
  const shown = (list: DeliveryList) => list.rows.value?.map(({ id, state }) => `${id} ${state}`);

  test("a look changes states in place, counts what is new, and moves nothing", async () => {
    const done = delivery("4", { state: "DELIVERED" });
    const { list } = openList({ ids: ["5", "4", "3"], hasMore: true }, { ids: ["7", "6", "5", done, "2"] });
    let heard = 0;
    list.onWebhook = () => {
      heard += 1;
    };
    await list.look();
    assert.equal(heard, 0, "nothing is asked before the first answer");
    await list.reload();
    await list.look();
    assert.deepEqual(shown(list), ["5 PENDING", "4 DELIVERED", "3 PENDING"]);
    assert.equal(list.unseen.value, 2, "what comes after the last row is on the next page");
    assert.equal(heard, 2);
  });

  test("an empty list shows what comes", async () => {
    const { list } = openList({ ids: [] }, { ids: ["1"] }, { ids: ["1"] });
    await list.reload();
    await list.look();
    assert.deepEqual([shown(list), list.unseen.value], [["1 PENDING"], 0]);
  });

  test("filters come from the query; values that mean nothing are left out", () => {
    const query = new URLSearchParams({
      state: "FAILED",
      event: "POST_CREATED",
      since: "2026-01-31T12:00",
      post: " P ",
    });
    const since = new Date("2026-01-31T12:00").toISOString();
    assert.deepEqual(filterOf("w", query), { webhook: "w", state: "FAILED", event: "POST_CREATED", since, post: "p" });
    assert.equal(isFiltered(query), true);
    const odd = new URLSearchParams({ state: "LOST", event: "x", since: "soon", until: "", post: " " });
    assert.deepEqual(filterOf("w", odd), { webhook: "w" });
    assert.equal(isFiltered(new URLSearchParams("page=2")), false);
    assert.equal(momentOf(fieldValueOf(NOW)), new Date(NOW).toISOString());
  });
});

describe("S85 all failed deliveries are sent again", () => {
  /** @param left failed deliveries; `again` of each request fail again immediately */
  function openServer(left: number, again = 0, lost: readonly number[] = []) {
    const asked: number[] = [];
    const keys: (string | undefined)[] = [];
    let failed = left;
    const run = async (_document: unknown, { limit }: { limit: number }, options?: { key?: string }) => {
      asked.push(limit);
      keys.push(options?.key);
      const found = Math.min(failed, 10_001);
      const resent = Math.min(limit, failed);
      failed += again - resent;
      const isLost = lost.includes(asked.length);
      return { resendFailedDeliveries: isLost ? { found: null, resent: null } : { found, resent } };
    };
    return { api: { run } as never, asked, keys };
  }
  const since = { webhook: "w", since: "2026-01-31T12:00:00.000Z" };
  function options(stopAfter = Number.POSITIVE_INFINITY) {
    const progress: number[] = [];
    let next = 0;
    const newKey = () => `k${next++}`;
    const isCancelled = () => (progress.at(-1) ?? 0) >= stopAfter;
    return { newKey, isCancelled, onProgress: (sent: number) => progress.push(sent), progress };
  }

  test("counted first, then page by page, each with a key of its own", async () => {
    const { api, asked, keys } = openServer(230);
    assert.equal(await countFailed(api, since), 230);
    const given = options();
    assert.equal(await resendFailed(api, since, 230, given), 230);
    assert.deepEqual(
      [asked, given.progress],
      [
        [0, 100, 100, 30],
        [100, 200, 230],
      ],
    );
    assert.deepEqual(keys, [undefined, "k0", "k1", "k2"]);
  });

  test("it ends although deliveries fail again meanwhile, and where fewer are left", async () => {
    assert.equal(await resendFailed(openServer(150, 100).api, since, 150, options()), 150);
    assert.equal(await resendFailed(openServer(20).api, since, 150, options()), 20);
  });

  test("it goes on where an answer was lost, stops when asked, and takes more than the server counts", async () => {
    assert.equal(await resendFailed(openServer(250, 0, [1]).api, since, 250, options()), 250);
    assert.equal(await resendFailed(openServer(900).api, since, 900, options(300)), 300);
    assert.equal(await resendFailed(openServer(12_050).api, since, 10_001, options()), 12_050);
  });
});
