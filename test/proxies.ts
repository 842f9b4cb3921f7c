import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setDefaultCACertificates } from "node:tls";
import { command, lacks, pathOf } from "./faults/machine.ts";

const EXAMPLES = join(import.meta.dirname, "../deploy/proxies");

export const PROXIES = ["nginx", "haproxy", "caddy"] as const;
export type ProxyKind = (typeof PROXIES)[number];

const FILES: Readonly<Record<ProxyKind, string>> = { nginx: "nginx.conf", haproxy: "haproxy.cfg", caddy: "Caddyfile" };

/** Why a proxy cannot be tried on this machine; false when it can. */
export function lacksProxy(kind: ProxyKind): string | false {
  return lacks([kind, "openssl"]);
}

export interface RunningProxy {
  /** Its https address, for which this process trusts its certificate. */
  readonly url: string;
  /** What it has said so far. */
  output(): string;
  stop(): Promise<void>;
}

/**
 * The example configuration of a proxy, with nothing changed but addresses and certificate, in front of nodes on
 * 127.0.0.1.
 *
 * @param ports of the nodes: two at the least, as the examples have two
 * @param file the example, where the proxy has several
 * @param change what an operator changes in the example, beside addresses and certificate
 */
export async function startProxy(
  kind: ProxyKind,
  port: number,
  ports: readonly number[],
  file = FILES[kind],
  change = (example: string) => example,
): Promise<RunningProxy> {
  const folder = await mkdtemp(join(tmpdir(), "content-api-proxy-"));
  const [certificate, key] = await makeCertificate(folder);
  const example = change(await readFile(join(EXAMPLES, file), "utf8"));
  const parameters = await { nginx, haproxy, caddy }[kind](example, { folder, certificate, key, port, ports });
  // Caddy writes into the home folder.
  const child = spawn(pathOf(kind) ?? kind, parameters, { env: { PATH: process.env.PATH, HOME: folder } });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const gone = new Promise((resolve) => child.once("exit", resolve));
  const stop = async () => {
    child.kill("SIGTERM");
    await gone;
    await rm(folder, { recursive: true });
  };
  for (const deadline = Date.now() + 60_000; !(await isOpen(port)); ) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error(`${kind} does not start: ${output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { url: `https://localhost:${port}`, output: () => output, stop };
}

interface Place {
  readonly folder: string;
  readonly certificate: string;
  readonly key: string;
  readonly port: number;
  readonly ports: readonly number[];
}

async function nginx(example: string, { folder, certificate, key, port, ports }: Place): Promise<string[]> {
  const [first, second, ...more] = ports.map((node) => `server 127.0.0.1:${node} max_fails=1 fail_timeout=2s;`);
  const site = replaceAll(example, {
    "server 10.0.0.11:4000 max_fails=1 fail_timeout=2s;": [first, ...more].join(" "),
    "server 10.0.0.12:4000 max_fails=1 fail_timeout=2s;": second ?? "",
    "listen 443 ": `listen 127.0.0.1:${port} `,
    "/etc/ssl/api.example.com.pem": certificate,
    "/etc/ssl/api.example.com.key": key,
    "server_name api.example.com;": "server_name localhost;",
  });
  const cache = join(folder, "cache"); // of one example
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const file = join(folder, "nginx.conf");
  await writeFile(
    file,
    [
      ...(process.getuid?.() === 0 ? ["user root;"] : []), // or it could not write into the folder
      "daemon off;",
      "worker_processes 1;",
      `pid ${folder}/pid;`,
      "error_log stderr;",
      "events { worker_connections 2048; }",
      "http {",
      "access_log off;",
      ...temporary.map((name) => `${name}_temp_path ${folder}/${name};`),
      site.replaceAll("/var/cache/nginx/content_api", cache),
      "}",
    ].join("\n"),
  );
  return ["-p", folder, "-e", "stderr", "-c", file];
}

async function haproxy(example: string, { folder, certificate, key, port, ports }: Place): Promise<string[]> {
  const [first, second, ...more] = ports.map((node, index) => `server node${index + 1} 127.0.0.1:${node}`);
  const both = join(folder, "both.pem");
  await writeFile(both, (await readFile(certificate, "utf8")) + (await readFile(key, "utf8")));
  const file = join(folder, "haproxy.cfg");
  const configuration = replaceAll(example, {
    "server node1 10.0.0.11:4000": first ?? "",
    "server node2 10.0.0.12:4000": [second, ...more].join("\n    "),
    "bind :443 ": `bind 127.0.0.1:${port} `,
    "/etc/haproxy/api.example.com.pem": both,
  });
  await writeFile(file, configuration);
  return ["-db", "-f", file];
}

async function caddy(example: string, { folder, certificate, key, port, ports }: Place): Promise<string[]> {
  const file = join(folder, "Caddyfile");
  const tls = `\n\ttls ${certificate} ${key}`;
  const isOwn = example.includes("\n\ttls {");
  const configuration = replaceAll(isOwn ? example.replace("\n\ttls", tls) : example, {
    "\n{$SITE:api.example.com} {": `\n{\n\tadmin off\n\tauto_https disable_redirects\n}\nhttps://localhost:${port} {\n\tbind 127.0.0.1${isOwn ? "" : tls}`,
    "reverse_proxy {$NODES:10.0.0.11:4000 10.0.0.12:4000}": `reverse_proxy ${ports.map((node) => `127.0.0.1:${node}`).join(" ")}`,
  });
  await writeFile(file, configuration);
  return ["run", "--adapter", "caddyfile", "--config", file];
}

/** @throws Error for a text that is not there */
export function replaceAll(text: string, changes: Readonly<Record<string, string>>): string {
  let changed = text;
  for (const [from, to] of Object.entries(changes)) {
    if (!changed.includes(from)) throw new Error(`the example has no ${from}`);
    changed = changed.replaceAll(from, to);
  }
  return changed;
}

/** One for localhost, which this process trusts from now on. */
async function makeCertificate(folder: string): Promise<[certificate: string, key: string]> {
  const certificate = join(folder, "certificate.pem");
  const key = join(folder, "key.pem");
  command(
    "openssl",
    ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"],
    ...["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
    ...["-keyout", key, "-out", certificate],
  );
  setDefaultCACertificates([await readFile(certificate, "utf8")]);
  return [certificate, key];
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("connect", () => socket.destroy()).on("error", () => resolve(false));
    socket.on("close", (hadError) => !hadError && resolve(true));
  });
}
