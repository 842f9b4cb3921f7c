import type { Worker } from "node:cluster";
import type { Socket } from "node:net";
import type { Listener, Listeners, PortListener } from "../http/listener.ts";

type Name = keyof Listeners;

/** Words of a worker to its supervisor. */
export interface WorkerRequest {
  readonly kind: "listen" | "stop" | "taken";
  readonly name: Name;
}

/** Words of the supervisor to a worker. A connection comes with its socket. */
interface SupervisorAnswer {
  readonly kind: "listening" | "failed" | "stopped" | "connection";
  readonly name: Name;
  readonly url?: string;
  readonly error?: { readonly message: string; readonly code?: string };
}

/**
 * The sockets of several workers. The supervisor accepts each connection and gives it to the worker that has been idle for
 * longest: one at a time, so that a worker that is busy gets no more. node:cluster would do the same, but loses the
 * connections that it has accepted and not given away when its last worker stops to listen.
 */
export class SharedConnections {
  readonly #listeners: Listeners<PortListener>;
  readonly #urls = new Map<Name, Promise<string>>();
  readonly #takers: Readonly<Record<Name, Set<Worker>>> = { main: new Set(), operations: new Set() };
  #idle: Worker[] = [];
  readonly #waiting: { readonly name: Name; readonly socket: Socket }[] = [];

  /** @param listeners whose connections are for others */
  constructor(listeners: Listeners<PortListener>) {
    this.#listeners = listeners;
  }

  async answer(worker: Worker, { kind, name }: WorkerRequest): Promise<void> {
    if (kind === "taken") {
      if (!this.#idle.includes(worker)) this.#idle.push(worker);
      this.#giveAll();
    } else if (kind === "listen") await this.#listen(worker, name);
    else await this.#stop(worker, name);
  }

  /** Forgets a worker that has ended. */
  forget(worker: Worker): void {
    for (const takers of Object.values(this.#takers)) takers.delete(worker);
    this.#idle = this.#idle.filter((one) => one !== worker);
  }

  /** Accepts no more. Connections that were accepted have been given to workers. */
  async stop(): Promise<void> {
    for (const name of ["main", "operations"] as const) {
      await this.#listeners[name]?.stop();
      this.#giveRest(name);
    }
  }

  async #listen(worker: Worker, name: Name): Promise<void> {
    let answer: SupervisorAnswer;
    try {
      const found = this.#urls.get(name) ?? this.#listeners[name]?.listen((socket) => this.#add(name, socket));
      if (found === undefined) throw new Error(`There is no port of the name ${name}.`);
      this.#urls.set(name, found);
      answer = { kind: "listening", name, url: await found };
      this.#takers[name].add(worker);
      if (!this.#idle.includes(worker)) this.#idle.push(worker);
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException;
      answer = { kind: "failed", name, error: { message, ...(code === undefined ? {} : { code }) } };
    }
    send(worker, answer);
    this.#giveAll();
  }

  /** Connections given to the worker earlier reach it before the answer. */
  async #stop(worker: Worker, name: Name): Promise<void> {
    const takers = this.#takers[name];
    if (takers.size === 1 && takers.has(worker)) {
      await this.#listeners[name]?.stop();
      this.#giveRest(name);
    }
    takers.delete(worker);
    send(worker, { kind: "stopped", name });
  }

  #add(name: Name, socket: Socket): void {
    this.#waiting.push({ name, socket });
    this.#giveAll();
  }

  #giveAll(): void {
    while (this.#idle.length > 0) {
      const at = this.#waiting.findIndex(({ name }) => this.#idle.some((worker) => this.#takers[name].has(worker)));
      const [next] = at < 0 ? [] : this.#waiting.splice(at, 1);
      const worker = this.#idle.find((one) => next !== undefined && this.#takers[next.name].has(one));
      if (next === undefined || worker === undefined) return;
      this.#idle.splice(this.#idle.indexOf(worker), 1);
      give(worker, next.name, next.socket);
    }
  }

  /** To whoever is left, busy or not. */
  #giveRest(name: Name): void {
    const takers = [...this.#takers[name]];
    if (takers.length === 0) return;
    const rest = this.#waiting.filter((one) => one.name === name);
    for (const [index, one] of rest.entries()) {
      this.#waiting.splice(this.#waiting.indexOf(one), 1);
      give(takers[index % takers.length] as Worker, name, one.socket);
    }
  }
}

function give(worker: Worker, name: Name, socket: Socket): void {
  const answer: SupervisorAnswer = { kind: "connection", name };
  worker.send(answer, socket, {}, (error) => error !== null && socket.destroy());
}

function send(worker: Worker, answer: SupervisorAnswer): void {
  if (worker.isConnected()) worker.send(answer, () => {}); // it may just have ended
}

/** In a worker: the connections that the supervisor accepts at one of its ports. */
export function connectionsOfSupervisor(name: Name): Listener {
  let accept: (socket: Socket) => void = () => {};
  process.on("message", (message: SupervisorAnswer, socket: Socket | undefined) => {
    if (message.kind !== "connection" || message.name !== name) return;
    ask({ kind: "taken", name });
    if (socket === undefined) return; // the client has gone in the meantime
    socket.allowHalfOpen = true;
    accept(socket);
  });
  return {
    async listen(given) {
      accept = given;
      const { url, error } = await answerTo({ kind: "listen", name }, ["listening", "failed"]);
      if (url === undefined) throw Object.assign(new Error(error?.message), error);
      return url;
    },
    async stop() {
      if (process.connected) await answerTo({ kind: "stop", name }, ["stopped"]);
    },
  };
}

/** @returns the first answer of such a kind; nothing of use where the supervisor is gone */
function answerTo(request: WorkerRequest, kinds: readonly SupervisorAnswer["kind"][]): Promise<SupervisorAnswer> {
  return new Promise((resolve) => {
    const end = (message: SupervisorAnswer) => {
      process.off("message", hear).off("disconnect", gone);
      resolve(message);
    };
    const hear = (message: SupervisorAnswer) => {
      if (message.name === request.name && kinds.includes(message.kind)) end(message);
    };
    const gone = () => end({ kind: "failed", name: request.name, error: { message: "The supervisor is gone." } });
    process.on("message", hear).on("disconnect", gone);
    ask(request);
  });
}

function ask(request: WorkerRequest): void {
  if (process.connected) process.send?.(request, undefined, {}, () => {}); // it may just have ended
}
