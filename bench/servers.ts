import type { ChildProcess } from "node:child_process";
import { openSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "./database.ts";
import { type PeerProgram, rustPeer } from "./peer-programs.ts";
import { folder, freePort, type PinnedProcess, spawnPinned, stop } from "./processes.ts";

export const SERVER_CORE = 0;
const ROOT = join(import.meta.dirname, "..");
const START_SECONDS = 20;
/** Points per seconds. */
const UNREACHABLE = "999999999/1";

/** Milliseconds; no request of a run takes as long. */
const LONGEST_DELAY = "60000";

/** Beside ours, each stands in one file of the same name in peers/, or in `peer-programs.ts`. */
export type Peer =
  | "hand-written"
  | "mercurius"
  | "apollo"
  | "yoga"
  | "static"
  | "hand-written-postgres"
  | "postgraphile"
  | "oidc-provider"
  | PeerProgram;
export type ServerName = "ours" | Peer;

export interface Server {
  readonly name: ServerName;
  readonly port: number;
  /** The origin at which browsers find it. */
  readonly origin: string;
  readonly child: ChildProcess;
  /** File with what it has printed. */
  readonly log: string;
  /** Headers of each request. Every server gets the same ones; only ours looks at the token. */
  readonly headers: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** What `static` answers. */
  readonly answer?: string;
  /** Beside or instead of the usual ones. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Folder of another version of ours. */
  readonly root?: string;
  /** Where not on SERVER_CORE. */
  readonly cores?: string;
  /** Whether browsers know it as `localhost`, where they use passkeys, and not by its IP address. */
  readonly hasName?: boolean;
}

/** Starts a server; it may not accept connections yet. */
export async function spawnServer(
  name: ServerName,
  database: Database,
  { answer, settings, root = ROOT, cores = String(SERVER_CORE), hasName = false }: ServerOptions = {},
): Promise<Server> {
  const port = await freePort();
  const origin = `http://${hasName ? "localhost" : "127.0.0.1"}:${port}`;
  const env: Record<string, string> = { PORT: String(port) };
  let args = [join(import.meta.dirname, "peers", `${name}.mjs`)];
  if (name === "rust") args = [];
  if (name === "ours") {
    // As shipped: what is not set here has its default, log level and limits included. The rate limit works as ever,
    // only that nobody could reach it: one client sends more here than a whole installation should let one have. So does
    // the refusal of what waits for too long: a machine that pauses for half a second would end a run with a 503, which
    // says nothing about how fast anybody is, and no peer refuses anything.
    args = [join(root, "bin", "content-api"), "serve"];
    env.HOST = "127.0.0.1";
    env.BASE_URL = origin;
    env.MAX_DELAY = LONGEST_DELAY;
    env.RATE_LIMIT_TOKEN = UNREACHABLE;
    env.RATE_LIMIT_ADDRESS = UNREACHABLE;
    env.RATE_LIMIT_OAUTH_ADDRESS = UNREACHABLE;
    env.RATE_LIMIT_OAUTH_CLIENT = UNREACHABLE;
  }
  Object.assign(env, name === "ours" ? database.settings : database.peerSettings, settings);
  if (answer !== undefined) {
    env.ANSWER_FILE = join(folder, `answer-${port}.json`);
    writeFileSync(env.ANSWER_FILE, answer);
  }
  const headers = {
    accept: "application/graphql-response+json, application/json;q=0.9",
    authorization: `Bearer ${database.token}`,
  };
  return spawnProgram(name, {
    ...{ port, origin, headers, cores, args, env },
    ...(name === "rust" ? { command: rustPeer() } : {}),
  });
}

/** Starts any program as a server on `port`; it may not accept connections yet. */
export function spawnProgram(
  name: ServerName,
  {
    port,
    origin = `http://127.0.0.1:${port}`,
    headers = {},
    cores = String(SERVER_CORE),
    ...program
  }: Omit<PinnedProcess, "cores" | "stdio"> &
    Pick<Server, "port"> &
    Partial<Pick<Server, "origin" | "headers">> & { readonly cores?: string },
): Server {
  const log = join(folder, `${name}-${port}.log`);
  const child = spawnPinned({ ...program, cores, stdio: openSync(log, "w") });
  let isStopping = false;
  child.on("exit", (code) => {
    if (isStopping || code === null || code === 0) return;
    console.error(`${name} ended with exit code ${code}:\n${readFileSync(log, "utf8").slice(-2_000)}`);
    process.exit(1);
  });
  const end = () => {
    isStopping = true;
    return stop(child);
  };
  return { name, port, origin, child, log, headers, stop: end };
}

export async function startServer(name: ServerName, database: Database, options?: ServerOptions): Promise<Server> {
  const server = await spawnServer(name, database, options);
  await untilListening(server);
  return server;
}

/** Resolves as soon as the server accepts a connection. */
export async function untilListening(server: Server, seconds = START_SECONDS): Promise<void> {
  const deadline = performance.now() + seconds * 1_000;
  while (performance.now() < deadline) {
    if (await accepts(server.port)) return;
    await sleep(2);
  }
  throw new Error(`${server.name} did not listen on its port within ${seconds} seconds.`);
}

/** The text of one answer. @throws Error for a status other than 200 */
export async function ask(server: Server, body: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${server.port}/graphql`, {
    method: "POST",
    headers: { ...server.headers, "content-type": "application/json" },
    body,
    signal: AbortSignal.timeout(10_000),
  });
  const text = (await response.text()).trimEnd();
  if (response.status !== 200) throw new Error(`${server.name} answered ${response.status}: ${text.slice(0, 500)}`);
  return text;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" });
    socket.on("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}
