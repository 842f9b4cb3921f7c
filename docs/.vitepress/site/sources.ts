import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { titleOf } from "./text.ts";

/** The folder of the project. */
export const ROOT = join(import.meta.dirname, "../../..");

/** Markdown outside docs/ that has a page in the site. The README files of the rooms in src/ are for readers of the code. */
const OUTSIDE = ["*.md", "bench/*.md", "deploy/**/README.md", "examples/**/README.md"];

/** Endings of files whose text a browser shows well. */
const TEXT =
  /(?:^|\/)(?:Caddyfile|Dockerfile|LICENSE|\.env\.example)$|\.(?:cfg|conf|graphql|html|js|json|service|sh|toml|ts|ya?ml)$/;

/** @returns every Markdown file that becomes a page, as a path from the project's folder, sorted */
export function listPages(root = ROOT): string[] {
  return ["docs/**/*.md", ...OUTSIDE].flatMap((pattern) => globSync(pattern, { cwd: root, exclude: isForeign })).sort();
}

/** @returns the Markdown files of the project that become no page */
export function listOthers(root = ROOT): string[] {
  const pages = new Set(listPages(root));
  return globSync("**/*.md", { cwd: root, exclude: isForeign }).filter((file) => !pages.has(file));
}

/** Whether a path leads to packages or to files that a build has written. */
function isForeign(path: string): boolean {
  return /(?:^|\/)node_modules$|^(?:build|dist|data)$/.test(path);
}

/**
 * The place of a Markdown file in the site: `docs/oauth.md` → `oauth.md`, `docs/README.md` → `index.md`,
 * `CONTRIBUTING.md` → `project/contributing.md`, `examples/spa/README.md` → `project/examples/spa.md`.
 */
export function sitePath(file: string): string {
  if (file.startsWith("docs/")) return file.slice("docs/".length).replace(/(^|\/)README\.md$/, "$1index.md");
  const path = file.includes("/") ? file.replace(/\/README\.md$/, ".md") : file;
  return `project/${path.toLowerCase()}`;
}

/** A target of a link, in the site. */
export interface Target {
  /** Path from the site's root on, such as `oauth.md` or `files/deploy/compose.yaml.txt`. */
  readonly path: string;
  /** The file or folder of the project that is copied there as text; null for a page or a picture of docs/. */
  readonly copied: string | null;
}

/**
 * Finds what a relative link in a Markdown file leads to. A folder leads to the page of its README, or to the text of its
 * files. A file that is no Markdown leads to a copy, named `.txt` so that every browser shows it.
 *
 * @param file the Markdown file, from the project's folder on
 * @param link the link without its anchor
 * @throws Error for a link to something that does not exist
 */
export function resolveLink(file: string, link: string, root = ROOT): Target {
  const target = posix.join(posix.dirname(file), link).replace(/\/$/, "");
  if (!existsSync(join(root, target))) throw new Error(`${file}: there is no ${target}`);
  const readme = posix.join(target, "README.md");
  const page = [target, readme].find((path) => path.endsWith(".md") && isPage(path, root));
  if (page !== undefined) return { path: sitePath(page), copied: null };
  if (target.startsWith("docs/")) return { path: target.slice("docs/".length), copied: null };
  return { path: `files/${target}.txt`, copied: target };
}

function isPage(path: string, root: string): boolean {
  if (root !== ROOT) return listPages(root).includes(path);
  pages ??= new Set(listPages());
  return pages.has(path);
}

let pages: ReadonlySet<string> | undefined;

/** The title of each page, by its place in the site. Read once: a build asks for it with each link. */
export function titlesOf(): ReadonlyMap<string, string> {
  titles ??= new Map(listPages().map((file) => [sitePath(file), titleOf(readFileSync(join(ROOT, file), "utf8"))]));
  return titles;
}

let titles: ReadonlyMap<string, string> | undefined;

/** The text of a file, or of all files of a folder, each under its name. */
export function textOf(path: string, root = ROOT): string {
  if (!statSync(join(root, path)).isDirectory()) return readFileSync(join(root, path), "utf8");
  return globSync(`${path}/**`, { cwd: root, exclude: (name) => name.includes("node_modules") })
    .filter((name) => TEXT.test(name) && statSync(join(root, name)).isFile())
    .sort()
    .map((name) => `==> ${name} <==\n\n${readFileSync(join(root, name), "utf8").trimEnd()}\n`)
    .join("\n");
}
