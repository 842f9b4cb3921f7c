import { hash, X509Certificate } from "node:crypto";
import type { IncomingMessage } from "node:http";
import proxyAddr from "@fastify/proxy-addr";
import type { Config } from "../config/config.ts";

/** Characters of the header; a certificate with an RSA key of 4,096 bits has 2,500. */
const MAX_LENGTH = 12_000;

export type ReadCertificate = (request: IncomingMessage) => X509Certificate | null;

/**
 * Reads the certificate whose key the client has proved to the proxy, from `Client-Cert`: in base64 between colons (RFC
 * 9440 section 2.2), or in PEM with percent signs, as nginx writes it. Null where there is none, where the header does not come from a
 * trusted proxy itself, where it comes twice, and for what is no certificate.
 */
export function openReadCertificate({
  CLIENT_CERTIFICATES: mode,
  TRUST_PROXY: trusted,
}: Pick<Config, "CLIENT_CERTIFICATES" | "TRUST_PROXY">): ReadCertificate {
  if (mode === "off" || trusted === false) return () => null;
  const isTrusted = proxyAddr.compile([...trusted]);
  return ({ headers, socket: { remoteAddress } }) => {
    const value = headers["client-cert"];
    // Node joins fields of one name with a comma, which neither form has.
    if (typeof value !== "string" || value.length > MAX_LENGTH) return null;
    return remoteAddress !== undefined && isTrusted(remoteAddress, 0) ? parse(value) : null;
  };
}

/** The same, as a thumbprint: SHA-256 in base64url, as in `x5t#S256` (RFC 8705 section 3.1). */
export function openReadThumbprint(config: Parameters<typeof openReadCertificate>[0]) {
  const read = openReadCertificate(config);
  return (request: IncomingMessage): string | null => {
    const certificate = read(request);
    return certificate === null ? null : hash("sha256", certificate.raw, "base64url");
  };
}

function parse(value: string): X509Certificate | null {
  const base64 = /^:([A-Za-z\d+/]+={0,2}):$/.exec(value)?.[1] ?? readEscapedPem(value);
  if (base64 === null) return null;
  const der = Buffer.from(base64, "base64");
  try {
    const certificate = new X509Certificate(der);
    return certificate.raw.equals(der) ? certificate : null; // nothing may follow it
  } catch {
    return null;
  }
}

function readEscapedPem(value: string): string | null {
  try {
    const pem = /^-----BEGIN CERTIFICATE-----\n([A-Za-z\d+/=\n]+)\n-----END CERTIFICATE-----\n?$/.exec(
      decodeURIComponent(value),
    );
    return pem?.[1]?.replaceAll("\n", "") ?? null;
  } catch {
    return null;
  }
}
