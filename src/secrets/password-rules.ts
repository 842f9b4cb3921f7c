import { AppError, badInput } from "../domain/errors.ts";
import { openBreachedPasswords } from "./breached-passwords.ts";
import { isCommonPassword } from "./common-passwords.ts";
import { normalise } from "./passwords.ts";

const PASSWORD_LENGTH = { min: 15, max: 256 } as const;

/** Settings under their own names: docs/reference/settings.md explains each. */
export interface PasswordSettings {
  readonly OPERATOR_NAME: string;
  /** Path of the file; null for none. */
  readonly BREACHED_PASSWORDS: string | null;
}

/** The person for whom the password is: a guesser tries their names first. */
interface PasswordOwner {
  readonly email: string;
  readonly name: string;
}

export interface PasswordRules {
  /**
   * Judges a new password (NIST SP 800-63B): its length in code points, no composition rules, nothing that is easily
   * guessed or known from a breach (ASVS 6.2.4, 6.2.12).
   *
   * @throws AppError BAD_USER_INPUT with field `password`, UNAVAILABLE when the breached passwords cannot be read
   */
  assert(password: string, owner: PasswordOwner): Promise<void>;
  /** @throws Error, with words that follow the name of the setting, when the file of breached passwords is unusable */
  check(): Promise<void>;
}

/** Opens nothing: the lists are read when a password is chosen. */
export function openPasswordRules({ OPERATOR_NAME, BREACHED_PASSWORDS }: PasswordSettings): PasswordRules {
  const breached = BREACHED_PASSWORDS === null ? null : openBreachedPasswords(BREACHED_PASSWORDS);
  return {
    async assert(password, owner) {
      const text = normalise(password);
      assertText(text);
      if (isCommonPassword(text)) throw badInput("password", KNOWN);
      const found = findOwn(text, owner, OPERATOR_NAME);
      if (found !== null) throw badInput("password", `The password must not contain ${found}.`);
      const isBreached = await breached?.has(text).catch((cause: unknown) => {
        throw new AppError("UNAVAILABLE", UNREADABLE, {}, cause);
      });
      if (isBreached === true) throw badInput("password", KNOWN);
    },
    async check() {
      await breached?.check();
    },
  };
}

const KNOWN = "This password is on a list of known passwords. Choose another.";
const UNREADABLE = "The list of known passwords cannot be read. Nothing was changed. Try again later.";

function assertText(text: string): void {
  const length = [...text].length;
  if (!text.isWellFormed() || text.includes("\0"))
    throw badInput("password", "The password must be valid Unicode text without U+0000.");
  if (length < PASSWORD_LENGTH.min)
    throw badInput("password", `The password must have at least ${PASSWORD_LENGTH.min} characters.`);
  if (length > PASSWORD_LENGTH.max)
    throw badInput("password", `The password must have at most ${PASSWORD_LENGTH.max} characters.`);
}

/** Names, for the person, the text of theirs or of the service that the password contains (NIST SP 800-63B section 3.1.1.2). */
function findOwn(password: string, { email, name }: PasswordOwner, operator: string): string | null {
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
