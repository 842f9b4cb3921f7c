import { type Config, ConfigError } from "../config/config.ts";
import { openPasswordRules } from "../secrets/password-rules.ts";

/** Refuses a file of breached passwords that would fail at the first password. @throws ConfigError */
export async function assertPasswordFile(config: Config): Promise<void> {
  try {
    await openPasswordRules(config).check();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const words = code === undefined ? message : `cannot be read (${code})`;
    throw new ConfigError(`BREACHED_PASSWORDS names the file ${config.BREACHED_PASSWORDS}, which ${words}.`);
  }
}
