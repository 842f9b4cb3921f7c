import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { errorMessage, type Message, MessageReader, takeTexts, withTexts, writeMessage } from "./messages.ts";
import { Shuffle } from "./shuffle.ts";

/** How an engine differs from PostgreSQL. Every rule may change while connections are open. */
export interface Rules {
  /** The statement that is run in place of the one that a client sent. To swallow one is to run another that does nothing. */
  rewrite?(text: string): string;
  /** The SQLSTATE with which a statement is refused; null for one that is not. */
  refuse?(text: string): string | null;
  /**
   * Fate of a COMMIT: `abort` ends it with 40001, `unknown` makes it and answers 40003, `lost` makes it and answers what was sent
   * with it as PgBouncer does when the server crashes.
   */
  commit?(): "pass" | "abort" | "unknown" | "lost";
  /** Whether notifications are dropped. */
  readonly losesNotifications?: boolean;
  /** Reverses rows of statements without an order, and is told of each such statement. Read when a connection opens. */
  readonly reversed?: (text: string) => void;
}

export interface EngineProxy {
  /** The address of the server behind it, through it. */
  through(url: string): string;
  rules: Rules;
  /** Ends every connection. */
  cut(): void;
  /** From now on the connections that there are pass nothing on, and nobody is told. New ones work. */
  freeze(): void;
  close(): Promise<void>;
}

/** Stands in statements that a server does not know either, and says with which SQLSTATE they are to be refused. */
const REFUSED = "engine_refuses_";

/**
 * A server that speaks PostgreSQL's protocol and is another engine: it passes all messages on to a real PostgreSQL, but for
 * those that `rules` swallow, refuse or disturb. It reads the simple and the extended protocol of unencrypted connections.
 */
export async function openEngineProxy(serverUrl: string, rules: Rules): Promise<EngineProxy> {
  const { hostname, port } = new URL(serverUrl);
  const sockets = new Set<Socket>();
  const frozen = new WeakSet<Socket>();
  const proxy = { rules };
  const server = createServer({ noDelay: true }, (inside) => {
    const outside = connect({ host: hostname, port: Number(port), noDelay: true });
    const disturbance = new Disturbance(() => proxy.rules);
    const pass = (
      from: Socket,
      to: Socket,
      reader: MessageReader,
      change: (message: Message) => readonly Message[],
    ) => {
      sockets.add(from);
      from.on("error", () => {});
      from.on("close", () => {
        sockets.delete(from);
        if (!frozen.has(from)) to.destroySoon();
      });
      from.on("data", (chunk) => {
        const changed = [...reader.read(chunk)].flatMap(change);
        if (changed.length > 0 && !to.destroyed && !frozen.has(from))
          to.write(Buffer.concat(changed.map(writeMessage)));
        if (disturbance.isOver) inside.end();
      });
    };
    const { reversed } = proxy.rules;
    const shuffle = reversed === undefined ? null : new Shuffle(reversed);
    pass(inside, outside, new MessageReader(true), (message) => {
      shuffle?.asked(message);
      return [disturbance.asked(message)];
    });
    pass(outside, inside, new MessageReader(false), (message) => {
      const answer = disturbance.answered(message);
      return answer === null ? [] : (shuffle?.answered(answer) ?? [answer]);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return Object.assign(proxy, {
    through(url: string) {
      const changed = new URL(url);
      changed.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
      return changed.href;
    },
    cut,
    freeze() {
      for (const socket of sockets) frozen.add(socket);
    },
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

/** Changes to the messages of one connection. */
class Disturbance {
  readonly #rules: () => Rules;
  /** Texts of prepared statements by their names. */
  readonly #prepared = new Map<string, string>();
  /** Commits that the server makes and whose answers are not to arrive. */
  #unknown = 0;
  /** Whether nothing that the server answers is to arrive any more. */
  #isLost = false;
  isOver = false;

  constructor(rules: () => Rules) {
    this.#rules = rules;
  }

  asked(message: Message): Message {
    const { type, body } = message;
    if (type === "Q") {
      const { texts, rest } = takeTexts(body, 1);
      const [text = ""] = texts;
      const state = this.#rules().refuse?.(text) ?? null;
      const run = state === null ? (this.#rules().rewrite?.(text) ?? text) : REFUSED + state;
      return { type, body: withTexts([run], rest) };
    }
    if (type === "P") {
      const { texts, rest } = takeTexts(body, 2);
      const [name = "", text = ""] = texts;
      this.#prepared.set(name, text); // refused when it is bound, as one that was prepared before is
      return { type, body: withTexts([name, this.#rules().rewrite?.(text) ?? text], rest) };
    }
    if (type === "B") {
      const { texts, rest } = takeTexts(body, 2);
      const [portal = "", name = ""] = texts;
      const text = this.#prepared.get(name) ?? "";
      if (/^commit\b/i.test(text)) return { type, body: this.#commit(portal, name, rest) };
      const state = this.#rules().refuse?.(text) ?? null;
      if (state !== null) return { type, body: withTexts([portal, REFUSED + state], rest) };
    }
    return message;
  }

  answered(message: Message): Message | null {
    const { type, body } = message;
    if (this.#isLost) {
      if (type !== "Z" || this.isOver) return null;
      this.isOver = true;
      return errorMessage("08P01", "server conn crashed?", "FATAL");
    }
    if (type === "A" && this.#rules().losesNotifications === true) return null;
    if (type === "C" && this.#unknown > 0 && body.toString("latin1").startsWith("COMMIT")) {
      this.#unknown--;
      return errorMessage("40003", "result is ambiguous");
    }
    if (type === "Z") this.#unknown = 0;
    if (type !== "E") return message;
    const [, state] = new RegExp(`${REFUSED}(\\w{5})`).exec(body.toString("latin1")) ?? [];
    return state === undefined ? message : errorMessage(state, `refused by the engine (${state})`);
  }

  #commit(portal: string, name: string, rest: Buffer): Buffer {
    const fate = this.#rules().commit?.() ?? "pass";
    if (fate === "unknown") this.#unknown++;
    if (fate === "lost") this.#isLost = true;
    return withTexts([portal, fate === "abort" ? `${REFUSED}40001` : name], rest);
  }
}
