import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Plugin } from "esbuild";
import { partsOf } from "../../bin/build-studio.js";
import { colorRules } from "../../src/design/colors.ts";

const root = join(import.meta.dirname, "../..");

/** The parts that other folders give the page, as far as the editor needs one: an empty element. */
const SLOTS: Readonly<Record<string, string>> = {
  "preview-pane": "PreviewPane",
  "publish-button": "PublishButton",
  "side-panel": "SidePanel",
  conflict: "ConflictBanner",
  "merged-dialog": "MergedDialog",
  "others-line": "OthersLine",
  "state-line": "StateLine",
};

const slots: Plugin = {
  name: "slots",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/(?:saving|publishing)\/(?:[\w-]+\/)*[\w-]+\.tsx$/ }, ({ path }) => ({
      path: /([\w-]+)\.tsx$/.exec(path)?.[1] ?? "",
      namespace: "slot",
    }));
    onLoad({ filter: /.*/, namespace: "slot" }, ({ path }) => ({
      contents: `import { h } from "preact"; export const ${SLOTS[path]} = () => h("div", { class: "slot ${path}" }, ${JSON.stringify(path === "state-line" ? "Saved" : path === "publish-button" ? "Publish" : "")});`,
      loader: "js",
      resolveDir: root,
    }));
  },
};

const NONCE = "c2VsZG9tIHVzZWQgYnkgdGVzdHM";

/** As the studio's page has it (S03). */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' 'nonce-${NONCE}'`,
  "connect-src 'self'",
  "img-src 'self' data: blob: https:",
  "font-src 'self'",
  "frame-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types studio",
].join("; ");

const COLOURS = colorRules();

export interface EditorServer {
  /** Kilobytes after gzip of everything that the editor's own chunk loads. */
  readonly chunk: number;
  /** Address of a page with this post. */
  page(texts: { readonly title?: string; readonly body?: string }, options?: { readonly isPlain?: boolean }): string;
  /** Answers 503 for the editor's chunk. */
  breakChunk(isBroken: boolean): void;
  close(): Promise<void>;
}

/** Serves the editor's page under the studio's policy, bundled as the studio is. */
export async function openEditorServer(): Promise<EditorServer> {
  const { outputFiles, metafile } = await build({
    entryPoints: { page: join(root, "test/studio/editor-page.js") },
    outdir: "/assets",
    entryNames: "[name]",
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    target: "es2023",
    jsx: "automatic",
    jsxImportSource: "preact",
    write: false,
    metafile: true,
    nodePaths: [join(root, "node_modules")],
    plugins: [slots],
  });
  const files = new Map(outputFiles.map(({ path, contents }) => [path.replace(/^.*\/assets\//, "/assets/"), contents]));
  const outputs = Object.entries(metafile.outputs).map(([path, output]) => ({
    path: `/assets/${path.replace(/^.*assets\//, "")}`,
    ...output,
  }));
  const chunks = new Set<string>();
  const add = (path: string) => {
    if (chunks.has(path)) return;
    chunks.add(path);
    for (const { path: next, kind } of outputs.find((output) => output.path === path)?.imports ?? [])
      if (kind === "import-statement") add(`/assets/${next.replace(/^.*assets\//, "")}`);
  };
  const entry = outputs.find(({ entryPoint }) => entryPoint?.endsWith("code-mirror/surface.ts"));
  add(entry?.path ?? "");
  const main = Object.keys(metafile.outputs).find((path) => path.endsWith("/page.js")) ?? "";
  const parts = JSON.stringify(partsOf(metafile.outputs, main)).replaceAll('"', "&quot;");
  const pages = new Map<string, string>();
  let isBroken = false;
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    const file = files.get(path);
    if (file !== undefined) {
      response.writeHead(isBroken && path === entry?.path ? 503 : 200, {
        "content-type": path.endsWith(".css") ? "text/css" : "text/javascript",
      });
      response.end(isBroken && path === entry?.path ? "" : file);
      return;
    }
    const page = pages.get(path);
    response.writeHead(page === undefined ? 404 : 200, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": POLICY,
    });
    response.end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    chunk: [...chunks].reduce((sum, path) => sum + gzipSync(files.get(path) ?? "", { level: 9 }).length, 0) / 1000,
    page({ title = "", body = "" }, { isPlain = false } = {}) {
      const path = `/${pages.size + 1}`;
      const start = JSON.stringify({ texts: { title, body, slug: null, excerpt: null }, isPlain }).replaceAll(
        "<",
        "\\u003c",
      );
      pages.set(
        path,
        `<!doctype html><html lang="en" data-parts="${parts}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="style-nonce" content="${NONCE}"><title>Editor</title><style nonce="${NONCE}">${COLOURS}</style>
<link rel="stylesheet" href="/assets/page.css"><script type="application/json" id="start">${start}</script>
<script type="module" src="/assets/page.js"></script></head><body><main id="studio" class="page"></main></body></html>`,
      );
      return origin + path;
    },
    breakChunk(value) {
      isBroken = value;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
