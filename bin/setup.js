// Installs what package-lock.json asks for and is not there, so that `npm start` and `npm test` need nothing before
// them. Plain JavaScript for any Node from 20 on: it runs before the pinned one exists. `--dev` wants the tools too.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(import.meta.dirname ?? fileURLToPath(new URL(".", import.meta.url)), "..");

/** The pinned Node, from npm's `node` package. */
export const pinnedNode = join(root, "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");

function readPackages(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")).packages : null;
}

function isInstalled(dev) {
  const wanted = readPackages(join(root, "package-lock.json"));
  const installed = readPackages(join(root, "node_modules", ".package-lock.json"));
  if (wanted === null) return true; // A published package: its user's npm has installed everything.
  if (installed === null || !existsSync(pinnedNode)) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === "" || entry.optional || entry.devOptional || (entry.dev && !dev)) return true;
    return installed[path]?.version === entry.version;
  });
}

export function setUp({ dev }) {
  if (isInstalled(dev)) return;
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

if (process.argv[1] === fileURLToPath(import.meta.url)) setUp({ dev: process.argv.includes("--dev") });
