/** Rust: openidconnect, and the types that graphql-client makes from the schema. openidconnect revokes over https only. */
import { join } from "node:path";
import { test } from "node:test";
import { build, copyPrograms, lacking } from "./toolchain.ts";
import { followProgram } from "./walk.ts";

const UNREACHABLE =
  /spurious network error|could(?:n't| not) (?:connect|resolve)|failed to download|download of .* failed/i;

const options = { skip: lacking({ cargo: ["--version", "1.88"], openssl: ["version", "1.1"] }), timeout: 1_500_000 };

test("Rust signs in, refreshes, reads, writes and revokes", options, async (t) => {
  const folder = await copyPrograms("rust");
  const reason = await build({ command: ["cargo", "fetch", "--locked"], folder, unreachable: UNREACHABLE });
  if (reason !== null) return t.skip(reason);
  await build({ command: ["cargo", "build", "--locked", "--offline", "--target-dir", "target"], folder });
  await followProgram(t, {
    language: "Rust",
    command: [join(folder, "target/debug/walk")],
    folder,
    registration: ["--public"],
    callback: "/callback",
    rejection: "UNAUTHENTICATED",
    overTls: true,
  });
});
