import { createHash } from "node:crypto";
import type { FastifyPluginCallback } from "fastify";
import { schemaText } from "../documents/schema.ts";

/** The public schema in SDL at `/schema.graphql`, for tools that make code from it. */
export const schemaRoute: FastifyPluginCallback = (server, _options, done) => {
  let answer: { readonly text: string; readonly etag: string } | undefined;
  server.get("/schema.graphql", (request, reply) => {
    answer ??= describe(schemaText());
    reply.headers({ etag: answer.etag, "cache-control": "no-cache", "x-content-type-options": "nosniff" });
    if (request.headers["if-none-match"] === answer.etag) return reply.code(304).send();
    return reply.type("text/plain; charset=utf-8").send(answer.text);
  });
  done();
};

function describe(text: string) {
  return { text, etag: `"${createHash("sha256").update(text).digest("base64url")}"` };
}
