import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { circles, type Graph, importGraph, roomGraph, roomOf } from "../bin/structure.js";
import { drawStructure } from "../bin/structure-docs.js";

const root = join(import.meta.dirname, "..");
const graph = importGraph(root);
const rooms = roomGraph(graph);

/** Nobody reads these: they are made from files that people write. */
const GENERATED = new Set(
  globSync("src/studio/browser/documents/*.graphql", { cwd: root }).map((path) => path.replace(/graphql$/, "ts")),
);

/**
 * The ladder: which floors each floor may import from, besides its own rooms. `domain` stands for `src/domain` alone;
 * `domain/` for every room below it as well. `docs/architecture.md` draws the same ladder from the imports themselves.
 */
const FLOORS: Record<string, readonly string[] | "all"> = {
  "src/domain": [],
  "src/domain/clients": ["src/domain"],
  "src/domain/events": ["src/domain"],
  "src/domain/people": ["src/domain", "src/domain/reading"],
  "src/domain/reading": ["src/domain"],
  "src/domain/posts": ["src/domain", "src/domain/events", "src/domain/reading"],
  "src/domain/agents": ["src/domain", "src/domain/posts"],
  "src/domain/store": ["src/domain/"],
  "src/observe": [],
  "src/config": [],
  "src/design": [],
  "src/secrets": ["src/domain/"],
  "src/markdown": ["src/domain/"],
  "src/storage": ["src/domain/", "src/observe"],
  "src/http": ["src/domain/", "src/observe", "src/config"],
  "src/resource-server": ["src/domain/", "src/observe"],
  "src/background": ["src/observe"],
  "src/mail": ["src/domain/", "src/observe", "src/background", "src/design"],
  "src/events": ["src/domain/", "src/observe", "src/background"],
  "src/graphql": ["src/domain/", "src/observe"],
  "src/graphql/explorer": ["src/domain/", "src/observe", "src/design"],
  "src/studio": ["src/domain/", "src/observe", "src/design"],
  "src/studio/browser": ["src/domain/", "src/design"],
  "src/preview": ["src/domain/", "src/observe", "src/design"],
  "src/docs": ["src/domain/", "src/observe", "src/design"],
  "src/scim": ["src/domain/", "src/observe"],
  "src/mcp": ["src/domain/", "src/observe"],
  "src/authorization-server": ["src/domain/", "src/observe", "src/secrets", "src/design", "src/mail"],
  "src/diagnosis": ["src/domain/", "src/observe", "src/config", "src/secrets", "src/authorization-server"],
  "src/app": "all",
  "src/cli": "all",
  src: "all",
};

/** The floor of a room: its entry in FLOORS, or that of the nearest folder above it. */
function floorOf(room: string): string {
  for (let folder = room; ; folder = folder.slice(0, folder.lastIndexOf("/")))
    if (Object.hasOwn(FLOORS, folder)) return folder;
}

function mayImport(from: string, to: string): boolean {
  const [floor, other] = [floorOf(from), floorOf(to)];
  const allowed = FLOORS[floor];
  if (floor === other || allowed === "all") return true;
  return allowed?.some((entry) => (entry.endsWith("/") ? `${other}/`.startsWith(entry) : other === entry)) === true;
}

/** The files that the README of a room lets other rooms use: those that it names in its line "Others may use". */
function entriesOf(room: string): Set<string> {
  const text = readFileSync(join(root, room, "README.md"), "utf8");
  const line = /^- Others may use: (.*?)\.?$/m.exec(text)?.[1];
  assert.ok(line, `${room}/README.md has no line "Others may use: …"`);
  return new Set([...line.matchAll(/`([^`]+)`/g)].map((match) => `${room}/${match[1]}`));
}

describe("the house", () => {
  test("no file stands in a circle of imports; imports of types count", () => {
    assert.deepEqual(circles(graph), []);
  });

  test("no two rooms import each other, directly or through others", () => {
    assert.deepEqual(circles(rooms), []);
  });

  test("rooms import only from below", () => {
    const upward = [...rooms].flatMap(([from, targets]) =>
      [...targets].filter((to) => !mayImport(from, to)).map((to) => `${from} imports ${to}`),
    );
    assert.deepEqual(upward, []);
  });

  test("a circle and an import from above are noticed", () => {
    const circle: Graph = new Map([
      ["src/domain/a.ts", new Set(["src/domain/b.ts"])],
      ["src/domain/b.ts", new Set(["src/domain/c.ts"])],
      ["src/domain/c.ts", new Set(["src/domain/a.ts"])],
    ]);
    assert.deepEqual(circles(circle), [["src/domain/a.ts", "src/domain/b.ts", "src/domain/c.ts"]]);
    assert.equal(mayImport("src/domain/people", "src/domain/store"), false);
    assert.equal(mayImport("src/graphql/plan", "src/storage"), false);
    assert.equal(mayImport("src/graphql/plan", "src/domain/posts"), true);
  });

  test("other rooms use only what a room's README names, and it names nothing else", () => {
    const used = new Map<string, Set<string>>();
    for (const [file, targets] of graph)
      for (const target of targets) {
        const room = roomOf(target);
        if (room === roomOf(file)) continue;
        used.set(room, (used.get(room) ?? new Set()).add(target));
      }
    for (const room of rooms.keys()) {
      if (room === "src") continue;
      assert.deepEqual([...entriesOf(room)].sort(), [...(used.get(room) ?? [])].sort(), `${room}/README.md`);
    }
  });

  test("docs/structure.svg shows today's imports (npm run docs:structure)", () => {
    assert.equal(readFileSync(join(root, "docs/structure.svg"), "utf8"), drawStructure(rooms));
  });

  test("the domain imports nothing, not even from node:", () => {
    const foreign = [...graph.keys()]
      .filter((file) => file.startsWith("src/domain/"))
      .filter((file) => /(?:from|import\()\s*"[^."]/.test(readFileSync(join(root, file), "utf8")));
    assert.deepEqual(foreign, []);
  });

  test("storage and domain are given their clock: only openStore has a default for it", () => {
    const own = [...graph.keys()]
      .filter((file) => /^src\/(storage|domain)\//.test(file))
      .filter((file) => /\bDate\.now\b|\bnew Date\(\)/.test(readFileSync(join(root, file), "utf8")));
    assert.deepEqual(own, ["src/storage/open.ts"]);
  });

  test("nothing stands loose at the root but main.ts", () => {
    assert.deepEqual(
      [...graph.keys()].filter((file) => roomOf(file) === "src"),
      ["src/main.ts"],
    );
  });

  test("a start loads nothing that can wait", () => {
    const late = [
      "fastify",
      "@fastify/cors",
      "oidc-provider",
      "ws",
      "pg",
      "markdown-it",
      "sanitize-html",
      "nodemailer",
      "@simplewebauthn/server",
      "otpauth",
      "qr",
      "scimmy",
      "openid-client",
      "jose",
    ];
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
        if (specifier.startsWith(".")) found.add(join(file, "..", specifier));
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
        assert.equal(version, { ...packages.dependencies, ...packages.devDependencies }[name], `${example}: ${name}`);
    }
  });

  test("clocks are injected: only the places that open the program read the time", () => {
    const rooms = [
      "authorization-server",
      "scim",
      "resource-server",
      "http",
      "background",
      "events",
      "mail",
      "app",
      "cli",
      "secrets",
    ];
    const readers = globSync(`src/{${rooms.join(",")}}/**/*.ts`, { cwd: root }).filter((file) =>
      /Date\.now\b|new Date\(\)/.test(readFileSync(join(root, file), "utf8")),
    );
    assert.deepEqual(readers.sort(), [
      "src/app/app.ts",
      "src/authorization-server/engine/clocks.ts", // the engine's clock cannot be injected
      "src/cli/context.ts",
    ]);
  });

  test("there are no barrels, and no rooms for everything", () => {
    const names = [...graph.keys()].filter((file) =>
      /(^|\/)(index\.ts|utils?\/|helpers?\/|common\/|core\/)/.test(file),
    );
    assert.deepEqual(names, []);
  });

  test("every file can be read in one go: 250 lines", () => {
    const written = globSync("src/**/*.{ts,tsx}", { cwd: root }).filter((file) => !GENERATED.has(file));
    const long = written.filter((file) => readFileSync(join(root, file), "utf8").split("\n").length > 251);
    assert.deepEqual(long, []);
  });
});
