import type { Administration } from "../administration.ts";
import type { ChangeKind, ChangeListener } from "../change.ts";
import { AppError } from "../errors.ts";
import type { Viewer } from "../viewer.ts";
import { type AgentSlice, USE_NOTED_FOR } from "./agent.ts";

/** Agents whose last use this process remembers. */
const MOST = 10_000;
/** Seconds after which a stopped agent may ask again. */
const RETRY_AFTER = 60;

export interface AdmissionOptions {
  readonly store: AgentSlice & { watch(kinds: readonly ChangeKind[], listener: ChangeListener): () => void };
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

/** The door for agents, asked with every request to `/mcp`. Other processes' stops are seen within a second. */
export interface Admission {
  /**
   * Notes that the agent is in use, once a minute for each client and person. Synchronous while nothing is new.
   * @throws AppError UNAVAILABLE while all agents are stopped. A client that was stopped is refused with its token.
   */
  admit(viewer: Viewer): void | Promise<void>;
  /** Calls the listener when all agents are stopped, so that streams which are open can end. @returns how to end it */
  onStop(listener: () => void): () => void;
  close(): void;
}

export function openAdmission({ store, now }: AdmissionOptions): Admission {
  const { agents } = store;
  /** Unix time in milliseconds of the last use that was noted. */
  const noted = new Map<string, number>();
  const listeners = new Set<() => void>();
  /** Whether all agents are stopped; null as long as the store has not been asked since the last change. */
  let known: boolean | null = null;
  let asking: Promise<boolean> | null = null;
  const unwatch = store.watch(["agents"], () => {
    known = null;
    asking = null;
    if (listeners.size > 0) void tellListeners();
  });

  function ask(): Promise<boolean> {
    if (asking !== null) return asking;
    const answer = agents.stoppedAt().then((at) => at !== null);
    asking = answer;
    const keep = (isStopped: boolean | null) => {
      if (asking !== answer) return; // something has changed meanwhile
      known = isStopped;
      asking = null;
    };
    answer.then(keep, () => keep(null));
    return answer;
  }

  async function tellListeners(): Promise<void> {
    const isStopped = await ask().catch(() => false); // the next notification asks again
    if (isStopped) for (const listener of [...listeners]) listener();
  }

  function enter({ userId, clientId }: Viewer, isStopped: boolean): void | Promise<void> {
    if (isStopped) throw stopped();
    const at = now();
    if (clientId === null || !isNew(`${userId} ${clientId}`, at)) return;
    // Nobody is refused because the time of the last use cannot be written.
    return agents.noteUse({ userId, clientId, at: new Date(at).toISOString() }).catch(() => {});
  }

  function isNew(key: string, at: number): boolean {
    const last = noted.get(key);
    if (last !== undefined && Math.abs(at - last) < USE_NOTED_FOR) return false; // either way: a clock may be set back
    noted.delete(key);
    noted.set(key, at);
    const [oldest] = noted.size > MOST ? noted.keys() : [];
    if (oldest !== undefined) noted.delete(oldest);
    return true;
  }

  return {
    admit: (viewer) => (known === null ? ask().then((isStopped) => enter(viewer, isStopped)) : enter(viewer, known)),
    onStop(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: unwatch,
  };
}

function stopped(): AppError<"UNAVAILABLE"> {
  const message = "An administrator has stopped all agents. Ask the operator when they may act again.";
  return new AppError("UNAVAILABLE", message, { retryAfter: RETRY_AFTER });
}

/** Stops every agent: `/mcp` answers 503 on each node and worker within a second. @throws AppError KeyInUse */
export async function stopAllAgents({ store, now, record, once }: Administration<AgentSlice>): Promise<void> {
  await store.agents.stop(new Date(now()).toISOString(), once);
  await record({ event: "agent", result: "ok", detail: "all stopped" });
}

/** Lets agents in again, but for clients that are disabled. @throws AppError KeyInUse */
export async function resumeAgents({ store, record, once }: Administration<AgentSlice>): Promise<void> {
  await store.agents.stop(null, once);
  await record({ event: "agent", result: "ok", detail: "all let in again" });
}
