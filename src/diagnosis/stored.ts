import { existsSync } from "node:fs";
import { keySet } from "../authorization-server/tokens/keys.ts";
import { commandLine } from "../config/command-line.ts";
import type { Config } from "../config/config.ts";
import { secretPath } from "../config/installation-secret.ts";
import type { Store } from "../domain/store/store.ts";
import { countOutdated } from "../secrets/reseal.ts";
import type { Sealer } from "../secrets/seal.ts";
import type { Finding } from "./finding.ts";

/** Whether the signing keys can be read: without the secret that they were made with, the program does not start. */
export async function checkKeys(
  store: Pick<Store, "signingKeys">,
  { config, sealer, now }: { readonly config: Config; readonly sealer: () => Sealer; readonly now: number },
): Promise<Finding> {
  const check = "keys";
  const kept = await store.signingKeys.list();
  if (kept.length === 0) return { check, result: "good", detail: "none yet: the first start makes them" };
  if (config.SECRET_KEY === null && !existsSync(secretPath(config) ?? ""))
    return {
      check,
      result: "wrong",
      detail: "the secret that they were made with is gone: put it back from its backup",
    };
  try {
    keySet(kept, sealer(), now);
    return { check, result: "good", detail: `${kept.length} signing keys` };
  } catch (error) {
    return { check, result: "wrong", detail: (error as Error).message };
  }
}

/** Milliseconds by which clocks may differ. Links, codes and limits of several nodes count on them (U75). */
const CLOCK_TOLERANCE = 2_000;

/** Whether this machine and the database agree about the time. @param now Unix time in milliseconds */
export async function checkDatabaseClock(store: Pick<Store, "clock">, now: () => number): Promise<Finding> {
  const check = "clock of the database";
  const before = now();
  const theirs = await store.clock();
  const [earliest, latest] = [before - CLOCK_TOLERANCE, now() + CLOCK_TOLERANCE];
  if (theirs >= earliest && theirs <= latest) return { check, result: "good", detail: "agrees with this machine" };
  const seconds = Math.round(Math.abs(theirs - before) / 1_000);
  const detail = `is ${seconds} s ${theirs > before ? "ahead of" : "behind"} this machine: set both by NTP`;
  return { check, result: "warning", detail };
}

/** Whether SECRET_KEY_PREVIOUS can be removed. */
export async function checkPreviousSecret(
  { sealedTexts }: Pick<Store, "sealedTexts">,
  config: Config,
  sealer: () => Sealer,
): Promise<Finding[]> {
  if (config.SECRET_KEY_PREVIOUS === null) return [];
  const check = "previous secret";
  const { outdated, unreadable } = await countOutdated(sealedTexts, sealer());
  const lost = unreadable === 0 ? "" : `; ${unreadable} texts can be read with neither secret`;
  const detail =
    outdated > 0
      ? `${outdated} texts are still encrypted with SECRET_KEY_PREVIOUS: a running server encrypts them again${lost}`
      : `nothing is encrypted with SECRET_KEY_PREVIOUS any more: it can be removed${lost}`;
  return [{ check, result: outdated + unreadable > 0 ? "warning" : "good", detail }];
}

export async function checkWebhooks({ webhooks }: Pick<Store, "webhooks">): Promise<Finding[]> {
  const check = "webhooks";
  const all = await webhooks.list();
  if (all.length === 0) return [];
  const gone = all.filter(({ disabledBy }) => disabledBy === "receiver").map(({ id }) => id);
  if (gone.length > 0)
    return [
      { check, result: "warning", detail: `disabled by their receivers, which answered 410: ${gone.join(", ")}` },
    ];
  const [failed] = await webhooks.listDeliveries({ state: "FAILED", limit: 1 });
  if (failed === undefined) return [{ check, result: "good", detail: `${all.length}, and no delivery was given up` }];
  const command = `${commandLine()} webhook deliveries ${failed.webhookId} --state FAILED`;
  return [{ check, result: "warning", detail: `deliveries were given up: ${command}` }];
}
