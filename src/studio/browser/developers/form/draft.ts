import { urisError, urisOf } from "../../client-forms/redirect-uris.ts";
import type { OwnClientFacts } from "../../documents/developers.ts";
import type { CreateOwnClientInput, UpdateOwnClientInput } from "../../documents/inputs.ts";
import { ApiFailure } from "../../ports.ts";
import { type Kind, scopesFor } from "../facts/kinds.ts";

/** The way in which a confidential client proves who it is. */
export type Proof = "secret" | "jwksUri" | "jwks";

/** A client as somebody types it. */
export interface ClientDraft {
  readonly name: string;
  /** One in each line. */
  readonly redirectUris: string;
  readonly postLogoutRedirectUris: string;
  readonly backchannelLogoutUri: string;
  readonly scopes: readonly string[];
  readonly proof: Proof;
  readonly jwksUri: string;
  readonly jwks: string;
  readonly dpopBound: boolean;
  readonly mustPush: boolean;
  readonly mustSign: boolean;
  readonly idTokenAlgorithm: "ES256" | "RS256";
}

/** Sentences by field. */
export type DraftErrors = Partial<Record<keyof ClientDraft, string>>;

export function newDraft(kind: Kind): ClientDraft {
  return {
    ...{ name: "", redirectUris: "", postLogoutRedirectUris: "", backchannelLogoutUri: "" },
    scopes: kind.usualScopes,
    ...{ proof: "secret", jwksUri: "", jwks: "" },
    ...{ dpopBound: false, mustPush: false, mustSign: false, idTokenAlgorithm: "ES256" },
  };
}

/** Another kind, after something was typed: texts stay, and scopes become those of the kind. */
export function withKind(draft: ClientDraft | null, kind: Kind): ClientDraft {
  return { ...newDraft(kind), ...(draft !== null && { name: draft.name, redirectUris: draft.redirectUris }) };
}

export function draftOf(client: OwnClientFacts): ClientDraft {
  return {
    ...client,
    redirectUris: client.redirectUris.join("\n"),
    postLogoutRedirectUris: client.postLogoutRedirectUris.join("\n"),
    backchannelLogoutUri: client.backchannelLogoutUri ?? "",
    proof: client.jwksUri !== null ? "jwksUri" : client.jwks !== null ? "jwks" : "secret",
    jwksUri: client.jwksUri ?? "",
    jwks: client.jwks ?? "",
  };
}

/** Mistakes that can be seen without the server; empty where there are none. */
export function errorsIn(draft: ClientDraft, hasRedirect: boolean): DraftErrors {
  const uris = hasRedirect ? urisError(draft.redirectUris) : null;
  const afterwards = urisError(draft.postLogoutRedirectUris);
  return {
    ...(draft.name.trim() === "" && { name: "Give it a name. People see it on the consent page." }),
    ...(hasRedirect && urisOf(draft.redirectUris).length === 0
      ? { redirectUris: "Write at least one redirect URI: people are sent back there after the sign-in." }
      : uris !== null && { redirectUris: uris }),
    ...(afterwards !== null && { postLogoutRedirectUris: afterwards }),
    ...(draft.scopes.length === 0 && { scopes: "Choose at least one." }),
    ...(draft.proof === "jwksUri" && draft.jwksUri.trim() === "" && { jwksUri: "Enter the https URL of its keys." }),
    ...(draft.proof === "jwks" && draft.jwks.trim() === "" && { jwks: "Paste its public keys, as a JWK Set." }),
  };
}

/** The field that the server rejected, with its sentence; empty where it named none of the form. */
export function errorsOf(error: unknown): DraftErrors {
  if (!(error instanceof ApiFailure) || error.field === null) return {};
  const name = /^input\.(\w+)/.exec(error.field)?.[1];
  return name !== undefined && (FIELDS as readonly string[]).includes(name) ? { [name]: error.message } : {};
}

const FIELDS = [
  ...(["name", "redirectUris", "postLogoutRedirectUris", "backchannelLogoutUri", "scopes", "jwksUri", "jwks"] as const),
] satisfies readonly (keyof ClientDraft)[];

/** Scopes that may be chosen, and those that the client has anyhow. */
export function choicesFor(kind: Pick<Kind, "grantTypes">, draft: Pick<ClientDraft, "scopes">): readonly string[] {
  const usual: readonly string[] = scopesFor(kind);
  return [...usual, ...draft.scopes.filter((scope) => !usual.includes(scope))];
}

export function createInput(draft: ClientDraft, kind: Kind): CreateOwnClientInput {
  const isConfidential = kind.type === "CONFIDENTIAL";
  return {
    name: draft.name.trim(),
    type: kind.type,
    grantTypes: kind.grantTypes,
    redirectUris: kind.exampleUri === null ? [] : urisOf(draft.redirectUris),
    scopes: choicesFor(kind, draft).filter((scope) => draft.scopes.includes(scope)),
    dpopBound: draft.dpopBound,
    mustPush: draft.mustPush,
    idTokenAlgorithm: draft.idTokenAlgorithm,
    ...(isConfidential && draft.proof === "jwksUri" && { jwksUri: draft.jwksUri.trim(), mustSign: draft.mustSign }),
    ...(isConfidential && draft.proof === "jwks" && { jwks: draft.jwks.trim(), mustSign: draft.mustSign }),
  };
}

/** Settings that differ from those of the client; null where nothing does. */
export function updateInput(draft: ClientDraft, client: OwnClientFacts): UpdateOwnClientInput | null {
  const before = draftOf(client);
  const kept = (uris: string) => urisOf(uris).join("\n");
  const hasKeys = before.proof !== "secret";
  const input: UpdateOwnClientInput = {
    ...(draft.name.trim() !== before.name && { name: draft.name.trim() }),
    ...(kept(draft.redirectUris) !== before.redirectUris && { redirectUris: urisOf(draft.redirectUris) }),
    ...(kept(draft.postLogoutRedirectUris) !== before.postLogoutRedirectUris && {
      postLogoutRedirectUris: urisOf(draft.postLogoutRedirectUris),
    }),
    ...(draft.backchannelLogoutUri.trim() !== before.backchannelLogoutUri && {
      backchannelLogoutUri: draft.backchannelLogoutUri.trim() || null,
    }),
    ...([...draft.scopes].sort().join() !== [...before.scopes].sort().join() && { scopes: draft.scopes }),
    ...(draft.dpopBound !== before.dpopBound && { dpopBound: draft.dpopBound }),
    ...(draft.mustPush !== before.mustPush && { mustPush: draft.mustPush }),
    ...(draft.idTokenAlgorithm !== before.idTokenAlgorithm && { idTokenAlgorithm: draft.idTokenAlgorithm }),
    ...(hasKeys && draft.mustSign !== before.mustSign && { mustSign: draft.mustSign }),
    ...(hasKeys && keysChanged(draft, before) && keysOf(draft)),
  };
  return Object.keys(input).length === 0 ? null : input;
}

function keysChanged(draft: ClientDraft, before: ClientDraft): boolean {
  const { proof } = draft;
  return proof !== before.proof || (proof !== "secret" && draft[proof].trim() !== before[proof]);
}

function keysOf({ proof, jwks, jwksUri }: ClientDraft): Pick<UpdateOwnClientInput, "jwks" | "jwksUri"> {
  return proof === "jwks" ? { jwks: jwks.trim(), jwksUri: null } : { jwks: null, jwksUri: jwksUri.trim() };
}
