import { Agent } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { History } from "../faults/history.ts";
import { send, type Target, writePost } from "../faults/writers.ts";

export interface Load {
  /** Requests that were answered as they should be. */
  answered(): number;
  /** The failure in words. */
  readonly faults: readonly string[];
  /** Resolves when this many more requests were answered, or something went wrong. */
  more(count: number): Promise<void>;
  /** From then on, requests go to these nodes. Resolves when none is under way to any other. */
  turnTo(nodes: readonly Target[]): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Clients behind a balancer of load: each writes a post through one node, and reads it through the next one.
 *
 * @param nodes that serve at first
 */
export function startLoad(history: History, nodes: readonly Target[], clients: number): Load {
  const agent = new Agent({ keepAlive: true });
  const faults: string[] = [];
  let targets = nodes;
  let answered = 0;
  let isStopping = false;
  const underWay = new Map<Target, number>();

  async function through<T>(work: (target: Target) => Promise<T>, turn: number): Promise<T> {
    const target = targets[turn % targets.length] as Target;
    underWay.set(target, (underWay.get(target) ?? 0) + 1);
    try {
      return await work(target);
    } finally {
      underWay.set(target, (underWay.get(target) ?? 0) - 1);
    }
  }

  async function client(turn: number): Promise<void> {
    for (let round = turn; !isStopping; round++) {
      const operation = history.invoke();
      await through((target) => writePost(agent, target, operation), round);
      const { outcome, title, body } = operation;
      if (outcome.kind !== "ok") {
        faults.push(`${title}: ${"reason" in outcome ? outcome.reason : outcome.kind}`);
        continue;
      }
      answered++;
      const query = { query: "query ($id: ID!) { post(id: $id) { title body } }", variables: { id: outcome.id } };
      const reply = await through((target) => send(agent, target, query), round + 1);
      if (!("status" in reply)) faults.push(`reading ${title}: ${reply.error}`);
      else if (reply.text !== JSON.stringify({ data: { post: { title, body } } }))
        faults.push(`reading ${title}: ${reply.text}`);
      else answered++;
      await pause(Math.random() * 20);
    }
  }
  const running = Promise.all(Array.from({ length: clients }, (_, turn) => client(turn)));

  return {
    answered: () => answered,
    faults,
    async more(count) {
      for (const until = answered + count; answered < until && faults.length === 0; )
        await Promise.race([running, pause(20)]);
    },
    async turnTo(next) {
      const others = targets.filter((target) => !next.includes(target));
      targets = next;
      while (others.some((target) => (underWay.get(target) ?? 0) > 0)) await pause(5);
    },
    async stop() {
      isStopping = true;
      await running;
      agent.destroy();
    },
  };
}
