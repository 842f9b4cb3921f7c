import assert from "node:assert/strict";
import type { History } from "./history.ts";
import type { Installation } from "./installation.ts";

/**
 * The judgement after PostgreSQL, or the way to it, has failed: nothing acknowledged is lost, nothing is there twice, and
 * whoever was refused got a 503 that says why, and nothing of it was written unless it says so.
 *
 * @returns in one line what happened
 */
export async function judge(history: History, installation: Installation): Promise<string> {
  for (const reason of Object.keys(history.reasons())) {
    assert.match(reason, /^503 (The (change|connection|database|disk|request) |The server is busy)/);
  }
  history.assertExplains(await installation.read());
  return history.summary();
}
