import { AppError } from "../../domain/errors.ts";
import type { User } from "../../domain/people/user.ts";
import type { Sealer } from "../../secrets/seal.ts";

/** Seconds for which digits stand in the app (RFC 6238 section 5.2). */
const STEP_SECONDS = 30;
/** Bytes of a secret: as long as a SHA-1 hash (RFC 4226 section 4, R6). */
const SECRET_BYTES = 20;
const FORM = { algorithm: "SHA1", digits: 6, period: STEP_SECONDS } as const;
/** Steps before and after the present one whose digits count: typing takes time, and clocks differ. */
const SIGN_IN_WINDOW = 1;
/** Steps within which a wrong clock is recognized at set-up. */
const SET_UP_WINDOW = 10;

/** @returns Base32 of 160 random bits */
export async function newTotpSecret(): Promise<string> {
  const { Secret } = await library();
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The `otpauth:` URI that authenticator apps read. A colon would end the operator's name. */
export async function totpUri(secret: string, operator: string, { email }: Pick<User, "email">): Promise<string> {
  const { TOTP } = await library();
  return new TOTP({ ...FORM, issuer: operator.replaceAll(":", " "), label: email, secret }).toString();
}

/** The six digits in a typed text, without blanks and dashes; null for anything else. Digits of other scripts are none. */
export function digitsOf(typed: string): string | null {
  if (typed.length > 100) return null;
  const digits = typed.replace(/[\s\p{Pd}]/gu, "");
  return /^[0-9]{6}$/.test(digits) ? digits : null;
}

/**
 * The time step (RFC 6238 section 4.2) that these digits belong to: the present one, the one before or the one after.
 *
 * @param now Unix time in milliseconds, by the server's clock
 */
export async function matchStep(secret: string, digits: string, now: number): Promise<number | null> {
  const delta = await matchWithin(secret, digits, now, SIGN_IN_WINDOW);
  return delta === null ? null : presentStep(now) + delta;
}

/** The step of the digits that confirm a new app; how wrong its clock is where that is why they do not count. */
export async function matchAtSetUp(
  secret: string,
  digits: string,
  now: number,
): Promise<{ readonly step: number } | { readonly driftSeconds: number } | null> {
  const delta = await matchWithin(secret, digits, now, SET_UP_WINDOW);
  if (delta === null) return null;
  return Math.abs(delta) <= SIGN_IN_WINDOW
    ? { step: presentStep(now) + delta }
    : { driftSeconds: delta * STEP_SECONDS };
}

async function matchWithin(secret: string, token: string, timestamp: number, window: number): Promise<number | null> {
  const { Secret, TOTP } = await library();
  return TOTP.validate({ ...FORM, secret: Secret.fromBase32(secret), token, timestamp, window });
}

function presentStep(now: number): number {
  return Math.floor(now / 1_000 / STEP_SECONDS);
}

/** Secrets of one person's app, as the database has them. `secrets/reseal.ts` knows the context too. */
export function sealTotpSecret(sealer: Sealer, { id }: Pick<User, "id">, secret: string): string {
  return sealer.seal(secret, `TotpFactor ${id}`);
}

/** @throws AppError INTERNAL for a secret that was sealed under another SECRET_KEY, or for another person */
export function openTotpSecret(sealer: Sealer, { id }: Pick<User, "id">, sealed: string): string {
  const secret = sealer.open(sealed, `TotpFactor ${id}`);
  if (secret === null)
    throw new AppError("INTERNAL", "An authenticator app was set up with another SECRET_KEY. Put that key back.");
  return secret;
}

/** Loaded when somebody needs it: a start does not. */
function library(): Promise<typeof import("otpauth")> {
  return import("otpauth");
}
