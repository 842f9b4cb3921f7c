import assert from "node:assert/strict";
import type { History } from "./history.ts";
import type { Installation } from "./installation.ts";

/**
 * The judgement after PostgreSQL, or the way to it, has failed: nothing acknowledged is lost, nothing is there twice, and
 * whoever was refused got a 503 that says why. A refusal is not taken for a promise that nothing was written: the change may
 * have been made and its answer not read back any more.
 *
 * @returns in one line what happened, with how many of the refused writes are there
 */
export async function judge(history: History, installation: Installation): Promise<string> {
  for (const reason of Object.keys(history.reasons())) {
    assert.match(reason, /^503 The (change|connection|database|disk|request) /);
  }
  const contents = await installation.read();
  const summary = `${history.summary()} (${history.countRefusedButThere(contents)} of the refused are there)`;
  history.doubtSince(0);
  history.assertExplains(contents);
  return summary;
}
