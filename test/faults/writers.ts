import { Agent, request } from "node:http";
import { Agent as TlsAgent, request as tlsRequest } from "node:https";
import { setTimeout as pause } from "node:timers/promises";
import { livedTime } from "../timing.ts";
import type { History, Operation } from "./history.ts";

/** How one request ended. `isReused`: it went over a connection that had served another one before. */
export type Reply =
  | {
      readonly status: number;
      readonly headers: NodeJS.Dict<string | string[]>;
      readonly text: string;
      readonly isReused: boolean;
    }
  | { readonly error: string; readonly isConnected: boolean; readonly isReused: boolean };

export interface Target {
  readonly url: string;
  /** Empty for requests of nobody. */
  readonly token: string;
}

const CREATE_POST = "mutation ($input: CreatePostInput!) { createPost(input: $input) { id title body } }";

/** One request that is never repeated behind our back. */
export function send(agent: Agent, { url, token }: Target, body: object, timeout = 30_000): Promise<Reply> {
  return new Promise((resolve) => {
    let isConnected = false;
    const outgoing = (url.startsWith("https:") ? tlsRequest : request)(
      `${url}/graphql`,
      {
        agent,
        method: "POST",
        timeout,
        headers: {
          "content-type": "application/json",
          accept: "application/graphql-response+json",
          ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
        },
      },
      (incoming) => {
        let text = "";
        incoming.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        incoming.on("error", fail);
        incoming.on("end", () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            text,
            isReused: outgoing.reusedSocket,
          }),
        );
      },
    );
    function fail(error: Error): void {
      const { code = error.message } = error as NodeJS.ErrnoException;
      resolve({ error: code, isConnected, isReused: outgoing.reusedSocket });
    }
    outgoing.on("socket", (socket) => {
      isConnected = !socket.connecting;
      if (socket.connecting) {
        socket.once("connect", () => {
          isConnected = true;
        });
      }
    });
    outgoing.on("timeout", () => outgoing.destroy(new Error("no answer")));
    outgoing.on("error", fail);
    outgoing.end(JSON.stringify(body));
  });
}

/** Writes one post and notes in the history what came of it. @throws Error for an answer that is wrong */
export async function writePost(agent: Agent, target: Target, operation: Operation): Promise<Reply> {
  const { title, body } = operation;
  const reply = await send(agent, target, { query: CREATE_POST, variables: { input: { title, body } } });
  operation.toldAt = Date.now();
  if ("error" in reply) {
    operation.outcome = { kind: reply.isConnected ? "unknown" : "failed", reason: reply.error };
    return reply;
  }
  const { data, errors } = readJson(reply.text);
  const post = data?.createPost;
  if (reply.status === 200 && post) {
    operation.outcome = { kind: "ok", id: post.id };
    if (post.title !== title || post.body !== body) throw new Error(`${title} was answered with another post`);
    return reply;
  }
  const message = errors?.[0]?.message ?? reply.text.slice(0, 200);
  const reason = `${reply.status} ${message}`;
  // A gateway that lost its node does not know either.
  const isUnknown = reply.status === 502 || reply.status === 504 || /is not known|The change was made/.test(message);
  operation.outcome = { kind: isUnknown ? "unknown" : "failed", reason };
  return reply;
}

interface Answer {
  readonly data?: { readonly createPost?: { id: string; title: string; body: string } | null } | null;
  readonly errors?: readonly { message: string }[];
}

function readJson(text: string): Answer {
  try {
    return JSON.parse(text) as Answer;
  } catch {
    return {};
  }
}

export interface WritersOptions {
  /** How many write at the same time. */
  readonly writers: number;
  /** Characters of each body at the least. */
  readonly size?: number;
  /** Milliseconds at the most between two writes of one writer. */
  readonly idle?: number;
  /** Told of each answer that is not an acknowledgement. */
  readonly onRefusal?: (reply: Reply) => void;
}

export interface Writers {
  readonly history: History;
  /** Milliseconds that the slowest answer took, as this process has lived through them. */
  slowest(): number;
  /** Resolves when this many more have been acknowledged. @throws Error when that takes longer than `within` ms */
  acknowledge(more: number, within: number): Promise<void>;
  /** No new writes; resolves when those under way are over. */
  stop(): Promise<void>;
}

/** Clients that write without end, wherever `target` points at the moment, and bear every failure. */
export function startWriters(history: History, target: () => Target, options: WritersOptions): Writers {
  const isTls = target().url.startsWith("https:");
  const agent = new (isTls ? TlsAgent : Agent)({ keepAlive: true, maxSockets: options.writers });
  let isStopping = false;
  let slowest = 0;

  async function write(): Promise<void> {
    while (!isStopping) {
      const began = livedTime();
      const operation = history.invoke(options.size);
      const reply = await writePost(agent, target(), operation);
      if (operation.outcome.kind !== "ok") options.onRefusal?.(reply);
      slowest = Math.max(slowest, livedTime() - began);
      if (operation.outcome.kind !== "ok")
        await pause(20); // as a client does that tries again
      else if (options.idle !== undefined) await pause(Math.random() * options.idle);
    }
  }
  const running = Promise.all(Array.from({ length: options.writers }, write));
  return {
    history,
    slowest: () => slowest,
    async acknowledge(more, within) {
      const before = history.count("ok");
      for (const deadline = performance.now() + within; history.count("ok") < before + more; ) {
        if (performance.now() > deadline) {
          throw new Error(`writes do not resume within ${within} ms: ${JSON.stringify(history.reasons())}`);
        }
        await Promise.race([running, pause(5)]);
      }
    },
    async stop() {
      isStopping = true;
      await running;
      agent.destroy();
    },
  };
}
