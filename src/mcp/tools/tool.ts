import type { Scope } from "../../domain/scopes.ts";
import type { InputRequired, JsonObject, ReadyResult, Tool, ToolResult } from "../protocol/service.ts";
import type { Ask } from "./ask.ts";
import type { Confirm } from "./confirmation.ts";
import type { ContentCall } from "./options.ts";
import type { Results } from "./results.ts";

/** One tool: its declaration, and its work. */
export interface ContentTool extends Tool {
  /** The scope without which nobody sees it; null for everybody. */
  readonly scope: Scope | null;
  /** @throws AppError */
  readonly run: (work: Work, args: Arguments) => Promise<ToolResult | ReadyResult | InputRequired>;
}

/** As the tool's `inputSchema` declares them: checked before. */
type Arguments = JsonObject;

/** One call of a tool, with everything that the work needs. */
export interface Work {
  readonly call: ContentCall;
  readonly ask: Ask;
  readonly results: Results;
  /** Whether the caller's token has the scope. */
  readonly has: (scope: Scope) => boolean;
  readonly confirm: Confirm;
  /** Counts one change. @throws AppError RATE_LIMITED, FORBIDDEN */
  readonly countWrite: () => void;
  /** Changes that the caller may still make within this hour. */
  readonly writesLeft: () => number;
}
