import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { AppError } from "../domain/errors.ts";

/** OWASP's choice for argon2id: 19 MiB, two passes, one lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** Each computation holds 19 MiB and one of libuv's four threads, which files and DNS need too. */
const AT_ONCE = 2;
const WAITING = 64;

const derive = promisify(argon2);

/**
 * @returns a PHC string of argon2id
 * @throws AppError UNAVAILABLE when too many wait already
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await compute(password, salt, COST, HASH_BYTES);
  const { memory, passes, parallelism } = COST;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(hash)}`;
}

/**
 * Whether the password belongs to the hash. Without a hash it does the same work and says no, so that nobody can tell
 * by the clock which addresses have an account (A40).
 *
 * @throws AppError UNAVAILABLE when too many wait already
 */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const { cost, salt, hash } = (passwordHash === null ? null : parse(passwordHash)) ?? NOBODY;
  const actual = await compute(password, salt, cost, hash.length);
  return timingSafeEqual(actual, hash) && passwordHash !== null;
}

const NOBODY = { cost: COST, salt: Buffer.alloc(SALT_BYTES), hash: Buffer.alloc(HASH_BYTES) };

function parse(phc: string) {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(phc);
  if (match === null) return null;
  const [, memory, passes, parallelism, salt = "", hash = ""] = match;
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, "base64"),
    hash: Buffer.from(hash, "base64"),
  };
}

let running = 0;
const queue: (() => void)[] = [];

interface Cost {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

async function compute(password: string, salt: Buffer, cost: Cost, tagLength: number): Promise<Buffer> {
  await enter();
  try {
    return await derive("argon2id", { message: normalise(password), nonce: salt, tagLength, ...cost });
  } finally {
    leave();
  }
}

function enter(): Promise<void> | undefined {
  if (running < AT_ONCE) {
    running++;
    return undefined;
  }
  if (queue.length >= WAITING)
    throw new AppError("UNAVAILABLE", "Too many people are signing in. Try again shortly.", { retryAfter: 5 });
  return new Promise((resolve) => queue.push(resolve));
}

/** Hands the place to the next in the queue, if there is one. */
function leave(): void {
  const next = queue.shift();
  if (next === undefined) running--;
  else next();
}

/** NFC, as RFC 8265 section 4.2 has it: the same keys give the same password on every system, and nothing else changes. */
export function normalise(password: string): string {
  return password.normalize("NFC");
}

function unpadded(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}
