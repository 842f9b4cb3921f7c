import { randomBytes } from "node:crypto";
import type { Config } from "../config/config.ts";
import type { Store } from "../domain/store/store.ts";
import type { OpenBuckets } from "../domain/token-bucket.ts";
import type { McpService } from "../mcp/protocol/service.ts";
import { openContentService } from "../mcp/tools/content-service.ts";
import type { Caller, ContentServiceOptions } from "../mcp/tools/options.ts";
import { openSealer } from "../secrets/seal.ts";
import { programVersion } from "./program-version.ts";

export interface AgentToolsOptions extends Pick<ContentServiceOptions, "handle"> {
  /** Undefined where nobody can listen to changes. */
  readonly followPosts: ContentServiceOptions["followPosts"] | undefined;
  readonly store: Pick<Store, "attempts">;
  readonly secret: Uint8Array;
  readonly previousSecret: Uint8Array | null;
  readonly openBuckets: OpenBuckets;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

/** The tools for agents, with what they need of other rooms. */
export function openAgentTools(config: Config, options: AgentToolsOptions): McpService<Caller> {
  const { handle, followPosts, store, secret, previousSecret, openBuckets, now } = options;
  const version = programVersion();
  return openContentService({
    settings: { ...config, MCP: config.MCP === "read" ? "read" : "write" },
    version,
    sealer: openSealer(secret, previousSecret),
    claimOnce: (key, untilSeconds, nowSeconds) => store.attempts.claimOnce(key, untilSeconds, nowSeconds),
    ...(followPosts === undefined ? {} : { followPosts }),
    ...{ handle, openBuckets, randomBytes, now },
  });
}
