import { LRUCache } from "lru-cache";
import { USE_NOTED_FOR } from "../../domain/clients/client-secret.ts";
import type { ClientStore } from "../../domain/clients/client-store.ts";
import { describeFault } from "../../observe/describe-fault.ts";
import type { Log } from "../../observe/log.ts";
import type { NoteUse } from "./clients.ts";

/** Uses that this process remembers. */
const MOST = 10_000;

/**
 * Notes when clients and their secrets were last used, once a minute for each. No request waits for it, and none fails with it.
 *
 * @param now milliseconds of Unix time
 */
export function openClientUses(
  { noteUse }: Pick<ClientStore, "noteUse">,
  { now, log }: { readonly now: () => number; readonly log: Log },
): NoteUse {
  const noted = new LRUCache<string, number>({ max: MOST });
  const isNoted = (key: string, at: number) => {
    const last = noted.get(key);
    return last !== undefined && Math.abs(at - last) < USE_NOTED_FOR; // either way: a clock may be set back
  };
  return (clientId, secretHash) => {
    const at = now();
    const key = `${clientId} ${secretHash ?? ""}`;
    if (isNoted(key, at)) return;
    noted.set(key, at);
    noted.set(`${clientId} `, at);
    noteUse(clientId, secretHash, new Date(at).toISOString()).catch((error: unknown) =>
      log.warn({ clientId, error: describeFault(error) }, "the last use of a client was not noted"),
    );
  };
}
