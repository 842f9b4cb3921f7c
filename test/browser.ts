import { execFileSync } from "node:child_process";
import { accessSync, constants, existsSync, readdirSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import packaged from "@sparticuz/chromium";
import { type Browser, chromium } from "playwright-core";

const require = createRequire(import.meta.url);

/** Nothing here may talk to a host that the test did not name. */
const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

/** The Debian package of each shared library that Chromium needs and a bare system may lack. */
const PACKAGES: Record<string, string> = {
  "libnss3.so": "libnss3",
  "libnssutil3.so": "libnss3",
  "libsmime3.so": "libnss3",
  "libnspr4.so": "libnspr4",
  "libexpat.so.1": "libexpat1",
};

/** A browser for tests; end it with `close`. */
export interface TestBrowser {
  readonly browser: Browser;
  close(): Promise<void>;
}

/**
 * Starts a real Chromium without a window: CHROME_PATH, or one that is installed, or the one from npm. `more` are arguments of it.
 *
 * @throws Error that says what to install, when a shared library is missing
 */
export async function openBrowser(more: readonly string[] = []): Promise<TestBrowser> {
  const executablePath = findInstalledBrowser() ?? (await unpackBrowser());
  const missing = missingLibraries(executablePath);
  if (missing.length > 0) throw new Error(adviceFor(missing));
  const browser = await chromium.launch({
    executablePath,
    args: [...ARGUMENTS, ...more],
    headless: true,
    env: fontSettings(),
  });
  return { browser, close: () => browser.close() };
}

function findInstalledBrowser(): string | null {
  const chosen = process.env.CHROME_PATH;
  if (chosen !== undefined && chosen !== "") {
    if (!isExecutable(chosen)) throw new Error(`CHROME_PATH is ${chosen}, which is not a program that can be run.`);
    return chosen;
  }
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/bin", "/usr/local/bin", "/opt/google/chrome"];
  const names = ["google-chrome", "google-chrome-stable", "chrome", "chromium", "chromium-browser"];
  const candidates = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  candidates.push("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome");
  return candidates.find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Where the Chromium from npm is unpacked: once per version, inside node_modules, so that it goes when they go. */
function browserFolder(): string {
  const manifest = join(dirname(require.resolve("@sparticuz/chromium")), "..", "package.json");
  const { version } = require(manifest) as { version: string };
  return join(import.meta.dirname, "..", "node_modules", ".cache", `chromium-${version}`);
}

async function unpackBrowser(): Promise<string> {
  const folder = browserFolder();
  if (!existsSync(folder)) {
    // The package unpacks into the temporary folder and takes a half-written file for a finished one, so test files
    // that start together would run each other's fragments. Each unpacks for itself; the first to finish is kept.
    await mkdir(dirname(folder), { recursive: true });
    const draft = await mkdtemp(`${folder}-`);
    const usual = process.env.TMPDIR;
    process.env.TMPDIR = draft;
    try {
      await packaged.executablePath();
    } finally {
      if (usual === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = usual;
    }
    await rename(draft, folder).catch(() => rm(draft, { recursive: true }));
  }
  return join(folder, "chromium");
}

/** The package brings fonts for systems that have none. */
function fontSettings(): NodeJS.ProcessEnv {
  const fonts = join(browserFolder(), "fonts");
  const systemHasFonts = existsSync("/usr/share/fonts") && readdirSync("/usr/share/fonts").length > 0;
  if (process.platform !== "linux" || systemHasFonts || !existsSync(fonts)) return process.env;
  return { ...process.env, FONTCONFIG_PATH: fonts };
}

/** Names of the shared libraries that the loader cannot find; empty where that cannot be looked up. */
function missingLibraries(executablePath: string): readonly string[] {
  if (process.platform !== "linux") return [];
  let listing: string;
  try {
    listing = execFileSync("ldd", [executablePath], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  } catch {
    return []; // No ldd, or a start script instead of a binary.
  }
  return [...listing.matchAll(/^\s*(\S+) => not found$/gm)].map((match) => match[1] ?? "");
}

/** What to install for the libraries that are missing. */
function adviceFor(missing: readonly string[]): string {
  const packages = [...new Set(missing.map((library) => PACKAGES[library]).filter((name) => name !== undefined))];
  const unknown = missing.filter((library) => PACKAGES[library] === undefined);
  return [
    `The browser for the tests needs shared libraries that this machine lacks: ${missing.join(", ")}.`,
    packages.length > 0 ? `On Debian and Ubuntu: apt-get install -y ${packages.join(" ")}` : "",
    unknown.length > 0 ? `Find the package of the others with: apt-file search ${unknown[0]}` : "",
    "Or name a Chrome or Chromium that works here in CHROME_PATH.",
  ]
    .filter((line) => line !== "")
    .join("\n");
}
