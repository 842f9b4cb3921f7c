import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseEnv } from "node:util";
import { AgentList } from "../../src/studio/browser/operation/agents/agent-list.ts";
import {
  doneWords,
  localTime,
  periodOf,
  revert,
  revertWords,
} from "../../src/studio/browser/operation/agents/revert.ts";
import { changeWords } from "../../src/studio/browser/operation/change-words.ts";
import { type Health, HealthWatch } from "../../src/studio/browser/operation/health/health-watch.ts";
import { checkTitle, pageOf, summaryOf } from "../../src/studio/browser/operation/health/health-words.ts";
import { MailList } from "../../src/studio/browser/operation/mails/mail-list.ts";
import { attemptWords, stateOf } from "../../src/studio/browser/operation/mails/mail-words.ts";
import { envLine, groupsOf, type SettingRow } from "../../src/studio/browser/operation/settings/setting-words.ts";
import { repeatWhileSeen } from "../../src/studio/browser/operation/while-seen.ts";
import { ApiFailure } from "../../src/studio/browser/ports.ts";

const NOW = Date.parse("2026-11-30T12:00:00Z");
const offline = () => new ApiFailure({ kind: "offline", message: "no answer" });
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** An API that gives these answers, one after the other. */
function answering(...answers: readonly (object | Error)[]) {
  const asked: unknown[] = [];
  const left = [...answers];
  const run = async (_document: unknown, variables: unknown, options: unknown) => {
    asked.push(options === undefined ? variables : { ...(variables as object), ...(options as object) });
    const answer = left.shift();
    if (answer === undefined) throw new Error("no more answers");
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { api: { run } as never, asked };
}

describe("S92 health", () => {
  const health = (...states: readonly Health["state"][]): Health => ({
    ...{ state: states[0] ?? "OK", checkedAt: "2026-11-30T12:00:00.000Z" },
    checks: states.map((state) => ({ name: "disk", state, detail: "", advice: null })),
  });

  test("keeps the last findings where a request fails, and never asks twice at a time", async () => {
    const { api, asked } = answering({ health: health("OK") }, offline(), { health: health("WARNING") });
    const watch = new HealthWatch(api);
    await Promise.all([watch.refresh(), watch.refresh()]);
    assert.equal(asked.length, 1);
    await watch.refresh();
    assert.deepEqual([watch.health.value?.state, watch.failure.value?.kind], ["OK", "offline"]);
    await watch.refresh();
    assert.deepEqual([watch.health.value?.state, watch.failure.value], ["WARNING", null]);
    assert.equal(watch.isLoading.value, false);
  });

  test("says all in one sentence", () => {
    assert.equal(summaryOf(health("OK", "OK")), "Everything is in order.");
    assert.equal(summaryOf(health("WARNING", "OK")), "1 check warns.");
    assert.equal(summaryOf(health("FAILING", "FAILING", "WARNING")), "2 checks fail and 1 check warns.");
    assert.deepEqual(["scheduled posts", "BASE_URL"].map(checkTitle), ["Scheduled posts", "BASE_URL"]);
    assert.equal(pageOf({ name: "scheduled posts" })?.path, "/posts?state=scheduled");
    assert.equal(pageOf({ name: "constructor" }), null);
  });
});

describe("work that is repeated while somebody looks", () => {
  function openPage() {
    const page = { isSeen: true, timers: [] as { run: () => void; time: number }[], shown: () => {} };
    const ports = {
      isSeen: () => page.isSeen,
      onSeen: (listener: () => void) => {
        page.shown = listener;
        return () => {
          page.shown = () => {};
        };
      },
      later: (run: () => void, time: number) => {
        const timer = { run, time };
        page.timers.push(timer);
        return () => {
          page.timers = page.timers.filter((other) => other !== timer);
        };
      },
    };
    const pass = async () => {
      page.timers.shift()?.run();
      await turn();
    };
    return { page, ports, pass };
  }

  test("waits from the end of one to the next, stops out of sight, and goes on in sight", async () => {
    const { page, ports, pass } = openPage();
    let count = 0;
    let finish = () => {};
    const work = () => {
      count += 1;
      return new Promise<void>((resolve) => {
        finish = resolve;
      });
    };
    const end = repeatWhileSeen(work, () => 10_000, ports);
    assert.deepEqual([count, page.timers.map(({ time }) => time)], [0, [10_000]]);
    await pass();
    page.shown(); // while one is under way
    assert.deepEqual([count, page.timers.length], [1, 0]);
    finish();
    await turn();
    page.isSeen = false;
    await pass();
    assert.deepEqual([count, page.timers.length], [1, 0]);
    page.isSeen = true;
    page.shown();
    assert.equal(count, 2);
    end();
    finish();
    await turn();
    page.shown();
    assert.deepEqual([count, page.timers.length], [2, 0]);
  });
});

describe("S68 settings", () => {
  const setting = (part: Partial<SettingRow>): SettingRow => ({
    ...{ name: "PORT", value: "4000", isSecret: false, default: "4000", source: "DEFAULT" },
    ...{ help: "Port to listen on.", section: "Addresses", ...part },
  });

  test("a line of .env gives the value back, whatever is in it", () => {
    for (const value of ["4000", "", "a b", " a ", "#1", "a # b", "it's", `"x"`, "`x`", `it's "#1"`, "a\nb", "a=b"]) {
      const line = envLine(setting({ value }));
      assert.equal(parseEnv(`${line}\nNEXT=1`).PORT, value, line);
      assert.equal(parseEnv(`${line}\nNEXT=1`).NEXT, "1");
    }
    assert.equal(envLine(setting({ value: null })), "PORT=");
    assert.equal(envLine(setting({ value: "********", isSecret: true })), "PORT=");
    assert.equal(envLine(setting({ value: "sqlite:./data", isSecret: true })), "PORT=sqlite:./data");
  });

  test("are found by words of their name, group or help, and by whether somebody set them", () => {
    const all = [
      setting({}),
      setting({ name: "HOST", help: "IP address or host name.", source: "FILE" }),
      setting({ name: "SMTP_URL", section: "Mail", help: "Address of the mail server." }),
    ];
    const namesOf = (find: string, source = "") =>
      groupsOf(all, { find, source }).map(([section, rows]) => [section, rows.map(({ name }) => name)]);
    assert.deepEqual(namesOf(""), [
      ["Addresses", ["PORT", "HOST"]],
      ["Mail", ["SMTP_URL"]],
    ]);
    assert.deepEqual(namesOf("address mail"), [["Mail", ["SMTP_URL"]]]);
    assert.deepEqual(namesOf("", "set"), [["Addresses", ["HOST"]]]);
    assert.deepEqual(namesOf("smtp", "set"), []);
  });
});

describe("mails", () => {
  test("a mail that is sent again takes its row; the list knows whether one waits", async () => {
    const mail = (state: string) => ({ id: "m", state });
    const pageInfo = { hasNextPage: false, endCursor: null };
    const { api, asked } = answering(
      { mails: { nodes: [mail("FAILED")], pageInfo } },
      { retryMail: { mail: mail("PENDING") } },
    );
    const list = new MailList(api, "FAILED");
    await list.reload();
    assert.equal(list.hasWaiting, false);
    await list.retry("m", "k");
    assert.equal(list.hasWaiting, true);
    assert.deepEqual(asked, [
      { first: 50, after: null, state: "FAILED" },
      { id: "m", key: "k" },
    ]);
  });

  test("say how often they were tried and why it failed", () => {
    const words = (state: "SENT" | "FAILED" | "PENDING", attempts: number, error: string | null) =>
      attemptWords({ state, attempts, error });
    assert.equal(words("SENT", 1, null), "");
    assert.equal(words("PENDING", 0, null), "");
    assert.equal(words("PENDING", 0, "no login"), "Last attempt: no login");
    assert.equal(words("FAILED", 2, "550"), "2 attempts. Last: 550");
    assert.equal(stateOf(new URLSearchParams("state=FAILED")), "FAILED");
    assert.equal(stateOf(new URLSearchParams("state=toString")), null);
  });
});

describe("agents", () => {
  const agent = (id: string, clientId: string) => ({ id, clientId, isStopped: false });

  test("stopping one stops all rows of its client; a failed request changes nothing", async () => {
    const nodes = [agent("1", "quill"), agent("2", "quill"), agent("3", "pen")];
    const agents = { nodes, pageInfo: { hasNextPage: false, endCursor: null }, stoppedAt: null };
    const { api } = answering({ agents }, {}, offline(), { stopAllAgents: { stoppedAt: "now" } }, offline());
    const list = new AgentList(api, null);
    await list.reload();
    await list.stop("quill", true);
    const stopped = () => list.rows.value?.map(({ isStopped }) => isStopped);
    assert.deepEqual(stopped(), [true, true, false]);
    await assert.rejects(list.stop("pen", true), { kind: "offline" });
    assert.deepEqual(stopped(), [true, true, false]);
    await list.stopAll(true);
    await assert.rejects(list.stopAll(false), { kind: "offline" });
    assert.equal(list.stoppedAt.value, "now");
  });

  test("a period is checked before it is asked for", () => {
    const since = localTime(NOW - 3_600_000);
    assert.equal(Date.parse(since), NOW - 3_600_000);
    assert.deepEqual(periodOf({ since, until: "" }, NOW), { since: "2026-11-30T11:00:00.000Z", until: null });
    const until = localTime(NOW);
    assert.deepEqual(periodOf({ since, until }, NOW), {
      since: "2026-11-30T11:00:00.000Z",
      until: "2026-11-30T12:00:00.000Z",
    });
    const fieldOf = (from: string, to: string) =>
      (periodOf({ since: from, until: to }, NOW) as { field: string }).field;
    assert.equal(fieldOf("", ""), "since");
    assert.equal(fieldOf(localTime(NOW + 60_000), ""), "since");
    assert.equal(fieldOf(since, since), "until");
    assert.equal(fieldOf(since, "never"), "until");
  });

  test("taking back goes on until nothing is left, with a key for each request", async () => {
    const part = (ids: readonly string[], isComplete: boolean, left: readonly string[] = []) => ({
      revertAgentChanges: {
        reverted: ids.map((postId) => ({ postId, as: "RESTORED" })),
        left: left.map((postId) => ({ postId, reason: "Somebody changed it." })),
        isComplete,
      },
    });
    const window = { clientId: "quill", personId: null, since: "2026-11-30T11:00:00.000Z", until: null };
    const counts: number[] = [];
    let keys = 0;
    const go = (api: never) =>
      revert(
        api,
        window,
        (count) => counts.push(count),
        () => `k${keys++}`,
      );
    const { api, asked } = answering(part(["a", "b"], false), part(["c"], true, ["d"]));
    const result = await go(api);
    assert.deepEqual([counts, asked.length], [[2, 3], 2]);
    assert.deepEqual(asked[1], { input: { ...window, isDryRun: false }, key: "k1" });
    assert.equal(doneWords(result), "The changes of 3 posts are taken back. 1 post stays as it is.");
    assert.deepEqual(revertWords(result), ["3 posts get their former texts and states"]);
    await assert.rejects(go(answering(part([], false)).api), { kind: "failed" });
    await assert.rejects(go(answering(part(["a"], false), offline()).api), { kind: "offline" });
  });
});

test("words for changes that failed come from the server where it knows more", () => {
  const conflict = new ApiFailure({ kind: "conflict", message: "A rotation is under way." });
  assert.equal(changeWords(conflict), "A rotation is under way.");
  assert.match(changeWords(offline()), /nothing happens twice/);
  assert.match(changeWords(new Error("x")), /Reload it/);
});
