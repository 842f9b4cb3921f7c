import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

export interface TcpProxy {
  readonly port: number;
  /** Resets every connection, and each new one at once. */
  cut(): void;
  /** Passes nothing on, silently: connections stay, what is sent waits. */
  stall(): void;
  /** Ends a cut or a stall; what waited goes on in its order. */
  restore(): void;
  /** Milliseconds that each piece takes, either way. */
  setLatency(milliseconds: number): void;
  /** The share of pieces that TCP would have to send again: 200 ms later, and what follows them with them. */
  setLoss(share: number): void;
  close(): Promise<void>;
}

const RETRANSMISSION = 200;

/** A way to a server on loopback that can be made bad: this stands in for netem where the kernel has none. */
export async function openTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let isCut = false;
  let latency = 0;
  let loss = 0;
  /** Resolves once nothing is held up any more. */
  let flowing = Promise.resolve();
  let release = () => {};

  async function forward(from: Socket, to: Socket): Promise<void> {
    const pieces: { chunk: Buffer; due: number }[] = [];
    let wake = () => {};
    let isOver = false;
    from.on("data", (chunk) => {
      const lost = Math.random() < loss ? RETRANSMISSION : 0;
      pieces.push({ chunk, due: performance.now() + latency + lost });
      wake();
    });
    from.on("close", () => {
      isOver = true;
      wake();
    });
    for (;;) {
      const piece = pieces.shift();
      if (piece === undefined) {
        if (isOver) break;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      const wait = piece.due - performance.now();
      if (wait > 0) await pause(wait);
      await flowing;
      if (to.destroyed) break;
      if (!to.write(piece.chunk)) await untilWritable(to);
    }
    to.destroySoon();
  }

  const server = createServer({ noDelay: true }, (inside) => {
    sockets.add(inside);
    inside.on("error", () => {});
    inside.on("close", () => sockets.delete(inside));
    if (isCut) {
      inside.resetAndDestroy();
      return;
    }
    const outside = connect({ ...target, noDelay: true });
    sockets.add(outside);
    outside.on("error", () => {});
    outside.on("close", () => sockets.delete(outside));
    void forward(inside, outside);
    void forward(outside, inside);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  function reset(): void {
    for (const socket of sockets) socket.resetAndDestroy();
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      isCut = true;
      reset();
    },
    stall() {
      flowing = new Promise((resolve) => {
        release = resolve;
      });
    },
    restore() {
      isCut = false;
      release();
    },
    setLatency(milliseconds) {
      latency = milliseconds;
    },
    setLoss(share) {
      loss = share;
    },
    async close() {
      release();
      reset();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Or gone. */
function untilWritable(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      socket.off("drain", go).off("close", go);
      resolve();
    };
    socket.on("drain", go).on("close", go);
  });
}
