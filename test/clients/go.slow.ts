/** Go: coreos/go-oidc, golang.org/x/oauth2, and a GraphQL client that genqlient makes from the schema. */
import { join } from "node:path";
import { test } from "node:test";
import { build, copyPrograms, lacking } from "./toolchain.ts";
import { followProgram } from "./walk.ts";

const UNREACHABLE = /dial tcp|no such host|server misbehaving|i\/o timeout|connection refused|proxyconnect/i;

test("Go signs in, refreshes, reads, writes and revokes", {
  skip: lacking({ go: ["version", "1.26"] }),
  timeout: 900_000,
}, async (t) => {
  const folder = await copyPrograms("go");
  const reason = await build({ command: ["go", "mod", "download"], folder, unreachable: UNREACHABLE });
  if (reason !== null) return t.skip(reason);
  await build({ command: ["go", "generate", "./walk"], folder });
  await build({ command: ["go", "build", "-mod=readonly", "-o", "program", "./walk"], folder });
  await followProgram(t, {
    language: "Go",
    command: [join(folder, "program")],
    folder,
    registration: ["--public"],
    callback: "/callback",
    rejection: "401",
  });
});
