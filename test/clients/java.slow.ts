/** Java: Spring Security's sign-in in a site of its own, and the Nimbus SDK. Spring's client for GraphQL reads and writes. */
import { readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { before, describe, type TestContext, test } from "node:test";
import { build, copyPrograms, lacking } from "./toolchain.ts";
import { type ClientProgram, followProgram } from "./walk.ts";

const UNREACHABLE =
  /Unknown host|Could not transfer (?:artifact|metadata)|Connect(?:ion)? (?:refused|to \S+ .*timed out)/;

describe("Java", { skip: lacking({ javac: ["-version", "17"], mvn: ["-version", "3.6.3"] }), timeout: 900_000 }, () => {
  let folder: string;
  let classPath: string;
  let reason: string | null;
  before(async () => {
    folder = await copyPrograms("java");
    const command = ["mvn", "--batch-mode", "--quiet", "--no-transfer-progress", "process-classes"];
    reason = await build({ command, folder, unreachable: UNREACHABLE });
    if (reason !== null) return;
    classPath = ["target/classes", await readFile(join(folder, "target/classpath"), "utf8")].join(delimiter);
  });

  async function follow(
    t: TestContext,
    main: string,
    rest: Omit<ClientProgram, "command" | "folder" | "rejection">,
  ): Promise<void> {
    if (reason !== null) return t.skip(reason);
    await followProgram(t, {
      ...rest,
      ...{ command: ["java", "-cp", classPath, `com.example.${main}`], folder, rejection: "UNAUTHENTICATED" },
    });
  }

  test("Nimbus signs in, refreshes, reads, writes and revokes", (t) =>
    follow(t, "NimbusWalk", { language: "Nimbus", registration: ["--confidential"], callback: "/callback" }));

  for (const [ID_TOKEN_ALGORITHM, how] of [
    ["RS256", "as it is"],
    ["ES256", "told that ID tokens are signed with ES256"],
  ] as const)
    test(`Spring Security, ${how}, signs in, refreshes, reads, writes and revokes`, (t) =>
      follow(t, "SpringWalk", {
        language: "Spring",
        registration: ["--confidential", "--id-token-algorithm", ID_TOKEN_ALGORITHM],
        callback: "/login/oauth2/code/content",
        environment: { ID_TOKEN_ALGORITHM },
      }));
});
