import { Command } from "commander";
import { commandLine } from "../config/command-line.ts";
import { readConfig } from "../config/config.ts";
import { renderOldPosts } from "../domain/posts/old-posts.ts";
import { openMarkdown } from "../markdown/markdown.ts";
import { hint, printRecord } from "./terminal/output.ts";

/** Posts whose words are indexed in one transaction. Other processes may wait for it. */
const REINDEXED_AT_ONCE = 25;

export function migrateCommand(): Command {
  return new Command("migrate")
    .description("upgrades the database's schema as far as older nodes allow (serve does so too), without a backup")
    .option("--status", "only report whether the schema is up to date, and the kind of each migration to come")
    .option("--json", "print JSON")
    .action(migrate);
}

async function migrate(options: { status?: boolean; json?: boolean }): Promise<void> {
  const config = readConfig(process.env);
  const { DATABASE_URL } = config;
  const { showDatabase } = await import("../storage/locate.ts");
  const { openStore } = await import("../storage/open.ts");
  const { migrationStatus, upgradePlan } = await import("../storage/upgrade.ts");
  if (!options.status) {
    const store = await openStore(DATABASE_URL, { engine: config });
    try {
      await renderOldPosts(store.posts, openMarkdown());
      while ((await store.posts.reindex(REINDEXED_AT_ONCE)) > 0);
    } finally {
      await store.close();
    }
  }
  const status = await migrationStatus(DATABASE_URL, config);
  const kinds = ((await upgradePlan(DATABASE_URL, config))?.pending ?? []).map(({ kind }) => kind);
  await printRecord({ ...status, ...(options.status ? { kinds } : {}) }, options.json);
  const where = showDatabase(DATABASE_URL);
  if (status.current === 0) hint(`There is no database at ${where} yet.`, options.json);
  else if (kinds.length > 0 && kinds.every((kind) => kind === "contract"))
    hint(`The schema of ${where} waits for older nodes to end: ${commandLine()} upgrade --finish`, options.json);
  else if (status.pending.length === 0) hint(`The schema of ${where} is up to date.`, options.json);
  else hint(`The schema of ${where} is not up to date. Upgrade it: ${commandLine()} migrate`, options.json);
}
