import { spawn, spawnSync } from "node:child_process";
import { cp, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

/** What a first build leaves for the next one: in a folder that git ignores. */
const CACHE = join(ROOT, "node_modules/.cache/clients");

/** Milliseconds for one command that downloads or builds, on a machine that does other things too. */
const LONGEST = 600_000;

/** What a command prints about its version, and the oldest version that is new enough, such as 1.88. */
type Needed = Readonly<Record<string, readonly [question: string, atLeast: string]>>;

/** @returns the reason to skip tests, for `skip`: the first command that this machine lacks, or has in an old version */
export function lacking(needed: Needed): string | false {
  for (const [command, [question, atLeast]] of Object.entries(needed)) {
    const { status, stdout, stderr } = spawnSync(command, [question], { encoding: "utf8", timeout: 60_000 });
    if (status !== 0) return `${command} is not installed`;
    const found = /\d+(?:\.\d+)+/.exec(stdout + stderr)?.[0] ?? "";
    if (isOlder(found, atLeast)) return `${command} is ${found}, and ${atLeast} or newer is needed`;
  }
  return false;
}

function isOlder(found: string, atLeast: string): boolean {
  return found.localeCompare(atLeast, "en", { numeric: true }) < 0;
}

/** Copies the programs of a language, the schema and the documents to where they are built. @returns the folder */
export async function copyPrograms(language: string): Promise<string> {
  const folder = join(CACHE, language);
  await cp(join(import.meta.dirname, language), folder, { recursive: true, filter: differs });
  for (const file of [join(ROOT, "schema.graphql"), join(import.meta.dirname, "walk.graphql")])
    await cp(file, join(folder, basename(file)), { filter: differs });
  return folder;
}

/** Builders go by the dates of files: one that is there already keeps its date. */
async function differs(source: string, copy: string): Promise<boolean> {
  if ((await stat(source)).isDirectory()) return true;
  const [wanted, present] = await Promise.all([readFile(source), readFile(copy).catch(() => null)]);
  return present === null || !wanted.equals(present);
}

export interface Step {
  readonly command: readonly string[];
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** What the command prints when the registry of its language does not answer. Nothing else is a reason to skip. */
  readonly unreachable?: RegExp;
}

/**
 * Runs a command that downloads packages or builds.
 *
 * @returns null, or the reason to skip the test: the registry is out of reach
 * @throws Error with what the command printed, if it failed in another way
 */
export async function build({ command, folder, environment, unreachable }: Step): Promise<string | null> {
  const child = spawn(command[0] ?? "", command.slice(1), {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: LONGEST,
    killSignal: "SIGKILL",
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (printed += chunk));
  const code = await new Promise<number | null>((resolve, reject) => child.on("close", resolve).on("error", reject));
  if (code === 0) return null;
  if (unreachable?.test(printed)) return `${basename(command[0] ?? "")} cannot download its packages here`;
  throw new Error(`${command.join(" ")} ended with ${code}:\n${printed.slice(-4_000)}`);
}
