import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import Provider from "oidc-provider";
import { PATCHES } from "../../src/authorization-server/engine/patches.ts";
import { openTestServer, type TestServer } from "../security/authorization-server.ts";

const root = join(import.meta.dirname, "../..");

/** Runs a task while every new engine lacks one member of its classes, as after an upgrade that renamed it. */
async function without(name: string, task: () => Promise<void>): Promise<void> {
  const [className = "", ...rest] = name.replace("()", "").split(".");
  const member = rest.at(-1) ?? "";
  const getter = className === "BaseModel" ? "BaseToken" : className;
  const original = Object.getOwnPropertyDescriptor(Provider.prototype, getter);
  assert.ok(original?.get, `Provider has a getter ${getter}`);
  Object.defineProperty(Provider.prototype, getter, {
    configurable: true,
    get() {
      const found = original.get?.call(this);
      if (name.includes("()"))
        return class extends found {
          constructor(metadata: object) {
            super(metadata);
            Reflect.deleteProperty(this, member);
          }
        };
      const model = className === "BaseModel" ? Object.getPrototypeOf(found) : found;
      let owner = rest[0] === "prototype" ? model.prototype : model;
      // Some members are inherited.
      for (; owner !== null; owner = Object.getPrototypeOf(owner)) delete owner[member];
      return found;
    },
  });
  try {
    await task();
  } finally {
    Object.defineProperty(Provider.prototype, getter, original);
  }
}

describe("patches of the engine", () => {
  let server: TestServer;
  before(async () => {
    server = await openTestServer();
  });
  after(() => server.close());

  for (const name of Object.keys(PATCHES))
    test(`an engine without ${name} does not start`, () =>
      without(name, () =>
        assert.rejects(
          server.server.createAccessToken({ userId: server.ada.id, clientId: "web", scope: "read", ttlSeconds: 60 }),
          ({ message }: Error) => {
            assert.match(message, /^oidc-provider \d+\.\d+\.\d+ has no /);
            return message.includes(` has no ${name}, which this server replaces`);
          },
        ),
      ));

  test("no file but patches.ts writes to the engine's classes", () => {
    const classes = Object.keys(PATCHES).map((name) => name.split(/[.(]/)[0]);
    const writes = new RegExp(
      [
        "\\bprototype(?:\\.\\w+|\\[[^\\]]+\\])? = ",
        "Object\\.(?:assign|defineProperty|defineProperties|setPrototypeOf)\\(\\s*(?:\\w+\\.)*(?:prototype|model|Model)\\b",
        `Object\\.(?:assign|defineProperty|defineProperties|setPrototypeOf)\\(\\s*(?:\\w+\\.)*(?:${classes.join("|")})\\b`,
        `\\b(?:${classes.join("|")})\\.\\w+ = `,
        "\\{ prototype \\}",
      ].join("|"),
    );
    for (const line of [
      "Object.assign(provider.DeviceCode.prototype, {",
      "Session.prototype.save = f",
      "Client.find = f",
    ])
      assert.match(line, writes);
    const files = globSync("src/authorization-server/**/*.ts", { cwd: root }).filter((file) =>
      writes.test(readFileSync(join(root, file), "utf8")),
    );
    assert.deepEqual(files, []);
  });
});
