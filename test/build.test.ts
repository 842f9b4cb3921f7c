import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { pathToFileURL } from "node:url";

const bin = (name: string) => import(new URL(`../bin/${name}`, import.meta.url).href);

describe("the built program", () => {
  test("takes each of Node's modules without its second face, which would load more than the program needs", async () => {
    const { setUp } = await bin("setup.js");
    const folder = dirname(await setUp({ dev: true }));
    let taken = 0;
    for (const name of readdirSync(folder).filter((name) => name.endsWith(".js"))) {
      const text = readFileSync(join(folder, name), "utf8");
      assert.doesNotMatch(text, /\bfrom\s*"node:/, name);
      taken += text.split('process.getBuiltinModule("node:').length - 1;
    }
    assert.ok(taken > 50, `${taken} taken`);
  });

  test("takes what is imported under every kind of name, before anything else is done", async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "content-api-build-"));
    t.after(() => rmSync(folder, { recursive: true }));
    const write = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      const imports = [...text.matchAll(/from\s*"([^"]+)"/g)].map(([, path]) => ({ kind: "import-statement", path }));
      return { [name]: { imports } };
    };
    const { takeBuiltins } = await bin("builtins.js");
    const outputs = {
      ...write("other.mjs", "export const other=1;"),
      ...write(
        "good.mjs",
        'export const early=join2("a","b");import{join as join2,basename}from"node:path";import{other}from"./other.mjs";' +
          'import paths,{sep}from"node:path";import url from"node:url";import*as crypto from"node:crypto";' +
          'export const all=[typeof crypto.createHmac,basename("a/b"),other,paths.sep===sep,typeof url.URL,typeof require("node:os").EOL];',
      ),
    };
    takeBuiltins(folder, outputs);
    const { early, all } = await import(pathToFileURL(join(folder, "good.mjs")).href);
    assert.deepEqual([early, ...all], [join("a", "b"), "function", "b", 1, true, "function", "string"]);

    for (const strange of [
      'import fs,*as all from"node:fs";',
      'export{join}from"node:path";',
      "import{a}from 'node:fs';",
    ]) {
      const output = write("strange.mjs", strange.replaceAll("'", '"'));
      writeFileSync(join(folder, "strange.mjs"), strange);
      assert.throws(() => takeBuiltins(folder, output), /does not understand the imports of strange\.mjs/, strange);
    }
  });
});
