import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { hashToken } from "../../src/secrets/token-hash.ts";
import { openStore } from "../../src/storage/open.ts";
import { runCommand, runJson } from "../command.ts";
import { anArtifact } from "../conformance/samples.ts";

interface Secret {
  readonly id: string;
  readonly ending: string;
  readonly state: string;
}

describe("client commands that change and remove", () => {
  let folder: string;
  let environment: Record<string, string>;
  let id: string;
  const secrets: string[] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "content-api-"));
    environment = { DATABASE_URL: `sqlite:${join(folder, "content.db")}`, RESOURCES: "https://orders.example.com" };
    await runJson(["migrate"], environment);
    const create = ["client", "create", "--name", "Site", "--redirect-uri", "https://app.example.com/callback"];
    const made = await runJson<{ client_id: string; client_secret: string }>(create, environment);
    id = made.client_id;
    secrets.push(made.client_secret);
  });
  after(() => rm(folder, { recursive: true }));

  const show = () => runJson<Record<string, unknown>>(["client", "show", id], environment);
  const listed = () => runJson<Secret[]>(["client", "secret", "list", id], environment);

  test("S67 update changes what is given, and only that", async () => {
    const before = await show();
    const change = [
      "--name",
      "Shop",
      "--scope",
      "openid posts:read",
      "--require-par",
      "--dpop",
      "--grant",
      "device_code",
    ];
    const { code, stderr } = await runCommand(["client", "update", id, ...change], environment);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^Client Shop \([0-9a-f]+\) is changed\.\n$/m);
    assert.deepEqual(await show(), {
      ...before,
      ...{ name: "Shop", scopes: ["openid", "posts:read"], mustPush: true, dpopBound: true },
      grantTypes: ["urn:ietf:params:oauth:grant-type:device_code"],
    });
    const others = ["--no-dpop", "--resource-server", "https://orders.example.com", "--grant", "authorization_code"];
    assert.equal((await runCommand(["client", "update", id, ...others], environment)).code, 0);
    assert.partialDeepStrictEqual(await show(), { dpopBound: false, resourceServer: "https://orders.example.com" });
    assert.equal((await runCommand(["client", "update", id, "--resource-server", "none"], environment)).code, 0);
    assert.partialDeepStrictEqual(await show(), { mustPush: true, resourceServer: null });
  });

  test("S67 update says what is wrong, and changes nothing then", async () => {
    const before = await show();
    for (const [args, message] of [
      [[], /Name at least one setting/],
      [["--redirect-uri", "http://app.example.com/"], /must use https/],
      [["--scope", "posts:burn"], /not a scope of this server/],
      [["--jwks-uri", "https://app.example.com/jwks"], /has one of secret, jwks/],
    ] as const) {
      const { code, stderr } = await runCommand(["client", "update", id, ...args], environment);
      assert.notEqual(code, 0);
      assert.match(stderr, message);
    }
    assert.match((await runCommand(["client", "update", "studio", "--name", "X"], environment)).stderr, /no client/);
    assert.deepEqual(await show(), before);
  });

  test("S76 secrets are added, listed by their last characters, and ended", async () => {
    const added = await runJson<{ client_secret: string }>(["client", "secret", "add", id], environment);
    secrets.push(added.client_secret);
    const list = await listed();
    assert.deepEqual(
      list.map(({ ending, state }) => [ending, state]),
      secrets.toReversed().map((secret) => [secret.slice(-4), "active"]),
    );
    const old = list[1]?.id ?? "";
    const { code, stderr } = await runCommand(["client", "secret", "end", id, old], environment);
    assert.deepEqual([code, stderr], [0, "The secret ends within a second. It was never used, as far as is known.\n"]);
    assert.deepEqual(
      (await listed()).map(({ state }) => state),
      ["active", "ended"],
    );
    for (const [secret, message] of [
      [list[0]?.id ?? "", /only secret/],
      [old, /no valid secret/],
      ["nothing", /no secret with this id/],
    ] as const) {
      const refused = await runCommand(["client", "secret", "end", id, secret], environment);
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, message);
    }
  });

  test("S67 all tokens end, and the client can be deleted; the audit says so", async () => {
    const store = await openStore(environment.DATABASE_URL ?? "");
    try {
      const seconds = Math.floor(Date.now() / 1_000);
      await store.artifacts.put(
        anArtifact({ kind: "ClientCredentials", idHash: hashToken("t"), clientId: id, expiresAtSeconds: seconds + 60 }),
      );
      const isLive = async () => (await store.artifacts.findAccessToken(hashToken("t"), seconds)) !== null;
      assert.equal(await isLive(), true);
      const ended = await runCommand(["client", "tokens", "end", id], environment);
      assert.match(ended.stderr, /^All tokens of Shop/);
      assert.equal(await isLive(), false);
    } finally {
      await store.close();
    }
    assert.equal((await runCommand(["client", "delete", id], environment)).code, 0);
    assert.equal((await runCommand(["client", "show", id], environment)).code, 1);
    assert.equal((await runCommand(["client", "delete", id], environment)).code, 1);
    const audit = await runJson<{ detail: string }[]>(["audit", "--client", id], environment);
    assert.deepEqual(audit.map(({ detail }) => detail).slice(0, 4), [
      "deleted: Shop",
      "all tokens ended",
      `secret …${secrets[0]?.slice(-4)} ended`,
      `given another secret, …${secrets[1]?.slice(-4)}`,
    ]);
  });
});
