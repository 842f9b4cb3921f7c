import type { Config } from "../config/config.ts";
import { loadPreviousSecret, loadSecret } from "../config/installation-secret.ts";
import { openSealer, type Sealer } from "../secrets/seal.ts";

/** The sealer that the server has: it reads texts that are still encrypted with the previous secret too. */
export function sealerOf(config: Config): Sealer {
  return openSealer(loadSecret(config), loadPreviousSecret(config));
}
