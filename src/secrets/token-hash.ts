import { hash } from "node:crypto";

/**
 * SHA-256, base64url: the form in which storage knows a code, a token, a session id. They are random and long, so
 * that a plain hash suffices where a password would need argon2id.
 */
export function hashToken(token: string): string {
  return hash("sha256", token, "base64url");
}
