/** A fault as the log may have it: what describes it. Other properties of an error can hold the input that caused it. */
export function describeFault(error: unknown): object {
  if (!(error instanceof Error)) return { name: typeof error };
  const cause = error.cause === undefined ? {} : { cause: describeFault(error.cause) };
  return { name: error.name, stack: error.stack, ...cause };
}
