import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { FastifyPluginAsync } from "fastify";
import { HEADERS } from "./frame.ts";
import type { Installation } from "./installation.ts";
import { type Document, openPages } from "./pages.ts";

/** Seconds for which a cache may reuse a page. Settings change with a restart. */
const MAX_AGE = 300;

interface Answer {
  readonly headers: Readonly<Record<string, string>>;
  readonly etag: string;
  readonly plain: string;
  readonly gzip: Buffer;
}

/** `GET /docs` and the pages below it. They are the same for everybody, so caches may keep them. */
export function docsRoutes(installation: Installation): FastifyPluginAsync {
  return async (server) => {
    for (const [path, make] of openPages(installation)) {
      let answer: Answer | undefined;
      server.get(path, (request, reply) => {
        answer ??= answerOf(make());
        const { headers, etag, plain, gzip } = answer;
        reply.headers(headers);
        if (request.headers["if-none-match"] === etag) return reply.code(304).send();
        if (!/\bgzip\b/.test(request.headers["accept-encoding"] ?? "")) return reply.send(plain);
        return reply.header("content-encoding", "gzip").send(gzip);
      });
    }
  };
}

function answerOf({ type, body }: Document): Answer {
  const etag = `"${createHash("sha256").update(body).digest("base64url")}"`;
  return {
    headers: {
      ...HEADERS,
      ...{ "content-type": type, "cache-control": `public, max-age=${MAX_AGE}`, etag, vary: "Accept-Encoding" },
    },
    ...{ etag, plain: body, gzip: gzipSync(body) },
  };
}
