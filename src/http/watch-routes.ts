import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";
import { type RequestRecord, withRecord } from "../observe/request-record.ts";
import type { RequestWatch } from "../observe/request-watch.ts";
import { sampledTrace } from "../observe/sampled-trace.ts";

/**
 * Runs the work of every route with the record of its request. To be called before other hooks are there.
 *
 * @returns what finds the trace of a request, if that is sampled
 */
export function watchRoutes(
  server: FastifyInstance,
  watch: RequestWatch,
): (raw: IncomingMessage) => string | undefined {
  const records = new WeakMap<IncomingMessage, RequestRecord>();
  server.addHook("onRequest", ({ raw, id }, _reply, done) => {
    const record = watch.begin(raw, id, performance.now());
    if (record !== null) records.set(raw, record);
    withRecord(record, done);
  });
  // Work after the end of the body runs in the context of the connection.
  server.addHook("preValidation", ({ raw }, _reply, done) => withRecord(records.get(raw), done));
  server.addHook("onResponse", ({ raw, method, routeOptions }, reply, done) => {
    const answer = { method, route: routeOptions.url ?? "none", status: reply.statusCode };
    watch.end(records.get(raw) ?? null, answer);
    done();
  });
  return (raw) => sampledTrace(records.get(raw));
}
