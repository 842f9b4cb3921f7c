import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import type Provider from "oidc-provider";
import { openEngine } from "../../src/authorization-server/engine/spent-contexts.ts";
import { type EngineRequest, engineRequest } from "../../src/authorization-server/http/engine-request.ts";

type Context = Readonly<Record<string, unknown>>;
type Respond = (response: ServerResponse, context: Context) => Promise<void>;
type Middleware = (ctx: object, next: () => Promise<void>) => Promise<void>;

/** An engine that answers as the test says. */
function openFake(respond: Respond) {
  let middleware: Middleware = (_ctx, next) => next();
  const contexts: Context[] = [];
  const provider = {
    use: (added: Middleware) => {
      middleware = added;
    },
    callback: () => async (req: EngineRequest, res: ServerResponse) => {
      const oidc = { entities: { Client: {} }, params: {}, body: {}, ctx: null as unknown };
      const ctx = { req, res, request: {}, response: {}, state: {}, params: {}, oidc };
      oidc.ctx = ctx;
      contexts.push(ctx);
      await middleware(ctx, () => respond(res, ctx));
    },
  };
  return { contexts, engine: openEngine(provider as unknown as Provider) };
}

const LED_TO = ["req", "res", "request", "response", "state", "params"] as const;

async function ask(respond: Respond, isImpatient = false) {
  const { contexts, engine } = openFake(respond);
  const ended: Promise<void>[] = [];
  const server = createServer((raw: IncomingMessage, response) => {
    const received = { id: "1", ip: "127.0.0.1", raw, headers: raw.headers, body: null };
    ended.push(engine(engineRequest(received, new URL("http://localhost")), response));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const outgoing = request({ port: (server.address() as AddressInfo).port, host: "127.0.0.1" });
  outgoing.on("error", () => {}).end();
  if (isImpatient) {
    while (ended.length === 0) await new Promise((resolve) => setImmediate(resolve));
    outgoing.destroy();
  } else {
    const [response] = (await once(outgoing, "response")) as [IncomingMessage];
    await once(response.resume(), "end");
    outgoing.destroy();
  }
  await Promise.all(ended);
  server.close();
  await once(server, "close");
  return contexts;
}

function assertApart([context]: readonly Context[]): void {
  assert.deepEqual(
    LED_TO.filter((name) => context?.[name] !== undefined),
    [],
  );
  const { entities, params, body } = (context?.oidc ?? {}) as Context;
  assert.deepEqual([entities, params, body], [undefined, undefined, undefined]);
}

test("a context is whole until its request is answered, and leads to nothing afterwards", async () => {
  let seen: unknown[] = [];
  const contexts = await ask(async (response, context) => {
    response.end("answer");
    await new Promise((resolve) => setImmediate(resolve));
    seen = LED_TO.map((name) => context[name]);
  });
  assert.ok(seen.every((value) => value !== undefined));
  assertApart(contexts);
});

test("so it is for a caller that goes away before the engine has finished", async () => {
  let wasWhole = false;
  const contexts = await ask(async (response, context) => {
    if (!response.closed) await once(response, "close");
    wasWhole = context.req !== undefined;
  }, true);
  assert.ok(wasWhole);
  assertApart(contexts);
});
