/** A fault as the log may have it: what describes it. Other properties of an error can hold the input that caused it. */
export function describeFault(error: unknown): object {
  if (!(error instanceof Error)) return { name: typeof error };
  const cause = error.cause === undefined ? {} : { cause: describeFault(error.cause) };
  return { name: error.name, stack: error.stack, ...cause };
}

/**
 * Whether this is the end of a stream whose reader has left: a client that closes its connection in the middle of a long answer.
 * Nobody failed, and nobody reads another answer.
 */
export function isReaderGone(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === "ERR_STREAM_PREMATURE_CLOSE";
}
