import { Command } from "commander";
import { readConfig } from "../config/config.ts";
import { hint, printRecord } from "./terminal/output.ts";

interface RollbackOptions {
  readonly to: string;
  readonly loseData?: boolean;
  readonly json?: boolean;
}

export function rollbackCommand(): Command {
  return new Command("rollback")
    .description("goes back to the schema of an older program, until upgrade --finish; stop the newer nodes first")
    .requiredOption("--to <version>", "version of the older program, such as 0.1.0, or the number of its schema")
    .option("--lose-data", "destroy data that only the newer schema has")
    .option("--json", "print JSON")
    .action(rollback);
}

async function rollback({ to, loseData = false, json }: RollbackOptions): Promise<void> {
  const config = readConfig(process.env);
  const { DATABASE_URL } = config;
  const { migrationStatus, rollBackSchema } = await import("../storage/upgrade.ts");
  const { undone } = await rollBackSchema(DATABASE_URL, to, loseData, config);
  const { current } = await migrationStatus(DATABASE_URL, config);
  await printRecord({ current, undone }, json);
  hint(
    undone.length === 0
      ? "There was nothing to undo."
      : `The database has the schema of version ${to}. Start the older program: this one would upgrade it again.`,
    json,
  );
}
