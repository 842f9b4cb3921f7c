import assert from "node:assert/strict";
import { Agent, request } from "node:http";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { runJson } from "../command.ts";
import { type Installation, install } from "../faults/installation.ts";
import { openPostgres } from "../postgres.ts";

const postgres = await openPostgres();
const MAX_DELAY = 500;
/** How long an overload lasts, in seconds. */
const SECONDS = 6;
/** So often a machine that was faster than it looked, or stood still meanwhile, is asked once more. */
const ROUNDS = 4;
const HIGHEST_RATE = 12_000;
const JSON_BODY = { "content-type": "application/json" };

interface Exchange {
  readonly status: number;
  readonly milliseconds: number;
  readonly retryAfter: string | undefined;
}

type Ask = () => { readonly path: string; readonly headers: Record<string, string>; readonly body: string };

function send(agent: Agent, base: string, ask: Ask): Promise<Exchange> {
  const { path, headers, body } = ask();
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const outgoing = request(`${base}${path}`, { agent, method: "POST", headers }, (incoming) => {
      incoming.resume().on("end", () =>
        resolve({
          status: incoming.statusCode ?? 0,
          milliseconds: performance.now() - began,
          retryAfter: incoming.headers["retry-after"],
        }),
      );
    });
    outgoing.on("error", reject).end(body);
  });
}

/** What two clients get that wait for each answer: good answers per second, and their part of all answers. */
async function capacity(agent: Agent, base: string, ask: Ask): Promise<{ answered: number; part: number }> {
  const seconds = 2;
  const end = performance.now() + seconds * 1_000;
  const statuses: number[] = [];
  await Promise.all(
    Array.from({ length: 2 }, async () => {
      while (performance.now() < end) statuses.push((await send(agent, base, ask)).status);
    }),
  );
  const answered = statuses.filter((status) => status < 300).length;
  return { answered: answered / seconds, part: answered / statuses.length };
}

/**
 * The capacity while all is normal: two clients are not refused. A machine that stands still for MAX_DELAY may have one
 * refused, and what else it does may slow it down; a server that stays slow or goes on refusing does so every time.
 */
async function normalCapacity(agent: Agent, base: string, ask: Ask, least: number): Promise<number> {
  for (let round = 1; ; round++) {
    const { answered, part } = await capacity(agent, base, ask);
    if (part >= 0.98 && answered > least) return answered;
    assert.ok(round < 2 * ROUNDS, `${answered} answered a second, ${least} wanted; ${part} of all were good answers`);
  }
}

/** Sends so many a second, whether or not they are answered: an open loop. What a pause has left out, it does not make up for. */
async function offer(agent: Agent, base: string, ask: Ask, rate: number): Promise<Exchange[]> {
  const answers: Promise<Exchange>[] = [];
  const began = performance.now();
  let owed = 0;
  for (let last = began, now = began; now < began + SECONDS * 1_000; last = now, now = performance.now()) {
    for (owed += (Math.min(now - last, 50) / 1_000) * rate; owed >= 1; owed--) answers.push(send(agent, base, ask));
    await pause(2);
  }
  return Promise.all(answers);
}

function percentile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? 0;
}

async function countedAsShed(base: string): Promise<number> {
  const metrics = await (await fetch(`${base}/metrics`)).text();
  const counts = [...metrics.matchAll(/^http_requests_shed_total\{.*\} (\d+)$/gm)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

/** @param times how many times as much as two clients get is offered at first */
async function overload(t: TestContext, name: string, installation: Installation, ask: Ask, times = 4): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  t.after(() => agent.destroy());
  await normalCapacity(agent, installation.url, ask, 0);
  const most = await normalCapacity(agent, installation.url, ask, 0);
  let rate = Math.min(times * most, HIGHEST_RATE);
  let refusedSoFar = 0;
  for (let round = 1; ; round++) {
    const answers = await offer(agent, installation.url, ask, rate);
    const accepted = answers.filter(({ status }) => status < 300);
    const refused = answers.filter(({ status }) => status === 503);
    assert.equal(accepted.length + refused.length, answers.length, "an answer was neither a good one nor 503");
    assert.ok(refused.every(({ retryAfter }) => retryAfter !== undefined));
    refusedSoFar += refused.length;
    const counted = await countedAsShed(installation.url);
    assert.ok(counted >= refusedSoFar, `${counted} counted, ${refusedSoFar} refused`);

    const perSecond = Math.round(accepted.length / SECONDS);
    const [p99, refusedIn] = [accepted, refused].map((exchanges) =>
      Math.round(
        percentile(
          exchanges.map(({ milliseconds }) => milliseconds),
          0.99,
        ),
      ),
    ) as [number, number];
    const isOverload = refused.length > answers.length / 4;
    const isBounded = p99 < 6 * MAX_DELAY && refusedIn < 6 * MAX_DELAY;
    const shown = `${name}: two clients get ${Math.round(most)}/s, offered ${Math.round(answers.length / SECONDS)}/s: ${perSecond}/s answered, p99 ${p99} ms; ${refused.length} of ${answers.length} refused, p99 ${refusedIn} ms`;
    t.diagnostic(shown);
    if (isOverload && isBounded && perSecond > most / 4) break;
    assert.ok(round < ROUNDS, `hardly refused, late, or hardly answered: ${shown}`);
    if (!isOverload) rate = Math.min(2 * rate, HIGHEST_RATE);
  }
  // Right after: nothing is refused any more, and it is as quick as before.
  await normalCapacity(agent, installation.url, ask, most / 3);
}

test("four times what the processor can do: p99 of what is let in stays bounded, the rest is refused, and then all is normal", async (t) => {
  const installation = await install(t, {}, { HOST: "127.0.0.1", MAX_DELAY: String(MAX_DELAY), PUBLIC_READ: "true" });
  await installation.start();
  let count = 0;
  await overload(t, "new documents", installation, () => {
    // One that nobody has sent before costs milliseconds.
    const prefix = `a${count++}`;
    const fields = Array.from({ length: 12 }, (_, i) => `${prefix}_${i}: user(id: "${i}") { id name }`);
    return { path: "/graphql", headers: JSON_BODY, body: JSON.stringify({ query: `{ ${fields.join(" ")} }` }) };
  });
});

test("twice the writes that PostgreSQL can do: many at the same time share commits, so more of them than two clients get", async (t) => {
  const installation = await install(
    t,
    { url: await postgres.createDatabase() },
    { HOST: "127.0.0.1", MAX_DELAY: String(MAX_DELAY) },
  );
  await installation.start();
  const headers = { ...JSON_BODY, authorization: `Bearer ${installation.token}` };
  const fields = Array.from({ length: 10 }, (_, i) => `m${i}: createPost(input: { title: "t", body: "b" }) { id }`);
  const body = JSON.stringify({ query: `mutation { ${fields.join(" ")} }` });
  await overload(t, "writes", installation, () => ({ path: "/graphql", headers, body }), 6);
});

test("four times what the authorization server can do", async (t) => {
  const installation = await install(t, {}, { HOST: "127.0.0.1", MAX_DELAY: String(MAX_DELAY) });
  await installation.start();
  const redirectUri = "https://app.example.com/callback";
  const { client_id, client_secret } = await runJson<{ client_id: string; client_secret: string }>(
    ["client", "create", "--name", "App", "--redirect-uri", redirectUri],
    installation.environment,
  );
  const form = { client_id, client_secret, response_type: "code", redirect_uri: redirectUri, scope: "openid" };
  const body = String(new URLSearchParams({ ...form, code_challenge: "x".repeat(43), code_challenge_method: "S256" }));
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  await overload(t, "pushed authorization requests", installation, () => ({ path: "/par", headers, body }));
});
