import { Agent } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { send, type Target } from "../faults/writers.ts";

const READ = "{ posts(first: 5) { id title } }";
const WRITE = 'mutation ($title: String!) { createPost(input: { title: $title, body: "b" }) { id } }';
/** Every so many requests is a write. */
const WRITE_EVERY = 20;
/** Every so many requests has a connection of its own, which ends with it. */
const FRESH_EVERY = 5;

/** Requests that wait for an answer. With more, the machine does not manage the rate, and fewer are offered. */
const MOST_OPEN = 400;

export interface OpenLoad {
  /** Requests that were sent so far. */
  sent(): number;
  /** Sends no more. Resolves when everything has been answered. */
  end(): Promise<{
    /** Requests a second that were sent. */
    readonly rate: number;
    /** How each request ended that did not end with 200, with how many did so. */
    readonly errors: Readonly<Record<string, number>>;
    /** Titles of the posts whose writing was acknowledged. */
    readonly written: readonly string[];
    /** Milliseconds until the answer, of the slowest in a hundred and the slowest of all. */
    readonly p99: number;
    readonly slowest: number;
  }>;
}

/**
 * Sends so many requests a second, whether or not those before have been answered: reads and writes, over connections that
 * are kept and over new ones.
 */
export function offerLoad(target: Target, perSecond: number): OpenLoad {
  const kept = new Agent({ keepAlive: true, scheduling: "fifo", maxFreeSockets: 64 });
  const fresh = new Agent();
  const errors: Record<string, number> = {};
  const written: string[] = [];
  const times: number[] = [];
  const open = new Set<Promise<void>>();
  const began = performance.now();
  let due = 0;
  let count = 0;
  let isEnding = false;

  async function ask(number: number): Promise<void> {
    const isWrite = number % WRITE_EVERY === 0;
    const title = `post ${number}`;
    const body = isWrite ? { query: WRITE, variables: { title } } : { query: READ };
    const since = performance.now();
    // A remainder of 1, so that writes come over both kinds of connections in turn.
    const reply = await send(
      (number + Math.floor(number / WRITE_EVERY)) % FRESH_EVERY === 1 ? fresh : kept,
      target,
      body,
    );
    times.push(performance.now() - since);
    const outcome = "error" in reply ? `${reply.error}${reply.isReused ? " (kept)" : ""}` : String(reply.status);
    if (outcome !== "200") errors[outcome] = (errors[outcome] ?? 0) + 1;
    else if ("text" in reply && reply.text.includes('"errors"')) errors[reply.text] = (errors[reply.text] ?? 0) + 1;
    else if (isWrite) written.push(title);
  }

  async function offer(): Promise<void> {
    for (let last = began; !isEnding; await pause(2)) {
      const now = performance.now();
      due += ((now - last) * perSecond) / 1_000;
      last = now;
      for (; due >= 1; due--) {
        if (open.size >= MOST_OPEN) continue;
        const asked = ask(count++).finally(() => open.delete(asked));
        open.add(asked);
      }
    }
  }
  const offering = offer();

  return {
    sent: () => count,
    async end() {
      isEnding = true;
      await offering;
      const seconds = (performance.now() - began) / 1_000;
      await Promise.all(open);
      kept.destroy();
      fresh.destroy();
      times.sort((a, b) => a - b);
      const at = (share: number) => Math.round(times[Math.floor((times.length - 1) * share)] ?? 0);
      return { rate: Math.round(count / seconds), errors, written, p99: at(0.99), slowest: at(1) };
    },
  };
}
