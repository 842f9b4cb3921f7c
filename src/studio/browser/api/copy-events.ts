import { WorkingCopyEvents, type WorkingCopyEventsData } from "../documents/presence.ts";
import { ApiFailure, type CopyEvent } from "../ports.ts";
import type { StudioApi } from "./client.ts";
import { readEvents } from "./event-stream.ts";

type Listener = (event: CopyEvent | null) => void;

export interface CopyEventPorts {
  readonly api: Pick<StudioApi, "stream">;
  /** Lets `work` run while this tab is the one that listens, until `end`. Its signal tells when another tab took over. */
  lead(work: (signal: AbortSignal) => Promise<void>, end: AbortSignal): void;
  /** Waits milliseconds, or until `signal`. */
  wait(time: number, signal: AbortSignal): Promise<void>;
  now(): number;
}

/** Milliseconds before the first attempt to connect again; doubled with each. */
const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 30_000;
/** Milliseconds without a connection after which it is no longer known who writes. */
const FORGET_AFTER = 40_000;

/**
 * Events of working copies: the people who write a post, and the version of its text. All tabs of the browser share one
 * stream, which belongs to the tab that somebody looks at: HTTP/1.1 has six connections for them all.
 */
export function openCopyEvents({ api, lead, wait, now }: CopyEventPorts) {
  async function listen(post: string, listener: Listener, signal: AbortSignal): Promise<void> {
    let heardAt = now();
    for (let failures = 0; !signal.aborted; failures += 1) {
      try {
        const answer = await api.stream(WorkingCopyEvents, { post }, signal);
        failures = 0;
        for await (const { data } of readEvents<WorkingCopyEventsData>(answer)) {
          if (data === null || data === undefined) break;
          const { workingVersion, editing } = data.workingCopyEvents;
          listener({ workingVersion, names: editing.map(({ name }) => name) });
        }
        heardAt = now();
      } catch (error) {
        // Saving says what is wrong with the post, or with the session.
        if (error instanceof ApiFailure && error.kind !== "offline" && error.kind !== "busy") failures = LAST;
      }
      if (now() - heardAt > FORGET_AFTER) listener(null);
      const time = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** failures);
      await wait(time * (0.5 + Math.random() / 2), signal);
    }
    listener(null);
  }

  return {
    /** @param listener is told null while nothing is known @returns how to end it */
    follow(post: string, listener: Listener): () => void {
      const end = new AbortController();
      const tell: Listener = (event) => {
        if (!end.signal.aborted) listener(event);
      };
      lead((signal) => listen(post, tell, signal), end.signal);
      return () => end.abort();
    },
  };
}

/** Failures in a row after which the longest wait is reached. */
const LAST = Math.log2(LONGEST_WAIT / FIRST_WAIT);
