import { randomBytes } from "node:crypto";
import type { Config } from "../config/config.ts";
import type { PreviewTokens } from "../domain/posts/previews.ts";
import { hashToken } from "../secrets/token-hash.ts";

/** Bytes of a token: 256 bits. */
const LENGTH = 32;

export function previewTokensOf({ BASE_URL, PREVIEW_URL }: Pick<Config, "BASE_URL" | "PREVIEW_URL">): PreviewTokens {
  return {
    issue: () => randomBytes(LENGTH).toString("base64url"),
    hash: hashToken,
    urlOf: (token) => (PREVIEW_URL ?? `${BASE_URL}/preview/{token}`).replaceAll("{token}", token),
  };
}
