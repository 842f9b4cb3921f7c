import assert from "node:assert/strict";
import { Agent } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { History } from "../faults/history.ts";
import { type Reply, send, type Target } from "../faults/writers.ts";
import { livedTime } from "../timing.ts";

export interface Reader {
  /** A primary is going to be killed. */
  begin(): void;
  /** The failover is over. */
  end(): void;
  /** For each failover, the longest time without an answer in milliseconds. */
  readonly unread: readonly number[];
  /** Ids of posts whose creation was acknowledged before they were read, and that were not there. */
  readonly missed: ReadonlySet<string>;
  /** In one line, for the report. */
  summary(): string;
  untilAnswered(within: number): Promise<void>;
  stop(): void;
}

/** Reads the post whose creation was acknowledged last, all the time, and notes for how long there was no answer. */
export function startReader(history: History, target: Target): Reader {
  const agent = new Agent({ keepAlive: true });
  const unread: number[] = [];
  const missed = new Set<string>();
  const failures: Record<string, number> = {};
  let answers = 0;
  let longest = 0;
  let last = livedTime();
  let isOver = false;

  async function read(): Promise<void> {
    const { outcome } = history.operations.findLast(({ outcome: { kind } }) => kind === "ok") ?? {};
    if (outcome?.kind !== "ok") return;
    const { id } = outcome;
    const reply = await send(agent, target, { query: `{ post(id: "${id}") { id } }` });
    const failure = failureOf(reply);
    if (failure !== null) {
      failures[failure] = (failures[failure] ?? 0) + 1;
      return;
    }
    answers++;
    longest = Math.max(longest, livedTime() - last);
    last = livedTime();
    if ("text" in reply && reply.text !== JSON.stringify({ data: { post: { id } } }))
      missed.add(`${id}: ${reply.text}`);
  }
  void (async () => {
    for (; !isOver; await pause(20)) await read();
    agent.destroy();
  })();
  return {
    begin() {
      longest = 0;
      last = livedTime();
    },
    end() {
      unread.push(Math.max(longest, livedTime() - last));
    },
    unread,
    missed,
    summary: () => `${answers} answers, ${JSON.stringify(failures)}`,
    async untilAnswered(within) {
      const before = answers;
      for (const began = livedTime(); answers === before; await pause(20))
        assert.ok(livedTime() - began < within, `no answer to reads within ${within} ms`);
    },
    stop() {
      isOver = true;
    },
  };
}

/** A field that could not be read is an error beside `data`, with status 200. */
function failureOf(reply: Reply): string | null {
  if ("error" in reply) return reply.error;
  if (reply.status !== 200) return String(reply.status);
  const { errors } = JSON.parse(reply.text) as { errors?: readonly { extensions: { code: string } }[] };
  return errors?.[0]?.extensions.code ?? null;
}
