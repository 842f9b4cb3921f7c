import type { AnswerSeal } from "../domain/idempotency.ts";
import { openSealer, openSigner } from "./seal.ts";

/**
 * @param secret the installation's, under which kept answers are encrypted in the database
 * @param previous as `openSealer` has it
 */
export function openAnswerSeal(secret: Uint8Array, previous: Uint8Array | null = null): AnswerSeal {
  const { seal, open } = openSealer(secret, previous);
  const { sign, verify } = openSigner(secret, "requests with an Idempotency-Key", previous);
  return { seal, open, digest: sign, isDigest: verify };
}
