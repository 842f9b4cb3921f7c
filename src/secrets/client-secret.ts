import { randomBytes } from "node:crypto";
import { hashToken } from "./token-hash.ts";

/** Hexadecimal, so that it never begins with a dash on a command line. */
export function newClientId(): string {
  return randomBytes(12).toString("hex");
}

/** 256 random bits, so that a plain hash (`hashToken`) keeps it safe. */
export function newClientSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Credentials of clients that the operator registers. */
export const CLIENT_CREDENTIALS = { newId: newClientId, newSecret: newClientSecret, hash: hashToken } as const;
