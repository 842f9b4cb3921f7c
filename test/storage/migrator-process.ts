/**
 * A process for the crash tests: `node migrator-process.ts DATABASE_URL N`. Opens the store, which migrates it, and
 * dies by SIGKILL at the N-th call into SQLite, or the N-th message to PostgreSQL; with N = 0 it lives. Prints the
 * number of them.
 */
import { Socket } from "node:net";
import { DatabaseSync, StatementSync } from "node:sqlite";
import { openStore } from "../../src/storage/open.ts";

const [url = "", fatal = "0"] = process.argv.slice(2);
let calls = 0;

function dieBefore<Name extends string>(prototype: Record<Name, unknown>, name: Name): void {
  const original = prototype[name] as (...parameters: unknown[]) => unknown;
  prototype[name] = function (this: unknown, ...parameters: unknown[]) {
    if (++calls === Number(fatal)) process.kill(process.pid, "SIGKILL");
    return original.apply(this, parameters);
  };
}

dieBefore(DatabaseSync.prototype as unknown as Record<"exec", unknown>, "exec");
for (const name of ["run", "get", "all"] as const) {
  dieBefore(StatementSync.prototype as unknown as Record<typeof name, unknown>, name);
}
dieBefore(Socket.prototype as unknown as Record<"write", unknown>, "write");

const store = await openStore(url);
process.stdout.write(`${calls}\n`);
await store.close();
