import { execFileSync } from "node:child_process";
import { hash, X509Certificate } from "node:crypto";
import { join } from "node:path";

/** Options of a suite that needs certificates, which openssl makes. */
export const WITH_CERTIFICATES = {
  skip: isThere("openssl") ? false : "openssl is not installed: certificates cannot be made",
};

function isThere(program: string): boolean {
  try {
    execFileSync(program, ["version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** What the proxy would have been shown. */
export interface Shown {
  readonly file: string;
  readonly certificate: X509Certificate;
  /** As the proxy passes it on (RFC 9440). */
  readonly header: Record<string, string>;
}

/** @param alternatives its other names, as openssl has them */
export function makeCertificate(folder: string, name: string, subject: string, alternatives: string): Shown {
  const file = join(folder, `${name}.pem`);
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", join(folder, "key.pem")];
  const more = ["-days", "2", "-subj", subject, "-addext", `subjectAltName=${alternatives}`];
  const pem = execFileSync("openssl", ["req", "-x509", ...key, ...more], { stdio: ["ignore", "pipe", "ignore"] });
  execFileSync("openssl", ["x509", "-out", file], { input: pem, stdio: ["pipe", "ignore", "ignore"] });
  const certificate = new X509Certificate(pem);
  return { file, certificate, header: { "client-cert": `:${certificate.raw.toString("base64")}:` } };
}

export const thumbprint = ({ certificate }: Shown) => hash("sha256", certificate.raw, "base64url");
