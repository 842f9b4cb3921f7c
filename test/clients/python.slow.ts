/** Python: Authlib, and gql with the schema. */
import { join } from "node:path";
import { test } from "node:test";
import { build, copyPrograms, lacking } from "./toolchain.ts";
import { followProgram } from "./walk.ts";

const UNREACHABLE = /NewConnectionError|ConnectTimeoutError|ReadTimeoutError|NameResolutionError|ProxyError/;

const options = { skip: lacking({ python3: ["--version", "3.11"] }), timeout: 900_000 };

test("Python signs in, refreshes, reads, writes and revokes", options, async (t) => {
  const folder = await copyPrograms("python");
  await build({ command: ["python3", "-m", "venv", ".venv"], folder });
  const python = join(folder, ".venv/bin/python");
  const command = [python, "-m", "pip", "install", "--quiet", "--require-hashes", "-r", "requirements.txt"];
  const reason = await build({ command, folder, unreachable: UNREACHABLE });
  if (reason !== null) return t.skip(reason);
  await followProgram(t, {
    language: "Python",
    command: [python, "walk.py"],
    folder,
    registration: ["--public"],
    callback: "/callback",
    rejection: "UNAUTHENTICATED",
  });
});
