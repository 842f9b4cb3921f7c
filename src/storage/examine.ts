import type { Examined } from "./database/examined.ts";
import { isPostgresUrl } from "./postgres/address.ts";
import type { EngineSettings } from "./postgres/engine.ts";

/**
 * Tests what the database promises, apart from its contents.
 *
 * @returns one row for each test
 * @throws AppError BAD_USER_INPUT for a malformed address
 */
export async function examineEngine(databaseUrl: string, settings: EngineSettings): Promise<Examined[]> {
  if (!isPostgresUrl(databaseUrl)) {
    const detail = `SQLite ${process.versions.sqlite}: comes with the program, nothing to test`;
    return [{ test: "engine", result: "good", detail }];
  }
  const { examinePostgres } = await import("./postgres/examination.ts");
  return examinePostgres(databaseUrl, settings);
}
