import { ownClients } from "../app/own-client.ts";
import type { Config } from "../config/config.ts";
import type { ClientAdministration } from "../domain/clients/client-administration.ts";
import { CLIENT_CREDENTIALS } from "../secrets/client-secret.ts";
import { withAdministration } from "./context.ts";

/** Runs a task of the operator about clients. */
export function withClients(
  task: (administration: ClientAdministration, config: Config) => Promise<void>,
): Promise<void> {
  return withAdministration((administration, config) =>
    task(
      {
        ...administration,
        credentials: CLIENT_CREDENTIALS,
        nativeSchemes: config.NATIVE_SCHEMES,
        builtIn: ownClients(config).map(({ id }) => id),
        resources: config.RESOURCES.map(({ identifier }) => identifier),
      },
      config,
    ),
  );
}
