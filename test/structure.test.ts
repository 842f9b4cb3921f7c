import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, test } from "node:test";

const root = join(import.meta.dirname, "..");

/** Which rooms each room may import from; beside these, every room may import from itself. */
const WALLS: Record<string, readonly string[]> = {
  domain: [],
  observe: [],
  secrets: ["domain"],
  storage: ["domain", "observe"],
  "resource-server": ["domain", "observe"],
  graphql: ["domain", "observe"],
  "authorization-server": ["domain", "observe", "secrets"],
  outbox: ["domain", "observe"],
  cli: [
    "domain",
    "observe",
    "storage/open.ts",
    "authorization-server",
    "app.ts",
    "config.ts",
    "setting.ts",
    "markdown.ts",
    "secret.ts",
    "servable.ts",
    "webhook-secrets.ts",
  ],
};

const sources = globSync("src/**/*.ts", { cwd: root });

/** What a file imports, as written. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), "utf8");
  return [...text.matchAll(/(?:from|import\()\s*"([^"]+)"/g)].map((match) => match[1] ?? "");
}

describe("the house", () => {
  for (const file of sources) {
    const room = /^src\/([^/]+)\//.exec(file)?.[1];
    if (room === undefined) continue;
    test(`${file} imports only from below`, () => {
      const allowed = WALLS[room];
      assert.ok(allowed, `src/${room} is no room of design/house.md`);
      for (const specifier of importsOf(file)) {
        if (!specifier.startsWith(".")) {
          if (room === "domain") assert.fail(`the domain imports nothing, not even ${specifier}`);
          continue;
        }
        const target = relative("src", join(dirname(file), specifier));
        const inside = [room, ...allowed].some((place) => target === place || target.startsWith(`${place}/`));
        assert.ok(inside, `${file} imports ${target}`);
      }
    });
  }

  test("a start loads nothing that can wait", () => {
    const late = ["fastify", "@fastify/cors", "oidc-provider", "ws", "pg", "markdown-it", "sanitize-html"];
    const found = new Set(["src/main.ts", "src/app/app.ts"]);
    for (const file of found) {
      const text = readFileSync(join(root, file), "utf8");
      for (const [, names = "", specifier = ""] of text.matchAll(/^(?:import|export) (?!type )([^;"]*)"([^"]+)";/gm)) {
        const values = names
          .replace(/\bfrom\b/, "")
          .replace(/[{}\s]/g, " ")
          .replace(/\btype \w+( as \w+)?,?/g, "");
        if (names !== "" && values.trim() === "") continue;
        assert.ok(!late.includes(specifier), `${file} imports ${specifier}`);
        if (specifier.startsWith(".")) found.add(join(dirname(file), specifier));
      }
    }
    assert.ok(found.size > 100, `${found.size} files`);
  });

  test("the examples ask for the libraries that the tests run them with", () => {
    const packages = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    for (const example of ["server", "spa"]) {
      const file = join(root, "examples", example, "package.json");
      const { dependencies } = JSON.parse(readFileSync(file, "utf8")) as { dependencies: Record<string, string> };
      for (const [name, version] of Object.entries(dependencies))
        assert.equal(version, packages.devDependencies[name], `${example}: ${name}`);
    }
  });

  test("there are no barrels, and no rooms for everything", () => {
    const names = sources.filter((file) => /(^|\/)(index\.ts|utils?\/|helpers?\/|common\/)/.test(file));
    assert.deepEqual(names, []);
  });

  test("every file stays a room that can be read in one go", () => {
    const long = sources.filter((file) => readFileSync(join(root, file), "utf8").split("\n").length > 320);
    assert.deepEqual(long, []);
  });
});
