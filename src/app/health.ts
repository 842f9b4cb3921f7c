import type { Config } from "../config/config.ts";
import type { Store } from "../domain/store/store.ts";
import type { AdministrationTools } from "../graphql/administration/field.ts";
import type { Log } from "../observe/log.ts";
import type { Sealer } from "../secrets/seal.ts";
import { programVersion } from "./program-version.ts";

interface HealthServices {
  readonly store: Store;
  readonly sealer: Sealer;
  readonly log: Log;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

/** The checks of the running server, which are loaded when an administrator first asks. */
export function openHealthOf(config: Config, { sealer, ...services }: HealthServices): AdministrationTools["health"] {
  let opened: Promise<AdministrationTools["health"]> | null = null;
  async function open(): Promise<AdministrationTools["health"]> {
    const version = programVersion();
    const { openHealth } = await import("../diagnosis/health.ts");
    return openHealth({ config, version, sealer: () => sealer, ...services });
  }
  return async () => {
    opened ??= open();
    return (await opened)();
  };
}
