import { AppError } from "../../domain/errors.ts";
import { currentRecord } from "../../observe/request-record.ts";
import { readTraceparent } from "../../observe/trace-context.ts";
import type { ContentCall } from "./options.ts";

/** Runs a tool as one span of its request. The agent's own trace, which `_meta` names, is joined or linked. */
export async function tracedTool<T>(call: ContentCall, name: string, run: () => Promise<T>): Promise<T> {
  const record = currentRecord();
  if (record === undefined) return run();
  record.meet(readTraceparent(call.traceparent, call.meta?.tracestate));
  const span = record.begin(`tools/call ${name}`);
  let error: string | null = null;
  try {
    return await run();
  } catch (thrown) {
    error = thrown instanceof AppError ? thrown.code : "_OTHER";
    throw thrown;
  } finally {
    record.end(span, { attributes: { "mcp.method.name": "tools/call", "gen_ai.tool.name": name }, error });
  }
}
