import { randomBytes } from "node:crypto";
import type { Config } from "../config/config.ts";
import { AppError } from "../domain/errors.ts";
import type { Store } from "../domain/store/store.ts";
import type { OpenBuckets } from "../domain/token-bucket.ts";
import { CODES, type McpService, ProtocolError } from "../mcp/protocol/service.ts";
import { openContentService } from "../mcp/tools/content-service.ts";
import type { Caller, ContentServiceOptions } from "../mcp/tools/options.ts";
import type { LabelsOf } from "../observe/metric-table.ts";
import type { Metrics } from "../observe/metrics.ts";
import { openSealer } from "../secrets/seal.ts";
import { programVersion } from "./program-version.ts";

export interface AgentToolsOptions extends Pick<ContentServiceOptions, "handle"> {
  /** Undefined where nobody can listen to changes. */
  readonly followPosts: ContentServiceOptions["followPosts"] | undefined;
  readonly store: Pick<Store, "attempts">;
  readonly secret: Uint8Array;
  readonly previousSecret: Uint8Array | null;
  readonly openBuckets: OpenBuckets;
  /** Counts calls. Defaults to metrics that nobody reads. */
  readonly metrics?: Metrics;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

/** The tools for agents, with what they need of other rooms. */
export function openAgentTools(config: Config, options: AgentToolsOptions): McpService<Caller> {
  const { handle, followPosts, store, secret, previousSecret, openBuckets, now } = options;
  const version = programVersion();
  const service = openContentService({
    settings: { ...config, MCP: config.MCP === "read" ? "read" : "write" },
    version,
    sealer: openSealer(secret, previousSecret),
    claimOnce: (key, untilSeconds, nowSeconds) => store.attempts.claimOnce(key, untilSeconds, nowSeconds),
    ...(followPosts === undefined ? {} : { followPosts }),
    ...{ handle, openBuckets, randomBytes, now },
  });
  return options.metrics === undefined ? service : counted(service, options.metrics);
}

/** Counts calls of the tools that there are, each by its outcome. */
function counted(service: McpService<Caller>, metrics: Metrics): McpService<Caller> {
  const count = (tool: string, outcome: LabelsOf<"mcp_calls_total">[1]) =>
    metrics.counter("mcp_calls_total", tool, outcome).add();
  return {
    ...service,
    async callTool(call, name, args) {
      try {
        const result = await service.callTool(call, name, args);
        count(name, "isError" in result && result.isError === true ? "failed" : "ok");
        return result;
      } catch (error) {
        const isRejected = error instanceof AppError ? error.code !== "INTERNAL" : error instanceof ProtocolError;
        // A name that no tool has is the caller's to choose.
        const isUnknown = error instanceof ProtocolError && error.code === CODES.invalidParams;
        count(isUnknown ? "other" : name, isRejected ? "rejected" : "error");
        throw error;
      }
    },
  };
}
