import { OPEN_SCOPES } from "../../../../domain/scopes.ts";
import { urisError, urisOf } from "../../client-forms/redirect-uris.ts";
import type { AdministeredClient } from "../../documents/clients.ts";
import type { CreateClientInput, UpdateClientInput } from "../../documents/inputs.ts";
import { ApiFailure } from "../../ports.ts";

type SubjectKind = NonNullable<AdministeredClient["certificateSubject"]>["kind"];

/** How a confidential client proves that it is the one. It stays as it was at the creation. */
export type Proof = "secret" | "jwks" | "jwksUri" | "certificate" | "selfSigned";

/** Settings of a client as somebody types them. URIs stand one in each line. */
export interface ClientDraft {
  readonly name: string;
  readonly type: AdministeredClient["type"];
  readonly proof: Proof;
  readonly redirectUris: string;
  readonly postLogoutRedirectUris: string;
  readonly backchannelLogoutUri: string;
  readonly grantTypes: AdministeredClient["grantTypes"];
  readonly scopes: readonly string[];
  readonly firstParty: boolean;
  readonly idTokenAlgorithm: AdministeredClient["idTokenAlgorithm"];
  readonly resourceServer: string;
  readonly dpopBound: boolean;
  readonly mustPush: boolean;
  readonly mustSign: boolean;
  readonly certificateBound: boolean;
  readonly jwks: string;
  readonly jwksUri: string;
  readonly assertionAlgorithm: NonNullable<AdministeredClient["assertionAlgorithm"]> | "";
  readonly subjectKind: SubjectKind;
  readonly subjectValue: string;
}

/** A field of the form, and what is wrong with it. Without a field it concerns the whole form. */
export interface DraftError {
  readonly field: keyof ClientDraft | null;
  readonly message: string;
}

export const NEW_DRAFT: ClientDraft = {
  ...{ name: "", type: "CONFIDENTIAL", proof: "secret", redirectUris: "", postLogoutRedirectUris: "" },
  ...{ backchannelLogoutUri: "", grantTypes: ["AUTHORIZATION_CODE", "REFRESH_TOKEN"], scopes: OPEN_SCOPES },
  ...{ firstParty: false, idTokenAlgorithm: "ES256", resourceServer: "", dpopBound: false, mustPush: false },
  ...{ mustSign: false, certificateBound: false, jwks: "", jwksUri: "", assertionAlgorithm: "" },
  ...{ subjectKind: "SUBJECT_DN", subjectValue: "" },
};

export function draftOf(client: AdministeredClient): ClientDraft {
  return {
    ...{ name: client.name, type: client.type, proof: proofOf(client) },
    redirectUris: client.redirectUris.join("\n"),
    postLogoutRedirectUris: client.postLogoutRedirectUris.join("\n"),
    backchannelLogoutUri: client.backchannelLogoutUri ?? "",
    ...{ grantTypes: client.grantTypes, scopes: client.scopes, firstParty: client.firstParty },
    ...{ idTokenAlgorithm: client.idTokenAlgorithm, resourceServer: client.resourceServer ?? "" },
    ...{ dpopBound: client.dpopBound, mustPush: client.mustPush, mustSign: client.mustSign },
    ...{ certificateBound: client.certificateBound, jwks: client.jwks ?? "", jwksUri: client.jwksUri ?? "" },
    assertionAlgorithm: client.assertionAlgorithm ?? "",
    subjectKind: client.certificateSubject?.kind ?? "SUBJECT_DN",
    subjectValue: client.certificateSubject?.value ?? "",
  };
}

function proofOf({ selfSigned, certificateSubject, jwks, jwksUri }: AdministeredClient): Proof {
  if (selfSigned) return "selfSigned";
  if (certificateSubject !== null) return "certificate";
  if (jwks !== null) return "jwks";
  return jwksUri === null ? "secret" : "jwksUri";
}

/** Whether the client has keys, which are part of the form then. */
export function hasKeys({ type, proof }: Pick<ClientDraft, "type" | "proof">): boolean {
  return type === "CONFIDENTIAL" && (proof === "jwks" || proof === "jwksUri" || proof === "selfSigned");
}

/** The first mistake that can be seen before the server is asked; null for none. */
export function errorIn(draft: ClientDraft): DraftError | null {
  const { name, redirectUris, postLogoutRedirectUris, grantTypes, type } = draft;
  if (name.trim() === "")
    return { field: "name", message: "Give the client a name. People see it when they allow it." };
  const uris = urisError(redirectUris);
  if (uris !== null) return { field: "redirectUris", message: uris };
  if (grantTypes.includes("AUTHORIZATION_CODE") && urisOf(redirectUris).length === 0)
    return { field: "redirectUris", message: "A client that signs people in needs at least one redirect URI." };
  const logout = urisError(postLogoutRedirectUris);
  if (logout !== null) return { field: "postLogoutRedirectUris", message: logout };
  if (grantTypes.includes("CLIENT_CREDENTIALS") && type === "PUBLIC")
    return {
      field: "grantTypes",
      message: "Only a confidential client can act for itself: others can read what a public one has.",
    };
  return null;
}

export function newInputOf(draft: ClientDraft): CreateClientInput {
  const { type, proof, jwks, jwksUri, subjectKind, subjectValue } = draft;
  const isConfidential = type === "CONFIDENTIAL";
  return {
    ...settingsOf(draft),
    type,
    ...(isConfidential && proof === "jwks" && { jwks }),
    ...(isConfidential && proof === "jwksUri" && { jwksUri }),
    ...(isConfidential &&
      proof === "selfSigned" && { ...(jwks.trim() === "" ? { jwksUri } : { jwks }), selfSigned: true }),
    ...(isConfidential &&
      proof === "certificate" && { certificateSubject: { kind: subjectKind, value: subjectValue.trim() } }),
  };
}

/** The settings that differ. Nothing else is sent, so that nobody else's change is undone. */
export function changesOf(client: AdministeredClient, draft: ClientDraft): UpdateClientInput {
  const { jwks, jwksUri, subjectKind, subjectValue, proof } = draft;
  const wanted: UpdateClientInput = {
    ...settingsOf(draft),
    ...(hasKeys(draft) && { jwks: jwks.trim() || null, jwksUri: jwksUri.trim() || null }),
    ...(proof === "certificate" && { certificateSubject: { kind: subjectKind, value: subjectValue.trim() } }),
  };
  const present = client as unknown as Readonly<Record<string, unknown>>;
  return Object.fromEntries(Object.entries(wanted).filter(([name, value]) => !isSame(value, present[name])));
}

function settingsOf(draft: ClientDraft): CreateClientInput & UpdateClientInput {
  return {
    name: draft.name.trim(),
    redirectUris: urisOf(draft.redirectUris),
    postLogoutRedirectUris: urisOf(draft.postLogoutRedirectUris),
    backchannelLogoutUri: draft.backchannelLogoutUri.trim() || null,
    ...{ grantTypes: draft.grantTypes, scopes: draft.scopes, firstParty: draft.firstParty },
    ...{ idTokenAlgorithm: draft.idTokenAlgorithm, resourceServer: draft.resourceServer.trim() || null },
    ...{ dpopBound: draft.dpopBound, mustPush: draft.mustPush, mustSign: draft.mustSign },
    ...{ certificateBound: draft.certificateBound, assertionAlgorithm: draft.assertionAlgorithm || null },
  };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Fields of the API that have another name in the form. */
const FIELDS: Readonly<Record<string, keyof ClientDraft>> = {
  certificateSubject: "subjectValue",
  selfSigned: "proof",
  ...({ "certificateSubject.value": "subjectValue", "certificateSubject.kind": "subjectKind" } as const),
};

/** The error of the form for what the server said; null for failures that are not about its input. */
export function draftErrorOf(error: unknown): DraftError | null {
  if (!(error instanceof ApiFailure) || error.kind !== "bad-input") return null;
  const name = error.field?.replace(/^input\./, "") ?? "";
  const field = FIELDS[name] ?? (Object.hasOwn(NEW_DRAFT, name) ? (name as keyof ClientDraft) : null);
  return { field, message: error.message };
}

/** The list with the value, or without it. The order stays that of `all`. */
export function toggled<Value extends string>(
  values: readonly Value[],
  value: Value,
  isIn: boolean,
  all: readonly Value[],
): readonly Value[] {
  return all.filter((one) => (one === value ? isIn : values.includes(one)));
}
