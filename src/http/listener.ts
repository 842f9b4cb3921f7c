import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import type { Config } from "../config/config.ts";
import { listenAddresses } from "./listen-addresses.ts";

/** Connections that may wait until somebody accepts them, within the limit of the kernel: those of a restart, too. */
const BACKLOG = 4_096;

/** A source of connections. */
export interface Listener {
  /**
   * @param accept is given each connection; all are as node:http needs them, without delay and half open
   * @returns the address, such as `http://127.0.0.1:4000`
   * @throws Error with the system's code, such as EADDRINUSE
   */
  listen(accept: (socket: Socket) => void): Promise<string>;
  /** Takes no more connections. Resolves when all that were taken have been given to `accept`. */
  stop(): Promise<void>;
}

/** Sockets of this process. */
export interface PortListener extends Listener {
  /** Those of the listening sockets, between `listen` and `stop`. A child process can inherit them. */
  descriptors(): number[];
}

/** Sources of the requests of a server. */
export interface Listeners<Kind extends Listener = Listener> {
  readonly main: Kind;
  /** null: operators ask at the main port. */
  readonly operations: Kind | null;
}

/** Descriptors of sockets that listen already, for each listener. */
export type InheritedSockets = Readonly<Record<keyof Listeners, readonly number[]>>;

export interface ListenerOptions {
  readonly port: number;
  /** A name with two addresses (`localhost`: 127.0.0.1 and ::1) is listened at on both. */
  readonly host: string;
  /** Descriptors of sockets that listen already; then port and host do not count. */
  readonly inherited?: readonly number[];
  /** Whether the connections are for another process: nothing of them is read. */
  readonly isForOthers?: boolean;
}

/** Those of the settings. Where a socket is inherited, its address counts, and not that of the settings. */
export function openListeners(
  { HOST: host, PORT, OPERATIONS_PORT }: Pick<Config, "HOST" | "PORT" | "OPERATIONS_PORT">,
  inherited: InheritedSockets = { main: [], operations: [] },
  isForOthers = false,
): Listeners<PortListener> {
  const open = (port: number, sockets: readonly number[]) =>
    openListener({ port, host, inherited: sockets, isForOthers });
  return {
    main: open(PORT, inherited.main),
    operations: OPERATIONS_PORT === null ? null : open(OPERATIONS_PORT, inherited.operations),
  };
}

/** Listens at a port, or at sockets that whoever started this process has opened. */
export function openListener({ port, host, inherited = [], isForOthers = false }: ListenerOptions): PortListener {
  const servers: Server[] = [];

  async function begin(accept: (socket: Socket) => void, place: { fd: number } | { port: number; host: string }) {
    const server = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: isForOthers }, accept);
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ ...place, backlog: BACKLOG }, () => {
        server.off("error", reject);
        resolve();
      });
    });
    servers.push(server);
    return server.address();
  }

  async function adopt(accept: (socket: Socket) => void, fd: number): Promise<string> {
    const address = await begin(accept, { fd }).catch((error: Error) => {
      throw new Error(`Descriptor ${fd} of LISTEN_FDS is no socket that listens: ${error.message}`);
    });
    if (address === null || typeof address === "string")
      throw new Error(`Descriptor ${fd} of LISTEN_FDS listens at no TCP port.`);
    return urlOf(address);
  }

  return {
    // A server has no public name for it. The sockets themselves cannot be passed to `spawn`, which takes them for streams.
    descriptors: () => servers.map((server) => (server as unknown as { _handle: { fd: number } })._handle.fd),
    async listen(accept) {
      const [given, ...more] = inherited;
      if (given !== undefined) {
        const url = await adopt(accept, given);
        for (const fd of more) await adopt(accept, fd);
        return url;
      }
      const [first, ...others] = await listenAddresses(host);
      const bound = (await begin(accept, { port, host: first })) as AddressInfo;
      for (const other of others) await begin(accept, { port: bound.port, host: other }).catch(() => {}); // a machine without that kind of address
      return urlOf(bound);
    },
    async stop() {
      for (const server of servers.splice(0)) server.close();
    },
  };
}

function urlOf({ address, family, port }: AddressInfo): string {
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}
