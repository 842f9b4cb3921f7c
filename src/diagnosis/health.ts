import { setTimeout as pause } from "node:timers/promises";
import { programName } from "../config/command-line.ts";
import type { Config } from "../config/config.ts";
import { databaseFile } from "../config/database-file.ts";
import { mailMode } from "../config/mail-mode.ts";
import type { Store } from "../domain/store/store.ts";
import { describeFault } from "../observe/describe-fault.ts";
import type { Log } from "../observe/log.ts";
import type { Sealer } from "../secrets/seal.ts";
import { ADVICE } from "./advice.ts";
import type { Finding } from "./finding.ts";
import { checkBackup, checkDisk } from "./machine.ts";
import { checkOutbox } from "./mails.ts";
import {
  checkAnswers,
  checkEvents,
  checkLatePosts,
  checkMemory,
  checkMigrations,
  checkNodes,
  checkReplicaLag,
  checkVersion,
} from "./running.ts";
import { checkAddresses, checkClock, checkSecret } from "./settings.ts";
import { checkDatabaseClock, checkKeys, checkPreviousSecret, checkWebhooks } from "./stored.ts";

type HealthState = "ok" | "warning" | "failing";

type HealthCheck = {
  readonly name: string;
  readonly state: HealthState;
  /** One sentence. No full stop follows a URL, a path or a command. */
  readonly detail: string;
  /** A sentence that says what to do; null for a check that found nothing wrong. */
  readonly advice: string | null;
};

interface Health {
  /** State of the worst check. */
  readonly state: HealthState;
  /** RFC 3339, UTC, milliseconds. */
  readonly checkedAt: string;
  /** The worst first. */
  readonly checks: readonly HealthCheck[];
}

interface HealthOptions {
  readonly config: Config;
  readonly store: Store;
  readonly sealer: () => Sealer;
  readonly version: string;
  readonly log: Log;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

/** One or more findings of one kind. */
type Check = readonly [name: string, find: () => Finding | Finding[] | Promise<Finding | Finding[]>];

/** Milliseconds for which an answer is kept, for all callers. */
const KEPT = 1_000;
/** Milliseconds after which a check counts as hanging. */
const PATIENCE = 2_000;
const STATES = { good: "ok", warning: "warning", wrong: "failing" } as const;
const WORST_FIRST: readonly HealthState[] = ["failing", "warning", "ok"];

/** The health of the process that answers, and of what it uses. */
export function openHealth(options: HealthOptions): () => Promise<Health> {
  return openChecks(checksOf(options), options);
}

function checksOf({ config, store, sealer, version, now }: HealthOptions): Check[] {
  return [
    ["database", () => checkAnswers(store)],
    ["migrations", () => checkMigrations(store)],
    ["replica", () => checkReplicaLag(store)],
    ["nodes", () => checkNodes(store)],
    ["scheduled posts", () => checkLatePosts(store, now())],
    ["events", () => checkEvents(store, now())],
    ["webhooks", () => checkWebhooks(store)],
    ["mail outbox", () => (mailMode(config) === "none" ? [] : checkOutbox(store.mails, now()))],
    ["keys", () => checkKeys(store, { config, sealer, now: now() })],
    ["secret", () => checkSecret(config)],
    ["previous secret", () => checkPreviousSecret(store, config, sealer)],
    ["addresses", () => checkAddresses(config)],
    ["clock", () => checkClock(new Date(now()))],
    ["clock of the database", () => (databaseFile(config) === null ? checkDatabaseClock(store, now) : [])],
    ["disk", () => checkDisk(config)],
    ["backup", () => checkBackup(config, now(), "content-api")],
    ["memory", checkMemory],
    ["version", () => checkVersion(version, config)],
  ];
}

/** Runs checks for any number of callers: at most once in `KEPT`, and never one beside itself. */
export function openChecks(
  checks: readonly Check[],
  { log, now, patience = PATIENCE }: Pick<HealthOptions, "log" | "now"> & { readonly patience?: number },
): () => Promise<Health> {
  const running = new Map<string, Promise<Finding[]>>();
  let last: { readonly at: number; readonly health: Promise<Health> } | null = null;

  async function run([name, find]: Check): Promise<Finding[]> {
    const begun = running.get(name);
    const result =
      begun ??
      (async () => [await find()].flat())()
        .catch((error: unknown): Finding[] => {
          log.warn({ check: name, error: describeFault(error) }, "a check of the health failed");
          return [{ check: name, result: "wrong", detail: "the check itself failed, and the log says why" }];
        })
        .finally(() => running.delete(name));
    running.set(name, result);
    const ended = new AbortController();
    const hangs: Promise<Finding[]> = pause(patience, undefined, { signal: ended.signal }).then(
      () => [{ check: name, result: "wrong", detail: `no answer within ${patience / 1_000} s` }],
      () => [],
    );
    try {
      return await Promise.race([result, hangs]);
    } finally {
      ended.abort();
    }
  }

  async function examine(): Promise<Health> {
    const findings = (await Promise.all(checks.map(run))).flat();
    const found = findings.flatMap(({ check, result, detail }): HealthCheck[] => {
      if (result === "unchecked") return [];
      const state = STATES[result];
      return [{ name: check, state, detail: sentence(detail), advice: state === "ok" ? null : adviceFor(check) }];
    });
    const sorted = WORST_FIRST.flatMap((state) => found.filter((one) => one.state === state));
    return { state: sorted[0]?.state ?? "ok", checkedAt: new Date(now()).toISOString(), checks: sorted };
  }

  return () => {
    const at = performance.now();
    if (last === null || at - last.at >= KEPT) last = { at, health: examine() };
    return last.health;
  };
}

function adviceFor(check: string): string {
  return ADVICE[check] ?? "Read the log of the server.";
}

/** URLs, paths and commands stay as they are, so that they can be copied. */
function sentence(text: string): string {
  const [first = "", ...others] = text.split(" ");
  const begun = isPlace(first) ? text : `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return isPlace(others.at(-1) ?? first) || text.includes(`${programName()} `) ? begun : `${begun}.`;
}

function isPlace(word: string): boolean {
  return /[\\/]/.test(word);
}
