import { type Command, Option } from "commander";
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
  type ClientUpdate,
  deleteClient,
  endClientTokens,
  updateClient,
} from "../domain/clients/client-administration.ts";
import { badInput } from "../domain/errors.ts";
import { withClients } from "./client-administration.ts";
import { readClientKeys } from "./client-keys.ts";
import { hint } from "./terminal/output.ts";
import { cellText } from "./terminal/table.ts";

interface UpdateOptions {
  name?: string;
  redirectUri?: string[];
  postLogoutRedirectUri?: string[];
  backchannelLogoutUri?: string;
  idTokenAlgorithm?: SigningAlgorithm;
  scope?: string;
  grant?: (GrantType | "device_code")[];
  jwks?: string;
  jwksUri?: string;
  assertionAlgorithm?: AssertionAlgorithm | "any";
  resourceServer?: string;
  firstParty?: boolean;
  dpop?: boolean;
  certificateBound?: boolean;
  requirePar?: boolean;
  requireSignedRequests?: boolean;
}

/** Stands for no value, in options that may have one. */
const NONE = "none";

/** The commands of `client` that change one, or remove it. */
export function addChangeCommands(command: Command): void {
  command
    .command("update <client-id>")
    .description("changes the settings that are given; its secrets and the way it says who it is stay")
    .option("--name <name>", "name that people see on the consent page")
    .option("--redirect-uri <uri...>", "all URIs that people return to after consent, compared exactly")
    .option("--post-logout-redirect-uri <uri...>", "all URIs that people may return to after sign-out")
    .option("--backchannel-logout-uri <uri>", `URL to call when a person signs out (https), or ${NONE}`)
    .option("--scope <scope>", "all scopes that the client may request, separated by spaces")
    .addOption(new Option("--grant <grant...>", "all grants that it may use").choices([...GRANT_TYPES, "device_code"]))
    .addOption(
      new Option("--id-token-algorithm <algorithm>", "algorithm that signs its ID tokens").choices(SIGNING_ALGORITHMS),
    )
    .option("--jwks <file>", "its public keys, as a JWK Set; only for a client with keys")
    .addOption(
      new Option("--jwks-uri <uri>", "URL of its public keys (https); only for a client with keys").conflicts("jwks"),
    )
    .addOption(
      new Option("--assertion-algorithm <algorithm>", "what it signs who it is with").choices([
        ...ASSERTION_ALGORITHMS,
        "any",
      ]),
    )
    .option("--resource-server <uri>", `another API of yours, one of RESOURCES, or ${NONE}`)
    .option("--first-party", "first-party client: people are not asked for consent")
    .option("--no-first-party", "people are asked for consent")
    .option("--dpop", "binds all its tokens to a key (DPoP, RFC 9449)")
    .option("--no-dpop", "binds its tokens to a key only if it asks for that")
    .option("--certificate-bound", "binds all its tokens to the certificate that it comes with (RFC 8705)")
    .option("--no-certificate-bound", "does not bind its tokens to a certificate")
    .option("--require-par", "accepts its authorization requests only through /par (RFC 9126)")
    .option("--no-require-par", "accepts its other authorization requests too")
    .option("--require-signed-requests", "refuses its authorization requests unless they are signed (RFC 9101)")
    .option("--no-require-signed-requests", "accepts its unsigned authorization requests too")
    .action((id: string, options: UpdateOptions) =>
      withClients(async (administration) => {
        const change = await changeOf(options);
        if (Object.values(change).every((value) => value === undefined))
          throw badInput("client", "Name at least one setting to change. client update --help lists them.");
        const { name } = await updateClient(administration, id, change);
        hint(`Client ${cellText(name)} (${id}) is changed.`);
      }),
    );
  command
    .command("delete <client-id>")
    .description("deletes a client; it and all its tokens are rejected within a second")
    .action((id: string) =>
      withClients(async (administration) => {
        await deleteClient(administration, id);
        hint(`The client ${id} is deleted. It and all its tokens are rejected within a second.`);
      }),
    );
  command
    .command("tokens")
    .description("tokens of a client")
    .command("end <client-id>")
    .description("ends all tokens of a client; people have to allow it again")
    .action((id: string) =>
      withClients(async (administration) => {
        let ended = await endClientTokens(administration, id);
        while (!ended.isComplete) ended = await endClientTokens(administration, id);
        hint(`All tokens of ${cellText(ended.client.name)} (${id}) are rejected within a second.`);
      }),
    );
}

async function changeOf(options: UpdateOptions): Promise<ClientUpdate> {
  const { scope, grant, jwks, jwksUri, assertionAlgorithm: algorithm } = options;
  const keys = await readClientKeys(jwks === undefined ? {} : { jwks });
  const given: ClientUpdate = {
    ...(options.name === undefined ? {} : { name: options.name }),
    ...(options.redirectUri === undefined ? {} : { redirectUris: options.redirectUri }),
    ...(options.postLogoutRedirectUri === undefined ? {} : { postLogoutRedirectUris: options.postLogoutRedirectUri }),
    ...(options.idTokenAlgorithm === undefined ? {} : { idTokenAlgorithm: options.idTokenAlgorithm }),
    ...(options.firstParty === undefined ? {} : { firstParty: options.firstParty }),
    ...(options.dpop === undefined ? {} : { dpopBound: options.dpop }),
    ...(options.certificateBound === undefined ? {} : { certificateBound: options.certificateBound }),
    ...(options.requirePar === undefined ? {} : { mustPush: options.requirePar }),
    ...(options.requireSignedRequests === undefined ? {} : { mustSign: options.requireSignedRequests }),
    ...orNone("backchannelLogoutUri", options.backchannelLogoutUri),
    ...orNone("resourceServer", options.resourceServer),
  };
  return {
    ...given,
    ...(scope === undefined ? {} : { scopes: scope.split(/\s+/).filter((one) => one !== "") }),
    ...(grant === undefined ? {} : { grantTypes: grant.map((one) => (one === "device_code" ? DEVICE_GRANT : one)) }),
    ...(keys === null ? {} : { jwks: keys, jwksUri: null }),
    ...(jwksUri === undefined ? {} : { jwks: null, jwksUri }),
    ...(algorithm === undefined ? {} : { assertionAlgorithm: algorithm === "any" ? null : algorithm }),
  };
}

function orNone(name: "backchannelLogoutUri" | "resourceServer", text: string | undefined): ClientUpdate {
  return text === undefined ? {} : { [name]: text === NONE ? null : text };
}
