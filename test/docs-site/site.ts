import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { promisify } from "node:util";

const ROOT = join(import.meta.dirname, "../..");

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".md": "text/markdown; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webp": "image/webp",
};

/** The documentation, built and served below a path, as a host of static files does. */
export interface TestSite {
  /** Folder of the built files. */
  readonly folder: string;
  /** With a slash at the end. */
  readonly url: string;
  /** Milliseconds that the build took. */
  readonly took: number;
  close(): Promise<void>;
}

/** Builds the site as `npm run docs` does, into a folder of its own, and serves it. Close it. */
export async function openSite(): Promise<TestSite> {
  const folder = mkdtempSync(join(tmpdir(), "content-api-docs-"));
  const began = performance.now();
  const program = join(ROOT, "node_modules/vitepress/bin/vitepress.js");
  await promisify(execFile)(process.execPath, [program, "build", "docs", "--outDir", folder], {
    cwd: ROOT,
    timeout: 120_000,
  });
  const took = performance.now() - began;
  const server = createServer(({ url = "/" }, response) => {
    const path = decodeURIComponent(new URL(url, "http://localhost").pathname).replace(/^\/some\/path\//, "");
    const name = normalize(path.endsWith("/") || path === "" ? `${path}index.html` : path);
    try {
      const bytes = readFileSync(join(folder, name));
      response.writeHead(200, { "content-type": TYPES[extname(name)] ?? "application/octet-stream" }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    ...{ folder, took },
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/some/path/`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
      rmSync(folder, { recursive: true });
    },
  };
}
