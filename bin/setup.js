// Installs what package-lock.json asks for and builds the program where either is missing or out of date, so that `npm
// start` and `npm test` need nothing before them. Plain JavaScript for any Node from 20 on: it runs before the pinned
// one exists. `--dev` wants the tools too.
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

// At each start: imported, they would load more than is needed here (bin/builtins.js).
const require = createRequire(import.meta.url);
const { createHash } = require("node:crypto");
const { existsSync, lstatSync, readdirSync, readFileSync, statSync } = require("node:fs");

const root = join(import.meta.dirname ?? fileURLToPath(new URL(".", import.meta.url)), "..");
const ALSO_IN_A_BUILD = [
  "bin/build.js",
  "bin/build-studio.js",
  "bin/builtins.js",
  "package-lock.json",
  "node_modules/.package-lock.json",
];

/** The pinned Node, from npm's `node` package. */
export const pinnedNode = join(root, "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");

/**
 * Sees to it that everything is there; looks at no more than the dates of files when it is.
 * @returns the file that is the program: the built one, or the sources where nothing can be written
 */
export async function setUp({ dev }) {
  let folder = folderOfBuild();
  if (!dev && existsSync(folder)) return join(folder, "main.js");
  if (!isInstalled(dev)) {
    await install(dev);
    folder = folderOfBuild();
  }
  if (!existsSync(folder)) {
    const { buildProgram } = await import("./build.js");
    try {
      await buildProgram(root, folder);
    } catch (error) {
      if (error.code !== "EACCES" && error.code !== "EROFS" && error.code !== "EPERM") throw error;
      return join(root, "src", "main.ts");
    }
  }
  return join(folder, "main.js");
}

/** Named for the dates and sizes of all that goes into it, so that other sources or packages are another build. */
function folderOfBuild() {
  const hash = createHash("sha256");
  for (const name of [...sourcesIn("src"), ...ALSO_IN_A_BUILD].sort()) {
    const { mtimeMs, size } = statSync(`${root}/${name}`, { throwIfNoEntry: false }) ?? { mtimeMs: 0, size: 0 };
    hash.update(`${name}:${mtimeMs}:${size}\n`);
  }
  return join(root, "dist", hash.digest("hex").slice(0, 16));
}

/** Names from the root on. Node's own recursive readdir takes three times as long. */
function sourcesIn(folder) {
  return readdirSync(`${root}/${folder}`, { withFileTypes: true }).flatMap((entry) => {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return sourcesIn(name);
    return /\.(?:tsx?|css)$/.test(name) ? [name] : [];
  });
}

function isInstalled(dev) {
  const wanted = readPackages("package-lock.json");
  const installed = readPackages("node_modules/.package-lock.json");
  if (wanted === null) return true; // A published package: its user's npm has installed everything.
  if (installed === null || !existsSync(pinnedNode)) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === "" || entry.optional || entry.devOptional || (entry.dev && !dev)) return true;
    return installed[path]?.version === entry.version;
  });
}

function readPackages(name) {
  const path = join(root, name);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")).packages : null;
}

async function install(dev) {
  // `npm ci` removes what is in the folder first, and follows a link to do so.
  if (lstatSync(join(root, "node_modules"), { throwIfNoEntry: false })?.isSymbolicLink()) {
    console.error(
      "Packages are missing, but node_modules is a symbolic link: an installation would empty the folder it points to. Replace the link with a folder of its own, or run npm ci where that folder belongs.",
    );
    process.exit(1);
  }
  const { spawnSync } = await import("node:child_process");
  const hadTools = existsSync(join(root, "node_modules", "typescript"));
  console.error(`Installing what ${dev ? "the tests need" : "is missing"} (once, about half a minute) …`);
  const args = [
    "ci",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
    ...(dev || hadTools ? ["--include=dev"] : ["--omit=dev"]),
  ];
  const npm = process.env.npm_execpath;
  const result = npm?.endsWith("js")
    ? spawnSync(process.execPath, [npm, ...args], { cwd: root, stdio: ["ignore", 2, 2] })
    : spawnSync("npm", args, { cwd: root, stdio: ["ignore", 2, 2], shell: process.platform === "win32" });
  if (result.status !== 0) {
    console.error("The installation failed. Is the npm registry reachable? Try: npm ci");
    process.exit(1);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await setUp({ dev: process.argv.includes("--dev") });
