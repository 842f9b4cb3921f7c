import { Command, Option } from "commander";
import {
  keySet,
  keyState,
  listSigningKeys,
  publishedUntil,
  replaceSigningKeys,
  rotateSigningKeys,
} from "../authorization-server/tokens/keys.ts";
import type { Config } from "../config/config.ts";
import { SIGNING_ALGORITHMS, type SigningAlgorithm } from "../domain/clients/client.ts";
import { AppError } from "../domain/errors.ts";
import type { SigningKey as KeptKey } from "../domain/store/signing-keys.ts";
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
    .action((options: { json?: boolean }) => withStore((store, _config, now) => print(store, now(), options.json)));
  command
    .command("show <kid>")
    .description("prints everything about a key except its private part")
    .option("--json", "print JSON")
    .action((kid: string, options: { json?: boolean }) =>
      withStore(async (store, _config, now) => {
        const key = (await store.signingKeys.list()).find((candidate) => candidate.kid === kid);
        if (key === undefined) throw new AppError("NOT_FOUND", `There is no key ${kid}.`);
        await printRecord(describe(key, now()), options.json);
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
      "for keys that leaked: the old ones are not published any more, and ID tokens that they signed are refused",
    )
    .option("--json", "print JSON")
    .action((options: RotateOptions) => withStore((store, config, now) => rotate(options, store, config, now)));
  return command;
}

async function rotate(options: RotateOptions, store: Store, config: Config, clock: Clock): Promise<void> {
  const sealer = sealerOf(config);
  const now = clock();
  const algorithms = [...new Set(options.algorithm)];
  // Under another secret the new keys would be what keeps every node from starting.
  keySet(await listSigningKeys(store, sealer, clock), sealer, now);
  if (options.atOnce) await replaceSigningKeys(store, sealer, algorithms, now);
  else await rotateSigningKeys(store, sealer, algorithms, { now, maxAgeSeconds: config.JWKS_MAX_AGE });
  const detail = `${algorithms.join(" ")} rotated${options.atOnce ? ", the old ones withdrawn" : ""}`;
  await record(store, config, clock, { event: "keys", result: "ok", detail });
  await print(store, now, options.json);
  hint(
    options.atOnce
      ? "The new keys sign within a second. People whose clients check old ID tokens sign in again."
      : "The new keys are published within a second, and take over by themselves. There is nothing more to do.",
    options.json,
  );
}

/** The columns of a list. */
function summary({ kid, algorithm, state, signsFrom }: ReturnType<typeof describe>) {
  return { kid, algorithm, state, "signs from": signsFrom.slice(0, 10) };
}

function describe(key: KeptKey, now: number) {
  return {
    kid: key.kid,
    algorithm: key.algorithm,
    state: keyState(key, now),
    createdAt: key.createdAt,
    signsFrom: key.signsFrom,
    retiredAt: key.retiredAt,
    publishedUntil: publishedUntil(key),
  };
}

async function print({ signingKeys }: Store, now: number, json: boolean | undefined): Promise<void> {
  const rows = (await signingKeys.list()).map((key) => describe(key, now));
  if (json) return printTable(rows, true);
  await printTable(rows.map(summary), false, ["kid"]);
}
