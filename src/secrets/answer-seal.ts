import type { AnswerSeal } from "../domain/idempotency.ts";
import { openSealer, openSigner } from "./seal.ts";

/** @param secret the installation's, under which kept answers are encrypted in the database */
export function openAnswerSeal(secret: Uint8Array): AnswerSeal {
  const { seal, open } = openSealer(secret);
  return { seal, open, digest: openSigner(secret, "requests with an Idempotency-Key").sign };
}
