import { Command } from "commander";
import { programName } from "../config/command-line.ts";
import { addClientSecret, endClientSecret, getClient } from "../domain/clients/client-administration.ts";
import type { ClientSecret } from "../domain/clients/client-secret.ts";
import { parseId } from "../domain/id.ts";
import { withClients } from "./client-administration.ts";
import { withStore } from "./context.ts";
import { hint, printRecord, printSecret, printTable } from "./terminal/output.ts";

/** Several secrets of one client, so that a new one can be rolled out before the old one ends. */
export function clientSecretCommand(): Command {
  const command = new Command("secret").description("secrets of a client: up to five work beside each other");
  command
    .command("list <client-id>")
    .description("lists the secrets of a client by their last characters, and when each was last used")
    .option("--json", "print JSON")
    .action((id: string, options: { json?: boolean }) =>
      withStore(async (store) => {
        await getClient(store, id);
        const secrets = await store.clients.listSecrets([id]);
        if (secrets.length === 0 && !options.json) return hint("This client has no secret.");
        return printTable(secrets.map(row), options.json, ["id"]);
      }),
    );
  command
    .command("add <client-id>")
    .description("makes a secret that works beside the others; prints it once only")
    .option("--json", "print JSON")
    .action((id: string, options: { json?: boolean }) =>
      withClients(async (administration) => {
        const { secret } = await addClientSecret(administration, id);
        await printSecret(
          printRecord({ client_id: id, client_secret: secret }, options.json),
          () => `The new secret was not shown. End it: ${programName()} client secret list ${id}`,
        );
        hint("The other secrets still work. The new one is shown this once only.", options.json);
      }),
    );
  command
    .command("end <client-id> <secret-id>")
    .description("ends one secret of a client; the only one that is left cannot be ended")
    .action((id: string, secretId: string) =>
      withClients(async (administration) => {
        const { secret } = await endClientSecret(administration, id, parseId(secretId));
        const used =
          secret.lastUsedAt === null
            ? "It was never used, as far as is known."
            : `It was last used at ${secret.lastUsedAt}.`;
        hint(`The secret ends within a second. ${used}`);
      }),
    );
  return command;
}

function row({ id, hint: ending, createdAt, lastUsedAt, endedAt }: ClientSecret) {
  const state = endedAt === null ? "active" : "ended";
  return { id, ending: ending ?? "unknown", created: createdAt, lastUsed: lastUsedAt ?? "unknown", state };
}
