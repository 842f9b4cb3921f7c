import assert from "node:assert/strict";
import { Agent, request } from "node:http";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { runJson } from "./command.ts";
import { type Installation, install } from "./faults/installation.ts";
import { openPostgres } from "./postgres.ts";

const postgres = await openPostgres();
const MAX_DELAY = 500;
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

/** Requests per second that two clients get answered that wait for each answer. */
async function capacity(agent: Agent, base: string, ask: Ask): Promise<number> {
  const seconds = 2;
  const end = performance.now() + seconds * 1_000;
  const statuses: number[] = [];
  await Promise.all(
    Array.from({ length: 2 }, async () => {
      while (performance.now() < end) statuses.push((await send(agent, base, ask)).status);
    }),
  );
  const answered = statuses.filter((status) => status < 300).length;
  // Not one would be refused on a machine that does nothing else.
  assert.ok(answered >= 0.98 * statuses.length, `${statuses.length - answered} of ${statuses.length} refused`);
  return answered / seconds;
}

/** Sends so many a second, whether or not they are answered: an open loop. */
async function offer(agent: Agent, base: string, ask: Ask, rate: number, seconds: number): Promise<Exchange[]> {
  const answers: Promise<Exchange>[] = [];
  const began = performance.now();
  for (let now = began; now < began + seconds * 1_000; now = performance.now()) {
    const due = Math.ceil(((now - began) / 1_000) * rate);
    while (answers.length < due) answers.push(send(agent, base, ask));
    await pause(2);
  }
  return Promise.all(answers);
}

function percentile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? 0;
}

/** @param times how many times as much as two clients get is offered */
async function overload(t: TestContext, name: string, installation: Installation, ask: Ask, times = 4): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  t.after(() => agent.destroy());
  await capacity(agent, installation.url, ask);
  const most = await capacity(agent, installation.url, ask);
  const rate = Math.min(times * most, 3_000);
  const answers = await offer(agent, installation.url, ask, rate, 6);
  const accepted = answers.filter(({ status }) => status < 300).map(({ milliseconds }) => milliseconds);
  const refused = answers.filter(({ status }) => status === 503);
  const metrics = await (await fetch(`${installation.url}/metrics`)).text();
  const shed = [...metrics.matchAll(/^http_requests_shed_total\{.*\} (\d+)$/gm)];
  // Right after: nothing is refused any more, and it is as quick as before; once more where the machine had more to do.
  let after = await capacity(agent, installation.url, ask);
  for (let again = 0; again < 2 && after <= most / 2; again++) after = await capacity(agent, installation.url, ask);
  const p99 = percentile(accepted, 0.99);
  const refusedIn = percentile(
    refused.map(({ milliseconds }) => milliseconds),
    0.99,
  );
  t.diagnostic(
    `${name}: capacity ${Math.round(most)}/s, offered ${Math.round(answers.length / 6)}/s: ${Math.round(accepted.length / 6)}/s answered, p50 ${Math.round(percentile(accepted, 0.5))} ms, p99 ${Math.round(p99)} ms; ${refused.length} refused, p99 ${Math.round(refusedIn)} ms, ${shed.map(([line]) => line.slice(25)).join(", ")}; right after ${Math.round(after)}/s`,
  );
  assert.equal(accepted.length + refused.length, answers.length, "an answer was neither a good one nor 503");
  assert.ok(refused.length > answers.length / 4, `${refused.length} of ${answers.length} refused`);
  assert.ok(refused.every(({ retryAfter }) => retryAfter !== undefined));
  const counted = shed.reduce((sum, [, count]) => sum + Number(count), 0);
  assert.ok(counted >= refused.length, `${counted} counted, ${refused.length} refused`);
  assert.ok(p99 < 6 * MAX_DELAY, `p99 of what was let in: ${p99} ms`);
  assert.ok(refusedIn < 6 * MAX_DELAY, `p99 of what was refused: ${refusedIn} ms`);
  assert.ok(accepted.length / 6 > most / 4, "hardly anything was answered");
  assert.ok(after > most / 2, `${after} requests a second right after, ${most} before`);
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
