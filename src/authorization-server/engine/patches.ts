import { createRequire } from "node:module";
import type Provider from "oidc-provider";
import type { Client } from "oidc-provider";

/**
 * Every member of oidc-provider's classes that this server replaces or wraps, each with the reason. The engine offers no
 * setting for these. No other file writes to its classes, so an upgrade is checked against this list.
 */
export const PATCHES = {
  "BaseModel.verify": "Ends are exact to the second. The engine's tolerance is for dates that clients set.",
  "IdToken.validate": "No other JWT of this server passes for an ID token (RFC 8725 section 3.11).",
  "ReplayDetection.unique": "A single-use value is claimed in one step for all processes (RFC 9449 section 11.1).",
  "Client.find": "Clients stay in memory while unchanged, and those with a jwks_uri get our key cache.",
  "Client().asymmetricKeyStore": "Keys at a jwks_uri have a bounded lifetime, and fetches of them a pause.",
  "Client.prototype.compareClientSecret": "The stored secret is a hash.",
  "Client.prototype.redirectUriAllowed": "Only loopback addresses have a free port (RFC 8252 section 7.3).",
  "Client.prototype.postLogoutRedirectUriAllowed": "The same rule as for redirect URIs.",
  "Client.prototype.grantTypeAllowed": "The error is unauthorized_client (RFC 6749 section 5.2).",
  "Client.prototype.responseTypeAllowed": "The error is unauthorized_client (RFC 6749 section 4.1.2.1).",
  "Client.prototype.responseModeAllowed": "The fragment modes are not for codes.",
  "AccessToken.prototype.getValueAndPayload": "Storage keeps a note of each JWT, for /introspect and /revoke.",
  "ClientCredentials.prototype.getValueAndPayload": "Storage keeps a note of each JWT, for /introspect and /revoke.",
  "AuthorizationCode.find": "Its scope is reduced to what client and person may have now.",
  "DeviceCode.find": "Its scope is reduced to what client and person may have now.",
  "RefreshToken.find": "Its scope is reduced to what client and person may have now.",
  "AccessToken.find": "Its scope is reduced to what client and person may have now, and it tells what it is for.",
  "ClientCredentials.find": "Its scope is reduced to what the client may have now, and it tells what it is for.",
  "DeviceCode.prototype.save": "Only one browser may go on with a device code (RFC 8628 section 5.1).",
  "Session.get": "A sign-out leads to the registered URI, whose query stays as it is.",
  "Session.prototype.loginAccount": "A session remembers the passkey that it began with.",
  "Session.prototype.persist": "A session that was never stored has nothing to write back.",
  "Session.prototype.save": "The person recognizes sessions by the request that used them last.",
  "Session.IN_PAYLOAD": "That request is stored with the session.",
} as const;

export type PatchName = keyof typeof PATCHES;

type Method = (...args: never[]) => unknown;

/**
 * Replaces one method, or one getter, of the engine's classes.
 *
 * @param replace receives the original and returns the new one
 * @throws Error if the engine has no such method, so that no upgrade disables a patch silently
 */
export function patch<M extends Method>(
  provider: Provider,
  name: Exclude<PatchName, `Client().${string}`>,
  replace: (original: M) => M,
): void {
  const owner = ownerOf(provider, name);
  const member = lastPart(name);
  const found = owner === null ? undefined : descriptorOf(owner, member);
  const original: unknown = found?.get ?? found?.value;
  if (owner === null || typeof original !== "function") throw missing(name);
  const replaced = replace(original as M);
  Object.defineProperty(owner, member, {
    configurable: true,
    ...(found?.get === undefined ? { value: replaced, writable: true } : { get: replaced as () => unknown }),
  });
}

/** Metadata of a client that exists only to look at how the engine builds clients. */
const SAMPLE = {
  client_id: "sample",
  redirect_uris: [],
  response_types: [],
  grant_types: [],
  token_endpoint_auth_method: "none",
} as const;

/**
 * Prepares the replacement of a property that the engine defines on each client, not on their class.
 *
 * @returns gives one client its own getter
 * @throws Error if the engine's clients have no such property
 */
export function openClientPatch(
  provider: Provider,
  name: Extract<PatchName, `Client().${string}`>,
): (client: Client, get: () => unknown) => void {
  const { Client: EngineClient } = provider as unknown as { Client: new (metadata: object) => Client };
  const property = lastPart(name);
  if (!Object.hasOwn(new EngineClient(SAMPLE), property)) throw missing(name);
  return (client, get) => {
    Object.defineProperty(client, property, { configurable: true, get });
  };
}

/** The class, or its prototype. Null if the engine has no such class. */
function ownerOf(provider: Provider, name: PatchName): object | null {
  const [className = "", ...rest] = name.split(".");
  const found = className === "BaseModel" ? baseModelOf(provider) : Reflect.get(provider, className);
  if (typeof found !== "function") return null;
  return rest[0] === "prototype" ? found.prototype : found;
}

/** The class of everything that the engine stores. The engine does not export it, so it is found above a class that it does export. */
function baseModelOf(provider: Provider): unknown {
  for (let model: unknown = provider.BaseToken; typeof model === "function"; model = Object.getPrototypeOf(model))
    if (model.name === "BaseModel") return model;
  return null;
}

function descriptorOf(owner: object, member: string): PropertyDescriptor | undefined {
  for (let place: object | null = owner; place !== null; place = Object.getPrototypeOf(place)) {
    const descriptor = Object.getOwnPropertyDescriptor(place, member);
    if (descriptor !== undefined) return descriptor;
  }
  return undefined;
}

function lastPart(name: PatchName): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

function missing(name: PatchName): Error {
  const { version } = createRequire(import.meta.url)("oidc-provider/package.json") as { version: string };
  return new Error(
    `oidc-provider ${version} has no ${name}, which this server replaces (${PATCHES[name]}). ` +
      "Adapt src/authorization-server/engine/patches.ts to this version.",
  );
}
