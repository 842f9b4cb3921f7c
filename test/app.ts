import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type App, type AppOptions, openApp } from "../src/app/app.ts";
import { type Config, readConfig } from "../src/config/config.ts";
import { openLog } from "../src/observe/log.ts";
import { watchContract } from "./contract.ts";
import { createTestDatabase } from "./database.ts";
import { freePort } from "./port.ts";
import { recordAuditRows } from "./recorder.ts";

export interface TestApp extends App {
  readonly config: Config;
  /** The environment with which the command line reaches the same database. */
  readonly environment: Record<string, string>;
}

/** The real program on a free port with a fresh database, which goes with it. */
export async function openTestApp(
  settings: Record<string, string> = {},
  options: Pick<AppOptions, "now" | "log" | "studioFolder"> = {},
): Promise<TestApp> {
  const folder = await mkdtemp(join(tmpdir(), "content-api-"));
  const database = await createTestDatabase(folder);
  const isPostgres = (settings.DATABASE_URL ?? database.url).startsWith("postgres");
  const environment: Record<string, string> = {
    PORT: String(await freePort()),
    DATABASE_URL: database.url,
    ...(isPostgres ? { SECRET_KEY: randomBytes(32).toString("base64url") } : {}),
    LOG_LEVEL: "error",
    // A machine that runs tests is a busy one; being refused for it is for the tests of overload.
    MAX_DELAY: "60000",
    ...settings,
  };
  const config = readConfig(environment, join(folder, ".env"));
  const assertContract = watchContract(config.PORT);
  const app = await openApp(config, { log: openLog(config), ...options });
  return {
    ...app,
    config,
    environment,
    async close(delay) {
      await app.close(delay);
      await recordAuditRows(config.DATABASE_URL).catch(() => {}); // one that a test has damaged
      await database.drop();
      await rm(folder, { recursive: true });
      assertContract();
    },
  };
}
