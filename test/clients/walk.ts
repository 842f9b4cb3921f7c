import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import type { TestContext } from "node:test";
import { runJson } from "../command.ts";
import { createTestDatabase } from "../database.ts";
import { freePort } from "../port.ts";
import { Browser, walk } from "../security/client.ts";
import { type ServerProcess, serverEnvironment, startServer } from "../server-process.ts";
import { postTo } from "../subscriber.ts";
import { openTlsFront } from "./tls-front.ts";

const ADA = { name: "Ada", email: "ada@example.com", password: "seventeen tall birches" };
const SCOPE = "openid profile posts:read posts:write users:read";

/** Milliseconds that a program may take to sign in, read, write and end. */
const LONGEST = 240_000;

/** A program in another language that signs Ada in, and does with its libraries what they are for. */
export interface ClientProgram {
  /** The language as the titles of its posts have it: "Hello from Go". */
  readonly language: string;
  readonly command: readonly string[];
  readonly folder: string;
  /** Options of `client create`, such as `--public`. */
  readonly registration: readonly string[];
  /** Path of its redirect URI, and the host of it: 127.0.0.1 unless given. */
  readonly callback: string;
  /** What its GraphQL client makes of a token that is revoked: the status of the answer, or the code of its error. */
  readonly rejection: "401" | "UNAUTHENTICATED";
  readonly host?: string;
  /** The server is at an https address. CERTIFICATE then names a file with its certificate. */
  readonly overTls?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
}

type Registered = { readonly client_id: string; readonly client_secret?: string };
type Audited = { readonly event: string; readonly result: string };

/**
 * Starts `serve`, registers the program as a client and runs it. It reads ISSUER, API, CLIENT_ID, CLIENT_SECRET and
 * REDIRECT_URI, prints "Sign in at URL", and then a line for each step. Ada opens the URL in a browser, signs in and agrees.
 *
 * @throws AssertionError unless the program prints every line, and the server saw every step
 */
export async function followProgram(t: TestContext, program: ClientProgram): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "content-api-client-"));
  const database = await createTestDatabase(folder);
  t.after(async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  });
  const own = await serverEnvironment(database.url);
  const front = program.overTls ? await openTlsFront(folder, own.PORT) : null;
  t.after(() => front?.close());
  const environment = front === null ? own : { ...own, BASE_URL: front.url };
  const server = await startServer(environment);
  t.after(() => server.stop());
  const person = ["user", "create", "--email", ADA.email, "--name", ADA.name, "--role", "admin", "--password-stdin"];
  await runJson(person, environment, ADA.password);
  const redirectUri = `http://${program.host ?? "127.0.0.1"}:${await freePort()}${program.callback}`;
  const client = await runJson<Registered>(
    ["client", "create", "--name", program.language, "--redirect-uri", redirectUri, "--scope", SCOPE].concat(
      program.registration,
    ),
    environment,
  );
  const issuer = front?.url ?? server.baseUrl;
  const printed = await runProgram(program, {
    ...program.environment,
    ...{ ISSUER: issuer, API: `${issuer}/graphql`, REDIRECT_URI: redirectUri },
    ...{ CLIENT_ID: client.client_id, CLIENT_SECRET: client.client_secret ?? "" },
    CERTIFICATE: front?.certificate ?? "",
  });
  assert.deepEqual(printed, linesOf(program));
  await assertSeen(program.language, server, client, environment);
}

function linesOf({ language, rejection }: ClientProgram): string[] {
  return [
    "Signed in as Ada",
    "Userinfo of Ada",
    `Wrote Hello from ${language} PUBLISHED`,
    "Refreshed",
    `Read Hello from ${language} by Ada`,
    "Revoked",
    `Rejected with ${rejection}`,
    "Refresh rejected with invalid_grant",
  ];
}

/** @returns the lines beside the one with the URL */
async function runProgram(
  { language, command, folder }: ClientProgram,
  environment: Readonly<Record<string, string>> & { readonly ISSUER: string },
): Promise<string[]> {
  const child = spawn(command[0] ?? "", command.slice(1), {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: LONGEST,
    killSignal: "SIGKILL",
  });
  const lines: string[] = [];
  const complaints = text(child.stderr);
  let visit: Promise<string> = Promise.resolve("nobody was asked to sign in");
  createInterface({ input: child.stdout }).on("line", (line) => {
    const url = /^Sign in at (\S+)$/.exec(line)?.[1];
    if (url === undefined) lines.push(line);
    else visit = signIn(url, environment.ISSUER).catch((error) => end(child, error));
  });
  const code = await new Promise<number | null>((resolve, reject) => child.on("close", resolve).on("error", reject));
  const lost = [`ended with ${code}`, await visit, ...lines, await complaints].join("\n");
  assert.equal(code, 0, `the program for ${language} ${lost}`);
  return lines;
}

/** Nobody comes back to a program whose person could not sign in. @returns why */
function end(child: ChildProcess, error: Error): string {
  child.kill("SIGKILL");
  return error.message;
}

/** From the URL, at the server or at the client's own site, over the server's pages, to where the client waits. */
async function signIn(url: string, issuer: string): Promise<string> {
  const atClient = new Browser();
  const first = url.startsWith(issuer) ? url : (await atClient.follow(url)).url;
  const person = new Browser();
  const { email, password } = ADA;
  const end = await walk(person, await person.follow(first), {
    ...{ issuer, clientId: "", redirectUri: "", email, password },
  });
  assert.ok(end.left, `the sign-in stopped at ${end.url}: ${end.text.slice(-800)}`);
  const { response } = await atClient.follow(end.url);
  return `the client answered ${response.status}`;
}

/** The program said what it did. The server says so too. */
async function assertSeen(
  language: string,
  server: ServerProcess,
  { client_id: id }: Registered,
  environment: Record<string, string>,
): Promise<void> {
  const token = ["token", "create", "--user", ADA.email, "--client", id, "--scope", "posts:read users:read"];
  const { access_token } = await runJson<{ access_token: string }>(token, environment);
  const { data } = await postTo(server.baseUrl, access_token, "{ posts(first: 10) { title author { name } } }");
  assert.deepEqual(data.posts, [{ title: `Hello from ${language}`, author: { name: "Ada" } }]);
  const audit = await runJson<Audited[]>(["audit", "--client", id], environment);
  const seen = new Set(audit.map(({ event, result }) => `${event} ${result}`));
  for (const one of ["consent ok", "token ok", "revocation ok", "token refused"])
    assert.ok(seen.has(one), `${one} is not among ${[...seen].join(", ")}`);
}
