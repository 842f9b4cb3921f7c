import { Command } from "commander";
import { readConfig } from "../config/config.ts";
import { renderOldPosts } from "../domain/posts/old-posts.ts";
import { openMarkdown } from "../markdown/markdown.ts";
import { printRecord } from "./terminal/output.ts";

/** Posts whose words are indexed in one transaction. Other processes may wait for it. */
const REINDEXED_AT_ONCE = 25;

export function migrateCommand(): Command {
  return new Command("migrate")
    .description("brings the database's schema up to this program's version (serve does so by itself)")
    .option("--status", "only say where it stands")
    .option("--json", "print JSON")
    .action(migrate);
}

async function migrate(options: { status?: boolean; json?: boolean }): Promise<void> {
  const { DATABASE_URL } = readConfig(process.env);
  const { migrationStatus, openStore } = await import("../storage/open.ts");
  if (!options.status) {
    const store = await openStore(DATABASE_URL);
    try {
      await renderOldPosts(store.posts, openMarkdown());
      while ((await store.posts.reindex(REINDEXED_AT_ONCE)) > 0);
    } finally {
      await store.close();
    }
  }
  printRecord({ ...(await migrationStatus(DATABASE_URL)) }, options.json);
}
