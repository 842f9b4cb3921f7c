import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { AuditEvent } from "../../src/domain/audit.ts";
import { openTestApp, type TestApp } from "../app.ts";
import { runCommand, runJson } from "../command.ts";
import { authorizationRequest, Browser, getTokens } from "../security/client.ts";

const PASSWORD = "seventeen tall birches";
const WRONG = "eighteen tall birches";
const REDIRECT_URI = "http://localhost:9/callback";

type Listed = AuditEvent & { readonly id: string };

describe("content-api audit", () => {
  let app: TestApp;
  let ada: string;
  let site: string;
  let other: string;
  let refreshToken: string;

  before(async () => {
    app = await openTestApp();
    const createUser = (email: string) =>
      runJson<{ id: string }>(
        ["user", "create", "--email", email, "--name", "Somebody", "--password-stdin"],
        app.environment,
        PASSWORD,
      );
    const createClient = (name: string) =>
      runJson<{ client_id: string }>(
        ["client", "create", "--name", name, "--redirect-uri", REDIRECT_URI, "--public"],
        app.environment,
      );
    ada = (await createUser("ada@example.com")).id;
    await createUser("bob@example.com");
    site = (await createClient("Site")).client_id;
    other = (await createClient("Other")).client_id;
    const request = (clientId: string, email: string) => ({
      issuer: app.config.AUTH_URL,
      clientId,
      redirectUri: REDIRECT_URI,
      scope: "openid posts:read",
      email,
      password: PASSWORD,
    });
    refreshToken = (await getTokens(request(site, "ada@example.com"))).refresh_token;
    await getTokens(request(other, "bob@example.com"));
    const browser = new Browser();
    const page = await browser.follow(authorizationRequest(request(site, "ada@example.com")).url);
    await browser.submit(page, "/sign-in", { email: "ada@example.com", password: WRONG });
    await until((events) => count(events, "token") === 2 && events.some(({ result }) => result === "refused"));
  });
  after(() => app.close());

  const list = (...args: string[]) => runJson<Listed[]>(["audit", ...args], app.environment);
  const count = (events: readonly Listed[], event: string) => events.filter((found) => found.event === event).length;

  /** What is decided within a request is written shortly after it. */
  async function until(isThere: (events: Listed[]) => boolean): Promise<void> {
    for (const deadline = Date.now() + 20_000; ; ) {
      const events = await list();
      if (isThere(events)) return;
      assert.ok(Date.now() < deadline, JSON.stringify(events));
    }
  }

  test("--json: everything, newest first, what the operator does at the terminal too", async () => {
    const events = await list();
    const times = events.map(({ at }) => at);
    assert.deepEqual(times, times.toSorted().reverse());
    assert.deepEqual(Object.keys(events[0] ?? {}).sort(), [
      "actorId",
      "address",
      "at",
      "clientId",
      "detail",
      "event",
      "id",
      "requestId",
      "result",
      "userId",
    ]);
    assert.deepEqual([count(events, "person"), count(events, "client"), count(events, "consent")], [2, 2, 2]);
    const terminal = events.filter(({ event }) => event === "person" || event === "client");
    assert.ok(terminal.every(({ address }) => address === null));
    const signIns = events.filter(({ event }) => event === "sign-in");
    assert.deepEqual(signIns.map(({ result }) => result).sort(), ["ok", "ok", "refused"]);
    for (const { address, requestId } of signIns) {
      assert.match(address ?? "", /^(127\.0\.0\.1|::1)$/);
      assert.ok(requestId);
    }
  });

  test("A42 nothing that opens anything is among it", async () => {
    const { stdout } = await runCommand(["audit", "--json"], app.environment);
    for (const secret of [PASSWORD, WRONG, refreshToken]) assert.ok(!stdout.includes(secret));
  });

  test("--person by address or id, --client, --event, --limit and --since choose, and together narrow", async () => {
    const byAddress = await list("--person", "Ada@Example.com");
    assert.ok(byAddress.length > 0 && byAddress.every(({ userId }) => userId === ada));
    assert.deepEqual(await list("--person", ada), byAddress);
    const byClient = await list("--client", other);
    assert.ok(byClient.length > 0 && byClient.every(({ clientId }) => clientId === other));
    const tokens = await list("--event", "token");
    assert.equal(tokens.length, 2);
    assert.equal((await list("--event", "token", "--client", site, "--person", ada)).length, 1);
    assert.equal((await list("--event", "token", "--client", other, "--person", ada)).length, 0);
    assert.deepEqual(await list("--limit", "1", "--event", "token"), tokens.slice(0, 1));
    const [newest] = await list("--limit", "1");
    assert.equal((await list("--since", newest?.at ?? "", "--limit", "1"))[0]?.id, newest?.id, "that moment counts");
    assert.equal((await list("--since", "1h")).length, (await list()).length);
    assert.deepEqual(await list("--since", "2999-01-01T00:00:00Z"), []);
  });

  test("for people: a table on standard output, with addresses instead of ids; a hint on standard error for nothing", async () => {
    const { code, stdout, stderr } = await runCommand(["audit", "--event", "sign-in"], app.environment);
    assert.deepEqual([code, stderr], [0, ""]);
    const [head = "", ...rows] = stdout.trimEnd().split("\n");
    assert.match(head, /^at +event +result +person +client +address +detail$/);
    assert.equal(rows.length, 3);
    assert.match(stdout, /sign-in +ok +bob@example\.com/);
    assert.ok(!stdout.includes(ada));
    const none = await runCommand(["audit", "--client", "nobody"], app.environment);
    assert.deepEqual([none.code, none.stdout], [0, ""]);
    assert.match(none.stderr, /AUDIT_DAYS/);
  });

  test("used wrongly it ends with 2, for somebody who is not there with 1, and says why", async () => {
    for (const [args, code, message] of [
      [["--since", "yesterday"], 2, /--since must be/],
      [["--event", "breakfast"], 2, /Allowed choices are sign-in/],
      [["--limit", "0"], 2, /from 1 to 10000/],
      [["--limit", "10001"], 2, /from 1 to 10000/],
      [["--person", "eve@example.com"], 1, /nobody with the address eve@example\.com/],
    ] as const) {
      const result = await runCommand(["audit", ...args], app.environment);
      assert.equal(result.code, code, `${args}: ${result.stderr}`);
      assert.equal(result.stdout, "");
      assert.match(result.stderr, message);
    }
  });

  test("--help says what there is", async () => {
    const { code, stdout } = await runCommand(["audit", "--help"], app.environment);
    assert.equal(code, 0);
    for (const option of ["--since", "--person", "--client", "--event", "--limit", "--json"])
      assert.ok(stdout.includes(option), option);
  });
});
