import type { FastifyPluginAsync } from "fastify";
import type { Store } from "../domain/store/store.ts";
import type { Log } from "../observe/log.ts";
import type { Metrics } from "../observe/metrics.ts";

/**
 * `/livez`: the process answers. `/readyz`: it can do its work: the database answers, and we are not on our way out.
 * `/metrics`: Prometheus text.
 */
export function healthRoutes({
  store,
  log,
  metrics,
  isClosing,
}: {
  store: Store;
  log: Log;
  metrics: Metrics;
  isClosing(): boolean;
}): FastifyPluginAsync {
  return async (server) => {
    server.get("/livez", async () => ({ status: "ok" }));
    server.get("/metrics", (_request, reply) => reply.type("text/plain; version=0.0.4").send(metrics.print()));
    server.get("/readyz", async (_request, reply) => {
      reply.header("cache-control", "no-store");
      try {
        if (isClosing()) throw new Error("closing");
        await store.check();
        return { status: "ok" };
      } catch (error) {
        log.warn({ err: error }, "not ready");
        return reply.code(503).header("retry-after", "1").send({ status: "unavailable" });
      }
    });
  };
}
