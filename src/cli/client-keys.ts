import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { type CertificateSubject, SUBJECT_KINDS } from "../domain/clients/certificate-subject.ts";
import { type JwkSet, readJwkSet } from "../domain/clients/jwk-set.ts";
import { badInput } from "../domain/errors.ts";

/** Options of `content-api client create` that name keys. */
export interface ClientKeyOptions {
  /** Path of a JWK Set. */
  jwks?: string;
  jwksUri?: string;
  /** Path of a certificate in PEM; true if it is in the JWK Set. */
  selfSignedCertificate?: string | true;
}

/** The keys that a client authenticates with, from a file or a certificate; null without any. @throws AppError BAD_USER_INPUT */
export async function readClientKeys({
  jwks,
  jwksUri,
  selfSignedCertificate: file,
}: ClientKeyOptions): Promise<JwkSet | null> {
  if (typeof file !== "string") {
    if (file === true && jwks === undefined && jwksUri === undefined)
      throw badInput("selfSignedCertificate", "--self-signed-certificate needs a file, or --jwks or --jwks-uri.");
    return jwks === undefined ? null : readKeys(jwks);
  }
  if (jwks !== undefined || jwksUri !== undefined)
    throw badInput(
      "selfSignedCertificate",
      "--self-signed-certificate with a file goes without --jwks and --jwks-uri.",
    );
  try {
    const { publicKey, raw } = new X509Certificate(await readFile(file));
    return { keys: [{ ...publicKey.export({ format: "jwk" }), x5c: [raw.toString("base64")] }] };
  } catch (error) {
    throw badInput("selfSignedCertificate", `${file} cannot be used: ${(error as Error).message}.`);
  }
}

async function readKeys(file: string): Promise<JwkSet> {
  let jwks: unknown;
  try {
    jwks = JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    throw badInput("jwks", `${file} cannot be used: ${(error as Error).message}.`);
  }
  return readJwkSet("jwks", jwks);
}

/** The subject of a client's certificate. Its prefix tells an alternative name from a distinguished one. */
export function readCertificateSubject(text: string | undefined): CertificateSubject | null {
  if (text === undefined) return null;
  const [, label = "", value = ""] = /^(DNS|URI|IP|email):(.+)$/is.exec(text) ?? [];
  const kind = SUBJECT_KINDS.find((known) => known === `san_${label.toLowerCase()}`);
  return kind === undefined ? { kind: "subject_dn", value: text } : { kind, value };
}
