import { hash, randomBytes } from "node:crypto";

/** Hexadecimal, so that it never begins with a dash on a command line. */
export function newClientId(): string {
  return randomBytes(12).toString("hex");
}

/** 256 random bits, so that a plain hash keeps it safe. */
export function newClientSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** What `Client.secretHash` keeps. */
export function hashSecret(secret: string): string {
  return hash("sha256", secret, "base64url");
}
