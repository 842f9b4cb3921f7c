import { Socket } from "node:net";
import { DatabaseSync, StatementSync } from "node:sqlite";

/** @returns how many calls into SQLite and messages to PostgreSQL there were; before the `fatal`-th, this process dies by SIGKILL */
export function dieBefore(fatal: number): () => number {
  let calls = 0;
  function watch<Name extends string>(prototype: Record<Name, unknown>, name: Name): void {
    const original = prototype[name] as (...parameters: unknown[]) => unknown;
    prototype[name] = function (this: unknown, ...parameters: unknown[]) {
      if (++calls === fatal) process.kill(process.pid, "SIGKILL");
      return original.apply(this, parameters);
    };
  }
  watch(DatabaseSync.prototype as unknown as Record<"exec", unknown>, "exec");
  for (const name of ["run", "get", "all"] as const)
    watch(StatementSync.prototype as unknown as Record<typeof name, unknown>, name);
  watch(Socket.prototype as unknown as Record<"write", unknown>, "write");
  return () => calls;
}
