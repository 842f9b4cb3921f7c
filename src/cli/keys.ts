import { Command, Option } from "commander";
import { openKeyControl } from "../authorization-server/tokens/key-control.ts";
import type { Config } from "../config/config.ts";
import type { NewAuditEvent } from "../domain/audit.ts";
import { SIGNING_ALGORITHMS, type SigningAlgorithm } from "../domain/clients/client.ts";
import { AppError } from "../domain/errors.ts";
import { type KeyControl, rotateKeys, type ShownKey } from "../domain/store/signing-key-administration.ts";
import type { Store } from "../domain/store/store.ts";
import { type Clock, record, withStore } from "./context.ts";
import { sealerOf } from "./sealer.ts";
import { hint, printRecord, printTable } from "./terminal/output.ts";

interface RotateOptions {
  algorithm: SigningAlgorithm[];
  atOnce?: boolean;
  json?: boolean;
}

export function keysCommand(): Command {
  const command = new Command("keys").description("keys that sign ID tokens, published at /jwks");
  command
    .command("list")
    .description("lists every key: which signs, which comes next, and until when a retired one is published")
    .option("--json", "print JSON")
    .action((options: { json?: boolean }) =>
      withStore((store, config, now) => print(controlOf(store, config, now), options.json)),
    );
  command
    .command("show <kid>")
    .description("prints everything about a key except its private part")
    .option("--json", "print JSON")
    .action((kid: string, options: { json?: boolean }) =>
      withStore(async (store, config, now) => {
        const key = (await controlOf(store, config, now).list()).find((candidate) => candidate.kid === kid);
        if (key === undefined) throw new AppError("NOT_FOUND", `There is no key ${kid}.`);
        await printRecord(inOrder(key), options.json);
      }),
    );
  command
    .command("rotate")
    .description("creates new keys; running nodes start to use them, and every token stays valid")
    .addOption(
      new Option("--algorithm <algorithm...>", "keys to rotate")
        .choices(SIGNING_ALGORITHMS)
        .default([...SIGNING_ALGORITHMS]),
    )
    .option(
      "--at-once",
      "for keys that leaked: the old ones are not published any more, and clients reject ID tokens that they signed",
    )
    .option("--json", "print JSON")
    .action((options: RotateOptions) => withStore((store, config, now) => rotate(options, store, config, now)));
  return command;
}

async function rotate(options: RotateOptions, store: Store, config: Config, now: Clock): Promise<void> {
  const signingKeys = controlOf(store, config, now);
  const write = (event: NewAuditEvent) => record(store, config, now, event);
  const isLeaked = options.atOnce === true;
  await rotateKeys({ store, signingKeys, actorId: null, now, record: write }, options.algorithm, isLeaked);
  await print(signingKeys, options.json);
  hint(
    options.atOnce
      ? "The new keys sign within a second. People whose clients check old ID tokens sign in again."
      : "The new keys are published within a second, and take over by themselves. There is nothing more to do.",
    options.json,
  );
}

function controlOf(store: Store, config: Config, now: Clock): KeyControl {
  return openKeyControl(store, { sealer: () => sealerOf(config), maxAgeSeconds: config.JWKS_MAX_AGE, now });
}

/** The columns of a list. */
function summary({ kid, algorithm, state, signsFrom }: ReturnType<typeof inOrder>) {
  return { kid, algorithm, state, "signs from": signsFrom.slice(0, 10) };
}

async function print(signingKeys: KeyControl, json: boolean | undefined): Promise<void> {
  const rows = (await signingKeys.list()).map(inOrder);
  if (json) return printTable(rows, true);
  await printTable(rows.map(summary), false, ["kid"]);
}

/** The fields as they have always been printed. */
function inOrder({ kid, algorithm, state, createdAt, signsFrom, retiredAt, publishedUntil }: ShownKey) {
  return { kid, algorithm, state, createdAt, signsFrom, retiredAt, publishedUntil };
}
