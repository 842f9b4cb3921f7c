import type { Client as EngineClient } from "oidc-provider";
import { withImplied } from "../../domain/scopes.ts";

/** Client metadata that the engine does not know, and passes on unchanged. */
export const EXTRA_METADATA = [
  "allowed_scopes",
  "first_party",
  "must_sign",
  "origin",
  "other_secrets",
  "owner_id",
  "owner_name",
  "resource_server",
  "trial_until",
] as const;

/** The scopes that the client may have. */
export function allowedScopes(client: EngineClient): readonly string[] {
  return withImplied(registeredScopes(client));
}

/** The scopes that stand in its registration. */
export function registeredScopes(client: EngineClient): readonly string[] {
  return client.allowed_scopes as readonly string[];
}

/** The API elsewhere that the client is; null where it is none. */
export function resourceServerOf(client: EngineClient): string | null {
  return client.resource_server as string | null;
}

export function isFirstParty(client: EngineClient): boolean {
  return client.first_party === true;
}

/** The name of the person who registered the client; null for every other origin. */
export function ownerNameOf(client: EngineClient): string | null {
  return (client.owner_name as string | null | undefined) ?? null;
}

/** Hashes of the secrets that are valid beside `clientSecret`. */
export function otherSecretsOf(client: EngineClient): readonly string[] {
  return (client.other_secrets as readonly string[] | undefined) ?? [];
}

/** Whether the client keeps to FAPI 2.0 with its requests, pushed (Security Profile) or signed (Message Signing), and so is held to it. */
export function isFapiClient(client: EngineClient): boolean {
  return client.requirePushedAuthorizationRequests === true || client.must_sign === true;
}

/** Whether somebody at the operator has seen the client. */
export function isChecked(client: EngineClient): boolean {
  return client.origin === "operator";
}

/** Anybody can choose a name; who has written a document stands in its address. */
export function shownName({ clientId, clientName = clientId }: Pick<EngineClient, "clientId" | "clientName">): string {
  return isDocumentId(clientId) ? `${clientName} (${new URL(clientId).host})` : clientName;
}

/** Whether a client id is an address at which a document may be: with a path, and without anything that hides it. */
export function isDocumentId(id: string): boolean {
  if (id.length > 500 || !/^https?:\/\//.test(id)) return false;
  const url = URL.parse(id);
  return (
    url !== null && url.href === id && url.pathname !== "/" && url.username + url.password === "" && !id.includes("#")
  );
}
