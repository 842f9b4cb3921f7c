import { Command, Option } from "commander";
import { programName } from "../config/command-line.ts";
import {
  ASSERTION_ALGORITHMS,
  type AssertionAlgorithm,
  DEVICE_GRANT,
  GRANT_TYPES,
  type GrantType,
  SIGNING_ALGORITHMS,
  type SigningAlgorithm,
} from "../domain/clients/client.ts";
import {
  DEFAULT_GRANTS,
  disableClient,
  enableClient,
  registerClient,
  rotateClientSecret,
} from "../domain/clients/client-administration.ts";
import { AppError } from "../domain/errors.ts";
import { OPEN_SCOPES } from "../domain/scopes.ts";
import { withClients } from "./client-administration.ts";
import { addChangeCommands } from "./client-changes.ts";
import { type ClientKeyOptions, readCertificateSubject, readClientKeys } from "./client-keys.ts";
import { describe, summary } from "./client-rows.ts";
import { clientSecretCommand } from "./client-secrets.ts";
import { clientTokenCommand } from "./client-token.ts";
import { withStore } from "./context.ts";
import { hint, printRecord, printSecret, printTable } from "./terminal/output.ts";
import { cellText } from "./terminal/table.ts";

interface CreateOptions extends ClientKeyOptions {
  name: string;
  redirectUri: string[];
  postLogoutRedirectUri: string[];
  backchannelLogoutUri?: string;
  idTokenAlgorithm: SigningAlgorithm;
  public?: boolean;
  confidential?: boolean;
  scope: string;
  grant?: (GrantType | "device_code")[];
  assertionAlgorithm?: AssertionAlgorithm;
  resourceServer?: string;
  firstParty?: boolean;
  dpop?: boolean;
  tlsClientAuthSubject?: string;
  certificateBound?: boolean;
  requirePar?: boolean;
  requireSignedRequests?: boolean;
  json?: boolean;
}

export function clientCommand(): Command {
  const command = new Command("client").description("OAuth clients: programs that act for people, or for themselves");
  command
    .command("create")
    .description("registers a client; prints its client_id and, once only, its client_secret")
    .requiredOption("--name <name>", "name that people see on the consent page")
    .option("--redirect-uri <uri...>", "URIs that people return to after consent, compared exactly", [])
    .option("--post-logout-redirect-uri <uri...>", "URIs that people may return to after sign-out", [])
    .option("--backchannel-logout-uri <uri>", "URL to call when a person signs out (https)")
    .addOption(
      new Option("--id-token-algorithm <algorithm>", "algorithm that signs its ID tokens")
        .choices(SIGNING_ALGORITHMS)
        .default(SIGNING_ALGORITHMS[0]),
    )
    .addOption(
      new Option(
        "--public",
        "a client that cannot keep a secret: in a browser, on a phone, on the command line",
      ).conflicts("confidential"),
    )
    .addOption(
      new Option(
        "--jwks <file>",
        "a client that signs who it is (private_key_jwt): its public keys, as a JWK Set",
      ).conflicts("public"),
    )
    .addOption(
      new Option(
        "--jwks-uri <uri>",
        "the same, with its keys at an address of its own (https), where it may replace them",
      ).conflicts(["public", "jwks"]),
    )
    .addOption(
      new Option(
        "--assertion-algorithm <algorithm>",
        "what it signs who it is with; any that its keys allow unless given",
      ).choices(ASSERTION_ALGORITHMS),
    )
    .addOption(
      new Option(
        "--tls-client-auth-subject <name>",
        "a client with a certificate of an authority that the proxy trusts (RFC 8705): its subject, as CN=client,O=Example, or one of DNS:, URI:, IP: or email: with its other name (CLIENT_CERTIFICATES=verified)",
      ).conflicts(["public", "jwks", "jwksUri", "selfSignedCertificate"]),
    )
    .addOption(
      new Option(
        "--self-signed-certificate [file]",
        "a client with a certificate of its own (RFC 8705), in PEM; without a file, those in --jwks or --jwks-uri, as x5c (CLIENT_CERTIFICATES=any)",
      ).conflicts("public"),
    )
    .option("--confidential", "a client with a secret: on a server (default)")
    .option("--scope <scope>", "scopes that the client may request, separated by spaces", OPEN_SCOPES.join(" "))
    .addOption(
      new Option(
        "--grant <grant...>",
        `grants that it may use; device_code for devices without a browser, client_credentials for acting for itself (default: ${DEFAULT_GRANTS.join(" ")}; none with --resource-server)`,
      ).choices([...GRANT_TYPES, "device_code"]),
    )
    .addOption(
      new Option(
        "--resource-server <uri>",
        "another API of yours, one of RESOURCES: it may ask at /introspect about tokens for it (RFC 7662)",
      ).conflicts("public"),
    )
    .option("--dpop", "binds all its tokens to a key (DPoP, RFC 9449); other clients may use DPoP too")
    .addOption(
      new Option(
        "--certificate-bound",
        "binds all its tokens to the certificate that it comes with (RFC 8705; CLIENT_CERTIFICATES)",
      ).conflicts("dpop"),
    )
    .option("--require-par", "accepts its authorization requests only through /par (RFC 9126)")
    .option(
      "--require-signed-requests",
      "refuses its authorization requests unless they are signed with its keys (RFC 9101; SIGNED_REQUESTS=true)",
    )
    .option("--first-party", "first-party client: people are not asked for consent")
    .option("--json", "print JSON")
    .action(create);
  command
    .command("list")
    .description("lists every client")
    .option("--json", "print JSON")
    .action((options: { json?: boolean }) =>
      withStore(async (store) => {
        const clients = await store.clients.list();
        if (options.json) return printTable(clients.map(describe), true);
        if (clients.length === 0) return hint("There are no clients yet.");
        return printTable(clients.map(summary), false, ["client_id"]);
      }),
    );
  command
    .command("show <client-id>")
    .description("prints everything about a client")
    .option("--json", "print JSON")
    .action((id: string, options: { json?: boolean }) =>
      withStore(async (store) => {
        const client = await store.clients.find(id);
        if (client === null) throw new AppError("NOT_FOUND", `There is no client ${id}.`);
        await printRecord(describe(client), options.json);
      }),
    );
  command
    .command("rotate-secret <client-id>")
    .description("replaces all secrets of a client by one; the old ones stop working immediately")
    .option("--json", "print JSON")
    .action((id: string, options: { json?: boolean }) =>
      withClients(async (administration) => {
        const { secret } = await rotateClientSecret(administration, id);
        const line = `${programName()} client rotate-secret ${id}`;
        await printSecret(
          printRecord({ client_id: id, client_secret: secret }, options.json),
          () => `The old secrets no longer work. Get another new one: ${line}`,
        );
        hint("The old secrets no longer work. The new one is shown this once only.", options.json);
      }),
    );
  for (const [name, description, change, done] of [
    [
      "disable",
      "rejects the client and all its tokens within a second",
      disableClient,
      "is disabled. It and all its tokens are rejected within a second.",
    ],
    ["enable", "lets a disabled client in again", enableClient, "is enabled."],
  ] as const) {
    command
      .command(`${name} <client-id>`)
      .description(description)
      .action((id: string) =>
        withClients(async (administration) => {
          const { name: clientName } = await change(administration, id);
          hint(`Client ${cellText(clientName)} (${id}) ${done}`);
        }),
      );
  }
  addChangeCommands(command);
  command.addCommand(clientSecretCommand());
  command.addCommand(clientTokenCommand());
  return command;
}

async function create(options: CreateOptions): Promise<void> {
  const jwks = await readClientKeys(options);
  await withClients(async (administration, config) => {
    const { client, secret } = await registerClient(administration, {
      name: options.name,
      type: options.public ? "public" : "confidential",
      jwks,
      jwksUri: options.jwksUri ?? null,
      assertionAlgorithm: options.assertionAlgorithm ?? null,
      redirectUris: options.redirectUri,
      postLogoutRedirectUris: options.postLogoutRedirectUri,
      resourceServer: options.resourceServer ?? null,
      grantTypes: (options.grant ?? (options.resourceServer === undefined ? DEFAULT_GRANTS : [])).map((grant) =>
        grant === "device_code" ? DEVICE_GRANT : grant,
      ),
      scopes: options.scope.split(/\s+/).filter((scope) => scope !== ""),
      firstParty: options.firstParty ?? false,
      dpopBound: options.dpop ?? false,
      certificateSubject: readCertificateSubject(options.tlsClientAuthSubject),
      selfSigned: options.selfSignedCertificate !== undefined,
      certificateBound: options.certificateBound ?? false,
      mustPush: options.requirePar ?? false,
      mustSign: options.requireSignedRequests ?? false,
      idTokenAlgorithm: options.idTokenAlgorithm,
      backchannelLogoutUri: options.backchannelLogoutUri ?? null,
    });
    const line = secret === null ? "client list" : `client rotate-secret ${client.id}`;
    await printSecret(
      printRecord({ client_id: client.id, ...(secret === null ? {} : { client_secret: secret }) }, options.json),
      () => `The client is registered as ${client.id}. To go on: ${programName()} ${line}`,
    );
    hint(`Client ${cellText(client.name)} is registered.`, options.json);
    if (secret !== null) hint("The secret is shown this once only.", options.json);
    hint(`Discovery for the client's library: ${config.AUTH_URL}/.well-known/openid-configuration`, options.json);
  });
}
