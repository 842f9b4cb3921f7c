import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, test } from "node:test";
import { assertOutput } from "./output.ts";
import { readStatements, startOf } from "./statements.ts";
import { openValues } from "./values.ts";

describe("D02 what a reader of the documents notices", () => {
  test("D02 text: `…` is what varies in a line, a line of it any lines; everything else must come", () => {
    assertOutput("…\nid  …\nstate  ok\n", "first\n\nid      7f3 at noon\nstate   ok\n", "text");
    assertOutput("HTTP/1.1 401 Unauthorized\n…\n", "HTTP/1.1 401 Unauthorized\r\na: b\r\n\r\nbody", "http");
    assertOutput("a (1) …\n", "a (1) b", "text");
    for (const [shown, came] of [
      ["ready\n", "not ready"],
      ["Posts: 1\n", "Posts: 10"],
      ["one\ntwo\n", "one\n\ntwo"],
      ["a.b\n", "axb"],
    ] as const)
      assert.throws(() => assertOutput(shown, came, "text"), assert.AssertionError, shown);
  });

  test("D02 JSON: every field must come, and no other, but for a field `…`", () => {
    const came = 'Signed in.\n{"id":"7","list":[{"n":1}],"x":null}';
    assertOutput('{ "id": "…", "list": [{ "n": 1 }], "x": null }', came, "json");
    assertOutput('{ "id": "…", "…": "…" }', came, "json");
    for (const shown of [
      '{"id":"…"}',
      '{"id":"8","…":"…"}',
      '{"id":"…","list":[],"…":"…"}',
      '{"id":"…","list":[{"n":2}],"…":"…"}',
      '{"y":"…","…":"…"}',
      '{"x":{},"…":"…"}',
    ])
      assert.throws(() => assertOutput(shown, came, "json"), assert.AssertionError, shown);
    assert.throws(() => assertOutput("{}", "no JSON", "json"), /no JSON came/);
  });

  const skip = spawnSync("bash", ["--version"]).error !== undefined && "there is no bash on this machine";
  test("D02 a block is typed in parts, and the server starts in between", { skip }, () => {
    const block = 'A=1 # one\necho \\\n  "$A\n" two\n\ncat <<END\nx\nEND\nfor i in 1 2; do\n  echo $i\ndone\n';
    assert.deepEqual(
      readStatements(block).map((statement) => statement.trim()),
      ["A=1 # one", 'echo \\\n  "$A\n" two', "cat <<END\nx\nEND", "for i in 1 2; do\n  echo $i\ndone"],
    );
    assert.throws(() => readStatements('echo "one\n'), /ends in the middle/);
    assert.equal(startOf('A=1 LIST="b, c" npm start   # why\n'), 'A=1 LIST="b, c" npm start');
    assert.equal(startOf("npm start -- --demo\n"), "npm start -- --demo");
    assert.equal(startOf("echo npm start\n"), null);
  });

  test("D02 words that stand for values have those that were printed last", () => {
    const values = openValues({ "http://localhost:4000": "http://localhost:9" });
    values.learn("client_id      first\nclient_secret  s-1\n");
    values.learn('{"client_id":"second","device_code":"d"}');
    assert.equal(
      values.fill(
        "CLIENT_ID=… curl http://localhost:4000 -u CLIENT_ID:CLIENT_SECRET {CLIENT_ID} $CLIENT_ID MY_CLIENT_ID\n",
      ),
      "CLIENT_ID=second curl http://localhost:9 -u second:s-1 second $CLIENT_ID MY_CLIENT_ID\n",
    );
    assert.equal(values.place("CLIENT_ID http://localhost:4000"), "CLIENT_ID http://localhost:9");
    values.learn(
      "id                                    ending  created\n01a22ab2-1ef2-7000-bba6-d5a4ee5efacc  p-TQ    x\n",
    );
    assert.equal(values.fill("end SECRET_ID"), "end 01a22ab2-1ef2-7000-bba6-d5a4ee5efacc");
  });
});
