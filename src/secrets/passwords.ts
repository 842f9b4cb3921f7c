import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { AppError, badInput } from "../domain/errors.ts";
import { isCommonPassword } from "./common-passwords.ts";

const PASSWORD_LENGTH = { min: 15, max: 256 } as const;

/** OWASP's choice for argon2id: 19 MiB, two passes, one lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** Each computation holds 19 MiB and one of libuv's four threads, which files and DNS need too. */
const AT_ONCE = 2;
const WAITING = 64;

const derive = promisify(argon2);

/** Names of a person and of the service, which a guesser tries first. */
export interface PasswordContext {
  readonly email: string;
  readonly name: string;
  /** The name of this service. */
  readonly operator: string;
}

/**
 * The rules for a new password (NIST SP 800-63B): length in code points, no composition rules, nothing that is easily
 * guessed.
 *
 * @throws AppError BAD_USER_INPUT with field `password`
 */
export function assertPassword(password: string, context: PasswordContext): void {
  const text = normalise(password);
  const length = [...text].length;
  if (!text.isWellFormed() || text.includes("\0"))
    throw badInput("password", "The password must be valid Unicode text without U+0000.");
  if (length < PASSWORD_LENGTH.min)
    throw badInput("password", `The password must have at least ${PASSWORD_LENGTH.min} characters.`);
  if (length > PASSWORD_LENGTH.max)
    throw badInput("password", `The password must have at most ${PASSWORD_LENGTH.max} characters.`);
  if (isCommonPassword(text)) throw badInput("password", "This password is among the first that anyone would guess.");
  const found = findContext(text, context);
  if (found !== null) throw badInput("password", `The password must not contain ${found}.`);
}

/** Names, for the person, the part of the context that the password contains; null for none (NIST SP 800-63B section 3.1.1.2). */
function findContext(password: string, { email, name, operator }: PasswordContext): string | null {
  const [local = ""] = email.split("@");
  const pieces: readonly (readonly [string, readonly string[]])[] = [
    ["the account's name", [name, ...name.split(/[^\p{L}\p{M}\p{N}]+/u)]],
    ["the account's e-mail address", [email, local]],
    ["the name of this service", [operator]],
  ];
  return pieces.find(([, texts]) => texts.some((text) => containsPiece(password, letters(text))))?.[0] ?? null;
}

/** A piece of three letters counts as a word of its own only: as a part, "ada" is in "canada". Ideographs stand for words. */
function containsPiece(password: string, piece: string): boolean {
  const length = [...piece].length;
  if (length >= 4 || (length >= 2 && IDEOGRAPHS.test(piece))) return letters(password).includes(piece);
  return length === 3 && password.split(/[^\p{L}\p{M}\p{N}]+/u).some((word) => letters(word) === piece);
}

const IDEOGRAPHS = /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]+$/u;

/** Letters and digits alone, without case, accents and forms. */
function letters(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "")
    .normalize("NFC");
}

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
function normalise(password: string): string {
  return password.normalize("NFC");
}

function unpadded(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}
