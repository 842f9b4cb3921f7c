import { PostEvents } from "../documents/events.ts";
import { ApiFailure } from "../ports.ts";
import type { StudioApi } from "./client.ts";
import { readEvents } from "./event-stream.ts";

export interface PostEvent {
  readonly type: string;
  readonly postId: string;
  readonly version: number | null;
}

export interface EventPorts {
  readonly api: Pick<StudioApi, "stream">;
  /** Waits until this tab is the one that listens for all, and is it until `work` ends. */
  lead(work: () => Promise<void>, signal: AbortSignal): Promise<void>;
  readonly channel: Pick<BroadcastChannel, "postMessage" | "addEventListener">;
  /** Waits milliseconds, or until `signal`. */
  wait(time: number, signal: AbortSignal): Promise<void>;
}

/** Milliseconds before the first attempt to connect again; doubled with each. */
const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 30_000;

/** Changes of posts, whoever made them. One stream serves all tabs of the browser: HTTP/1.1 has six connections for them all. */
export function openEvents({ api, lead, channel, wait }: EventPorts) {
  const listeners = new Set<(event: PostEvent) => void>();
  const end = new AbortController();
  let last: string | null = null;
  let isBegun = false;
  const hear = (id: string, event: PostEvent) => {
    last = id; // so that this tab can go on where the leader stopped
    for (const listener of listeners) listener(event);
  };
  channel.addEventListener("message", ({ data }) => hear(data.id, data.event));

  async function listen(): Promise<void> {
    for (let failures = 0; !end.signal.aborted; ) {
      try {
        const answer = await api.stream(PostEvents, { after: last }, end.signal);
        failures = 0;
        for await (const { data } of readEvents<{ postEvents: Told }>(answer)) {
          if (data === null || data === undefined) break;
          const { id, type, postId, post } = data.postEvents;
          const event = { type, postId, version: post?.version ?? null };
          channel.postMessage({ id, event });
          hear(id, event);
        }
      } catch (error) {
        if (error instanceof ApiFailure && error.kind === "signed-out") return;
        // Events that are too old to go on from: the next ones are enough, because pages ask for the present state.
        if (error instanceof ApiFailure && error.kind === "bad-input") last = null;
      }
      const time = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** failures);
      failures += 1;
      await wait(time * (0.5 + Math.random() / 2), end.signal);
    }
  }

  return {
    /** Begins to listen, and goes on when the session does. */
    async begin(): Promise<void> {
      if (isBegun) return;
      isBegun = true;
      try {
        await lead(listen, end.signal);
      } catch {
        // Closed while it waited.
      }
      isBegun = false;
    },
    close: () => end.abort(),
    /** @returns how to end it */
    on(listener: (event: PostEvent) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

interface Told {
  readonly id: string;
  readonly type: string;
  readonly postId: string;
  readonly post: { readonly version: number } | null;
}
