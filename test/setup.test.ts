import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, type TestContext, test } from "node:test";

const SETUP = join(import.meta.dirname, "../bin/setup.js");
const LOCK = (version: string) => JSON.stringify({ packages: { "": {}, "node_modules/one": { version } } });

/** A project that needs one package, with an npm that only notes that it ran. Its build does nothing. */
function project(t: TestContext, { linked, installed }: { linked: boolean; installed: string }) {
  const folder = mkdtempSync(join(tmpdir(), "content-api-setup-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const packages = linked ? "shared" : "node_modules";
  write("package.json", '{ "type": "module" }');
  write("package-lock.json", LOCK("2.0.0"));
  write(`${packages}/.package-lock.json`, LOCK(installed));
  write(`${packages}/node/bin/node`, "");
  write(`${packages}/node/bin/node.exe`, "");
  write("src/main.ts", "");
  write("bin/build.js", "export async function buildProgram() {}");
  write("npm.js", 'import { writeFileSync } from "node:fs"; writeFileSync("npm-ran", ""); process.exit(1);');
  copyFileSync(SETUP, join(folder, "bin/setup.js"));
  if (linked) symlinkSync(join(folder, "shared"), join(folder, "node_modules"), "junction");
  const { status, stderr } = spawnSync(process.execPath, [join(folder, "bin/setup.js")], {
    encoding: "utf8",
    env: { ...process.env, npm_execpath: join(folder, "npm.js") },
  });
  return { status, stderr, hasNpmRun: existsSync(join(folder, "npm-ran")) };
}

describe("the setup", () => {
  test("installs what is missing", (t) => {
    const { stderr, hasNpmRun } = project(t, { linked: false, installed: "1.0.0" });
    assert.match(stderr, /^Installing what is missing/);
    assert.equal(hasNpmRun, true);
  });

  test("installs nothing through a symbolic link: that would empty the folder of others", (t) => {
    const { status, stderr, hasNpmRun } = project(t, { linked: true, installed: "1.0.0" });
    assert.equal(status, 1);
    assert.match(stderr, /^Packages are missing, but node_modules is a symbolic link: .*\n$/);
    assert.equal(hasNpmRun, false);
  });

  test("takes a link to a folder that has everything", (t) => {
    const { status, stderr, hasNpmRun } = project(t, { linked: true, installed: "2.0.0" });
    assert.deepEqual({ status, stderr, hasNpmRun }, { status: 0, stderr: "", hasNpmRun: false });
  });
});
