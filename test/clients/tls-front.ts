import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { pipeline } from "node:stream";
import { createServer, setDefaultCACertificates } from "node:tls";

/** A TLS end in front of a server, as a proxy would be. */
export interface TlsFront {
  /** https address, for which this process trusts the certificate. */
  readonly url: string;
  /** File with the certificate, for other programs. */
  readonly certificate: string;
  close(): void;
}

/**
 * @param folder for the certificate and its key, which openssl makes
 * @param port of the server, on 127.0.0.1
 */
export async function openTlsFront(folder: string, port: string): Promise<TlsFront> {
  const [certificate, key] = [join(folder, "certificate.pem"), join(folder, "key.pem")];
  // Rust's TLS rejects a server whose certificate is that of an authority.
  const extensions = ["-addext", "subjectAltName=DNS:localhost", "-addext", "basicConstraints=critical,CA:FALSE"];
  const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
  const words = ["req", ...kind, "-subj", "/CN=localhost", ...extensions, "-keyout", key, "-out", certificate];
  execFileSync("openssl", words, { stdio: "ignore", timeout: 60_000 });
  const [cert, privateKey] = await Promise.all([readFile(certificate, "utf8"), readFile(key, "utf8")]);
  setDefaultCACertificates([cert]);
  const front = createServer({ cert, key: privateKey }, (socket) => {
    const server = connect(Number(port), "127.0.0.1");
    pipeline(socket, server, socket, () => {}); // either side may leave
  });
  front.on("tlsClientError", () => {}); // the client says why
  front.listen(0, "localhost");
  await once(front, "listening");
  return {
    url: `https://localhost:${(front.address() as AddressInfo).port}`,
    certificate,
    close: () => void front.close(),
  };
}
