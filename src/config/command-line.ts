import { basename, delimiter, dirname, relative, resolve, sep } from "node:path";
import { type Config, readTexts } from "./config.ts";
import { isLoopback } from "./loopback.ts";

/** Settings that a command needs to find the same database, and to print the same addresses, as the server. */
const REPEATED = ["DATABASE_URL", "PORT", "BASE_URL", "AUTH_URL"] as const;

/**
 * The program as it was called, so that a line printed with it works in the same folder: `bin/content-api` in a
 * checkout, `content-api` where it stands in PATH. npm has a PATH of its own, which another terminal lacks.
 */
export function programName({ argv, cwd, env }: Pick<NodeJS.Process, "argv" | "cwd" | "env"> = process): string {
  const file = resolve(argv[1] ?? "bin/content-api");
  const path = env.npm_lifecycle_event === undefined ? (env.PATH ?? "") : "";
  if (path.split(delimiter).includes(dirname(file))) return basename(file);
  const fromHere = relative(cwd(), file);
  if (fromHere.startsWith("..")) return quoted(file);
  return quoted(fromHere.includes(sep) ? fromHere : `.${sep}${fromHere}`);
}

/**
 * The words before a command that make it find this server's database from another terminal in the same folder:
 * the program, and each setting that the file `.env` does not already give. A password is left for the operator to fill in.
 */
export function commandLine(environment: NodeJS.ProcessEnv = process.env, envFile = ".env"): string {
  const here = readTexts(environment, envFile);
  const elsewhere = readTexts({}, envFile);
  const settings = REPEATED.filter((name) => here[name] !== elsewhere[name])
    .filter((name) => name !== "PORT" || here.BASE_URL == null)
    .map((name) => `${name}=${quoted(withoutPassword(here[name] ?? ""))} `);
  return settings.join("") + programName();
}

/** The words for a page. Strangers read pages at public addresses, so only one on this machine names the database. */
export function commandOnPages({ BASE_URL }: Pick<Config, "BASE_URL">, environment: NodeJS.ProcessEnv): string {
  return isLoopback(new URL(BASE_URL).hostname) ? commandLine(environment) : programName();
}

function withoutPassword(text: string): string {
  if (!/^postgres/.test(text)) return text;
  const url = URL.parse(text);
  if (url === null) return "…";
  if (url.password !== "") url.password = "PASSWORD";
  if (url.searchParams.has("password")) url.searchParams.set("password", "PASSWORD");
  return url.href;
}

/** As one word of a shell. */
function quoted(text: string): string {
  return /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
