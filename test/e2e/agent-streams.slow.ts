import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type ClientRequest, request as send } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { endProcess } from "../end-process.ts";
import { type RawRequest, stateless } from "../mcp/raw-client.ts";
import { serverEnvironment } from "../server-process.ts";
import { addClient, addPerson, createToken, postTo } from "../subscriber.ts";

const STREAMS = 1_000;
const CHANGES = 15;

interface Cost {
  /** Bytes of memory for each stream. */
  readonly bytes: number;
  /** Milliseconds of the server's processor time from a change until all streams have told of it, of the cheapest. */
  readonly milliseconds: number;
}

interface Stream {
  readonly request: ClientRequest;
  /** Called with each piece that comes. */
  heard: (text: string) => void;
}

interface Kind {
  readonly path: string;
  /** @param id of the post that changes */
  readonly bodyFor: (id: string) => RawRequest;
  /** How a piece begins to tell of a change. */
  readonly sign: string;
}

const SUBSCRIPTION: Kind = {
  path: "/graphql",
  bodyFor: () => ({ body: JSON.stringify({ query: "subscription { postEvents { postId } }" }) }),
  sign: '"postEvents"',
};
const LISTENING: Kind = {
  path: "/mcp",
  bodyFor: (id) => stateless("subscriptions/listen", { notifications: { resourceSubscriptions: [`post://${id}`] } }),
  sign: "notifications/resources/updated",
};

async function ask(child: ChildProcess, question: "weigh" | "work"): Promise<number> {
  child.send(question);
  const [answer] = (await once(child, "message")) as [number];
  return answer;
}

/** A server of its own for each kind, so that nothing is left of the other. */
async function costOf({ path, bodyFor, sign }: Kind): Promise<Cost> {
  const folder = await mkdtemp(join(tmpdir(), "content-api-"));
  const environment = await serverEnvironment(`sqlite:${join(folder, "content.db")}`);
  const child = fork(join(import.meta.dirname, "weighed-process.ts"), ["serve"], {
    env: { PATH: process.env.PATH, ...environment, RATE_LIMIT_TOKEN: "off", RATE_LIMIT_ADDRESS: "off" },
    execArgv: ["--expose-gc"],
    silent: true,
  });
  const url = `http://localhost:${environment.PORT}`;
  const streams: Stream[] = [];
  try {
    for (let tries = 0; !(await fetch(`${url}/readyz`).catch(() => null))?.ok; tries++) {
      assert.ok(tries < 1_000 && child.exitCode === null, "it gets ready");
      await pause(20);
    }
    await addPerson(environment, "ada@example.com");
    const token = await createToken(environment, { user: "ada@example.com", client: await addClient(environment) });
    const create = 'mutation { createPost(input: { title: "t", body: "b" }) { id } }';
    const { id } = (await postTo(url, token, create)).data.createPost;

    async function open(): Promise<void> {
      const { headers = {}, body } = bodyFor(id);
      const all = { ...headers, "content-type": "application/json", authorization: `Bearer ${token}` };
      const request = send(url + path, {
        method: "POST",
        headers: { ...all, accept: "text/event-stream" },
        agent: false,
      });
      const stream: Stream = { request, heard: () => {} };
      await new Promise<void>((resolve, reject) => {
        request.once("error", reject);
        request.once("response", (response) => {
          assert.equal(response.statusCode, 200);
          response.setEncoding("utf8").on("data", (text: string) => stream.heard(text));
          response.on("error", () => {});
          resolve();
        });
        request.end(body);
      });
      streams.push(stream);
    }

    async function change(count: number): Promise<number> {
      const all = streams.map(
        (stream) =>
          new Promise<void>((resolve) => {
            stream.heard = (text) => {
              if (text.includes(sign)) resolve();
            };
          }),
      );
      const before = await ask(child, "work");
      const update = `mutation { updatePost(id: "${id}", input: { title: "${count}" }) { errors { message } } }`;
      await Promise.all([postTo(url, token, update), ...all]);
      return ((await ask(child, "work")) - before) / 1_000;
    }

    // What is loaded with the first one, and warmed up by it, is not a stream's cost.
    for (let i = 0; i < 50; i++) await open();
    for (let i = 0; i < 5; i++) await change(i);
    const before = await ask(child, "weigh");
    for (let opened = 0; opened < STREAMS; opened += 50) await Promise.all(Array.from({ length: 50 }, open));
    const took: number[] = [];
    for (let i = 0; i < CHANGES; i++) took.push(await change(1_000 + i));
    const bytes = ((await ask(child, "weigh")) - before) / STREAMS;
    return { bytes, milliseconds: Math.min(...took) };
  } finally {
    for (const { request } of streams) request.on("error", () => {}).destroy();
    await endProcess(child);
    await rm(folder, { recursive: true });
  }
}

test("A04 1,000 streams that listen cost at most as much as 1,000 subscriptions by event stream", async (t) => {
  const costs = { subscriptions: [] as Cost[], listening: [] as Cost[] };
  const best = (kind: keyof typeof costs, of: keyof Cost) => Math.min(...costs[kind].map((cost) => cost[of]));
  const ratio = (of: keyof Cost) => best("listening", of) / best("subscriptions", of);
  // The machine does other things, which make either slower: the best of up to six tries counts.
  for (let tries = 0; tries < 6; tries++) {
    costs.subscriptions.push(await costOf(SUBSCRIPTION));
    costs.listening.push(await costOf(LISTENING));
    if (ratio("bytes") < 1.05 && ratio("milliseconds") < 1.1) break;
  }
  t.diagnostic(JSON.stringify(costs));
  t.diagnostic(`memory ${ratio("bytes").toFixed(2)}, time ${ratio("milliseconds").toFixed(2)}`);
  assert.ok(ratio("bytes") < 1.05, `${ratio("bytes").toFixed(2)} times the memory`);
  assert.ok(ratio("milliseconds") < 1.1, `${ratio("milliseconds").toFixed(2)} times the time`);
});
