import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createServer, type RequestOptions, type Server, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { openTestApp, type TestApp } from "../app.ts";
import { addClient, addPerson, createToken } from "../subscriber.ts";
import { REVISIONS, SERVER_SKIPS, TRANSPORT_SKIPS } from "./conformance-skips.ts";
import { failuresAmong, judge, listed, skipped } from "./conformance-suite.ts";

const INSPECTOR = dirname(fileURLToPath(import.meta.resolve("@modelcontextprotocol/inspector/package.json")));

/** Scenarios of the suite that are about every server. */
const GENERIC = {
  "2026-07-28": [
    ...["tools-list", "resources-list", "prompts-list", "sep-2164-resource-not-found", "dns-rebinding-protection"],
    ...["caching", "http-header-validation", "server-sse-multiple-streams", "input-required-result-validate-input"],
  ],
  "2025-11-25": [
    ...["server-initialize", "ping", "tools-list", "resources-list", "prompts-list", "dns-rebinding-protection"],
  ],
};

/** How a scenario says that it misses something that only fixture servers have. */
const MISSING =
  /There is no (tool|such prompt|such resource)|Not testable: server does not list|Tool '\w+' not found|does not know that method|could not get initial InputRequiredResult|Expected InputRequiredResult/;

const isPassed = ({ status }: { readonly status: string }) => status === "SUCCESS";

describe("A07 the server itself", () => {
  let app: TestApp;
  let token: string;
  /** Adds the token, which the suite has no option for. */
  let proxy: Server;
  let url: string;

  before(async () => {
    proxy = createServer();
    await new Promise<void>((done) => proxy.listen(0, "127.0.0.1", done));
    const origin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    url = `${origin}/mcp`;
    // The suite asks in the name of a page at the address that it was given.
    app = await openTestApp({ CORS_ORIGINS: origin, LOG_LEVEL: "silent" });
    await addPerson(app.environment, "ada@example.com");
    const client = await addClient(app.environment);
    token = await createToken(app.environment, { user: "ada@example.com", client });
    const { hostname, port } = new URL(app.url);
    proxy.on("request", (request, response) => {
      const headers = { ...request.headers, authorization: `Bearer ${token}` };
      const options: RequestOptions = { hostname, port, path: request.url, method: request.method, headers };
      const passed = send(options, (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.pipe(response);
      });
      passed.on("error", () => response.destroy());
      response.on("close", () => passed.destroy());
      request.pipe(passed);
    });
  });
  after(async () => {
    proxy?.close();
    proxy?.closeAllConnections();
    await app?.close();
  });

  for (const revision of REVISIONS)
    test(`${revision}: every generic scenario passes; others want a fixture server, where they pass`, async () => {
      const judgement = await judge(url, revision);
      for (const scenario of GENERIC[revision]) {
        const checks = judgement.scenarios.get(scenario);
        assert.ok(checks?.some(isPassed));
        assert.deepEqual(failuresAmong(checks), [], scenario);
      }
      assert.deepEqual(skipped(judgement), listed(SERVER_SKIPS, revision));
      const ofAnyServer = new Set(TRANSPORT_SKIPS.flatMap(({ scenarios }) => scenarios));
      for (const [scenario, checks] of judgement.scenarios)
        if (!ofAnyServer.has(scenario))
          for (const { errorMessage = "" } of failuresAmong(checks)) assert.match(errorMessage, MISSING, scenario);
      const stateless = judgement.scenarios.get("server-stateless") ?? [];
      if (revision === "2026-07-28")
        assert.deepEqual([stateless.filter(isPassed).length, failuresAmong(stateless).length], [24, 4]);
    });

  test("inspector --cli exits 0 with a token, and 3 without: it needs a sign-in", async () => {
    const inspect = (...more: string[]) =>
      new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
        const words = [join(INSPECTOR, "clients/launcher/build/index.js"), "--cli", `${app.url}/mcp`];
        const asked = ["--transport", "http", "--method", "tools/list", "--format", "json", ...more];
        execFile(process.execPath, [...words, ...asked], (error, stdout, stderr) =>
          resolve({ code: error?.code ?? 0, stdout, stderr }),
        );
      });
    const known = await inspect("--header", `Authorization: Bearer ${token}`);
    assert.equal(known.code, 0, known.stderr);
    assert.match(known.stdout, /publish_post/);
    const unknown = await inspect();
    assert.equal(unknown.code, 3, unknown.stderr);
    assert.ok(!`${known.stdout}${known.stderr}${unknown.stdout}${unknown.stderr}`.includes(token));
  });
});
