import { assertClient, type Client, type NewClient } from "../../domain/clients/client.ts";
import { type Described, type MetadataRules, readClientMetadata, readTexts } from "./client-metadata.ts";

const SECRETS: ReadonlySet<unknown> = new Set(["client_secret_basic", "client_secret_post"]);

/**
 * A client as its document describes it, by the way in which it authenticates. A document may offer both ways
 * (`token_endpoint_auth_methods_supported`): signed assertions, or nothing.
 */
export interface DescribedClient {
  /** null: it must authenticate. */
  readonly open: Client | null;
  /** null: it cannot authenticate. */
  readonly signed: Client | null;
}

/** @throws InvalidMetadata, AppError BAD_USER_INPUT, Error for a document that offers no way */
export function describeClient(
  id: string,
  document: Readonly<Record<string, unknown>>,
  rules: MetadataRules,
  now: number,
): DescribedClient {
  if (document.client_secret !== undefined) throw new Error("a secret that everybody can read is none");
  const described = methodsOf(document).map((method) =>
    readClientMetadata({ ...document, token_endpoint_auth_method: method }, "none", rules),
  );
  const toClient = (given: Described | undefined) =>
    given === undefined ? null : clientOf(id, given, rules.nativeSchemes, now);
  return {
    open: toClient(described.find(({ authentication }) => authentication === "none")),
    signed: toClient(described.find(({ authentication }) => authentication !== "none")),
  };
}

/** The ways that count here. RFC 7591 section 2 has one, in the singular; ChatGPT's document lists several. */
function methodsOf(document: Readonly<Record<string, unknown>>): unknown[] {
  const { token_endpoint_auth_method: single, jwks, jwks_uri: jwksUri } = document;
  const several = readTexts(document, "token_endpoint_auth_methods_supported");
  if (single !== undefined && single !== null && several === undefined) return [assertNoSecret(single)];
  const offered = new Set([single, ...(several ?? [])]);
  const hasKeys = (jwks ?? jwksUri ?? null) !== null;
  const usable = [hasKeys ? "private_key_jwt" : "", "none"].filter((method) => offered.has(method));
  if (usable.length > 0) return usable;
  return several === undefined ? ["none"] : [assertNoSecret(several[0] ?? "")];
}

function assertNoSecret(method: unknown): unknown {
  if (SECRETS.has(method)) throw new Error("a secret that everybody can read is none");
  return method;
}

function clientOf(
  id: string,
  { authentication, ...described }: Described,
  nativeSchemes: readonly string[],
  now: number,
): Client {
  const client = {
    ...described,
    id,
    type: authentication === "none" ? "public" : "confidential",
    secretHash: null,
    firstParty: false,
    origin: "document",
    registrationTokenHash: null,
  } as const satisfies NewClient;
  assertClient(client, nativeSchemes);
  return {
    ...client,
    ...{ backchannelLogoutUri: null, resourceServer: null },
    ...{ createdAt: new Date(now).toISOString(), disabledAt: null },
    ...{ otherSecretHashes: [], owner: null, disabledBy: null, lastUsedAt: null, trialUntil: null },
  };
}
