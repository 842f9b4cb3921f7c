import type { X509Certificate } from "node:crypto";
import type { KoaContextWithOIDC } from "oidc-provider";
import {
  type CertificateSubject,
  readDistinguishedName,
  type SubjectKind,
} from "../../domain/clients/certificate-subject.ts";
import type { Client } from "../../domain/clients/client.ts";
import type { EngineRequest } from "../http/engine-request.ts";

/**
 * Whether clients may come with certificates (RFC 8705): not at all, with any whose key they have, or only with those
 * whose chain has been checked as well, which then may also say who they are.
 */
export type CertificateMode = "off" | "any" | "verified";

/** The ways in which a client may say who it is by a certificate, in each mode. */
export const CERTIFICATE_METHODS = {
  off: [],
  any: ["self_signed_tls_client_auth"],
  verified: ["self_signed_tls_client_auth", "tls_client_auth"],
} as const satisfies Record<CertificateMode, readonly string[]>;

/** Whether this mode supports the client's authentication method. If not, the client is rejected. */
export function isWithinMode(client: Client, mode: CertificateMode): boolean {
  if (client.certificateSubject !== null) return mode === "verified";
  return mode !== "off" || !(client.selfSigned || client.certificateBound);
}

/** The engine's knobs. They read the certificate even when it is off: for tokens from before, which then open nothing. */
export function certificateFeature(mode: CertificateMode) {
  return {
    enabled: mode !== "off",
    certificateBoundAccessTokens: mode !== "off",
    selfSignedTlsClientAuth: mode !== "off",
    tlsClientAuth: mode === "verified",
    getCertificate: (ctx: KoaContextWithOIDC) => certificateOf(ctx) ?? undefined,
    certificateAuthorized: () => mode === "verified",
    certificateSubjectMatches(ctx: KoaContextWithOIDC, property: string, value: string): boolean {
      const certificate = certificateOf(ctx);
      const kind = property.replace(/^tls_client_auth_/, "") as SubjectKind;
      return certificate !== null && isMadeOutTo(certificate, { kind, value });
    },
  };
}

function certificateOf({ req }: KoaContextWithOIDC): X509Certificate | null {
  return (req as EngineRequest).certificate;
}

function isMadeOutTo(certificate: X509Certificate, { kind, value }: CertificateSubject): boolean {
  if (kind === "subject_dn") {
    const wanted = readDistinguishedName(value);
    return wanted !== null && wanted === readSubject(certificate);
  }
  const { label, normalize } = ALTERNATIVES[kind];
  const wanted = normalize(value);
  return alternativeNames(certificate).some((name) => name.label === label && normalize(name.value) === wanted);
}

/** Node writes one relative name a line, the most general first; RFC 4514 section 2.1 begins at the other end. */
function readSubject({ subject }: X509Certificate): string | null {
  if (!subject) return null; // a certificate may have none
  return readDistinguishedName(subject.split("\n").reverse().join(","));
}

const exact = (value: string) => value;
const ALTERNATIVES = {
  san_dns: { label: "DNS", normalize: (value: string) => value.toLowerCase() },
  san_uri: { label: "URI", normalize: exact },
  san_ip: { label: "IP Address", normalize: normalizeAddress },
  san_email: { label: "email", normalize: exact },
} as const;

function normalizeAddress(address: string): string {
  return address.includes(":") ? (URL.parse(`http://[${address}]/`)?.hostname ?? "") : address;
}

/** Values that could be taken for more than one are quoted by Node, as in JSON. */
function alternativeNames({ subjectAltName }: X509Certificate): { label: string; value: string }[] {
  const names = (subjectAltName ?? "").matchAll(/([A-Za-z ]+?):("(?:[^"\\]|\\.)*"|[^,"]*)(?:, |$)/gy);
  return [...names].map(([, label = "", value = ""]) => ({
    label,
    value: value.startsWith('"') ? (JSON.parse(value) as string) : value,
  }));
}
