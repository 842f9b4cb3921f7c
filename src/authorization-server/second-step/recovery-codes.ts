import type { Id } from "../../domain/id.ts";
import { CODE_LETTERS, lettersOf, randomLetters } from "../../secrets/random-letters.ts";
import { hashToken } from "../../secrets/token-hash.ts";

const CODES = 10;
/** 64.8 bits: NIST SP 800-63B-4 section 4.2.1.1 wants 64. */
const LENGTH = 15;
const PATTERN = new RegExp(`^[${CODE_LETTERS}]{${LENGTH}}$`);

/** Codes that a person keeps, such as `BCDFG-HJKLM-NPQRS` (U44). */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () => randomLetters(LENGTH).replace(/(.{5})(?=.)/g, "$1-"));
}

/** The letters of a code, whatever its case, blanks and dashes; null for a text that cannot be a code. */
export function parseRecoveryCode(typed: string): string | null {
  if (typed.length > 200) return null;
  const letters = lettersOf(typed);
  return PATTERN.test(letters) ? letters : null;
}

/** The form in which storage knows a code. Codes are long and random, so a plain hash suffices. */
export function hashRecoveryCode(userId: Id, letters: string): string {
  return hashToken(`recovery code ${userId} ${letters}`);
}

/** The codes as a text file. */
export function recoveryCodesFile(codes: readonly string[], operator: string, email: string): string {
  const head = [
    `Recovery codes of ${email} for ${operator}.`,
    "Each is good once, in place of your authenticator app or passkey.",
  ];
  return `${[...head, "", ...codes].join("\n")}\n`;
}
