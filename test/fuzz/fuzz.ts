import assert from "node:assert/strict";
import { readCorpus } from "./corpus.ts";
import type { Installation } from "./installation.ts";
import { mutateText } from "./mutate.ts";
import { mutateRequest, readRequest } from "./mutate-request.ts";
import { Random } from "./random.ts";
import type { Target } from "./targets.ts";
import { tryInput } from "./trial.ts";

/** Inputs after which tokens and sessions are renewed. */
const RENEWED_AFTER = 500;
/** Inputs after which failed sign-ins are forgotten. */
const FORGIVEN_AFTER = 20;
/** Values that serve once, or that inputs may revoke. */
const USED_UP = /\{\{(code|refresh|spare|visitor)\}\}/;
/** Faults after which a run ends. */
const ENOUGH = 20;

/** A time or number after which a run ends, whichever comes first. */
export interface Extent {
  readonly inputs: number;
  /** Milliseconds. */
  readonly time: number;
}

/** The seed of this run: `FUZZ_SEED`, or a new one. */
export const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);

/** Every input of the corpus, as it is. @returns number of inputs */
export async function tryCorpus(on: Installation, target: Target): Promise<number> {
  const corpus = readCorpus(target);
  const faults: string[] = [];
  let isUsedUp = false;
  for (const { name, text } of corpus) {
    if (USED_UP.test(text)) {
      if (isUsedUp) await on.renew();
      isUsedUp = true;
    }
    for (const fault of await tryInput(on, target, text, true)) faults.push(`${name}: ${fault}`);
  }
  assert.deepEqual(faults, []);
  return corpus.length;
}

/**
 * Inputs made from the corpus, of which each follows from the seed and its number.
 *
 * @returns number of inputs
 * @throws AssertionError with each input that something was wrong with, and all that was
 */
export async function fuzz(on: Installation, target: Target, extent: Extent, seed = SEED): Promise<number> {
  const texts = readCorpus(target).map(({ text }) => text);
  const faults = new Map<string, string>();
  const end = performance.now() + extent.time;
  let tried = 0;
  for (; tried < extent.inputs && performance.now() < end && faults.size < ENOUGH; tried++) {
    if (tried % FORGIVEN_AFTER === 0) await on.forgive();
    if (tried % RENEWED_AFTER === RENEWED_AFTER - 1) await on.renew();
    const text = inputOf(target, texts, new Random(Math.imul(seed, 0x9e3779b1) + tried));
    const found = await tryInput(on, target, text, false);
    if (found.length > 0) faults.set(found.join("\n").slice(0, 200), describe(target, seed, tried, text, found));
  }
  assert.deepEqual([...faults.values()], [], `${target.name}, seed ${seed}`);
  return tried;
}

function inputOf({ kind }: Target, texts: readonly string[], random: Random): string {
  const text = random.pick(texts);
  if (kind !== "request") return mutateText(random, text, texts);
  const requests = texts.map(readRequest);
  let { head, body } = readRequest(text);
  for (let times = random.pick([1, 1, 1, 2, 3]); times > 0; times--)
    ({ head, body } = mutateRequest(random, { head, body }, requests));
  return `${head}\n\n${body}`;
}

function describe({ name }: Target, seed: number, number: number, text: string, faults: readonly string[]): string {
  const input = JSON.stringify(text.length > 3_000 ? `${text.slice(0, 3_000)}…` : text);
  return `${name} ${number} of seed ${seed}: ${faults.join("; ").slice(0, 3_000)}\n  input: ${input}`;
}
