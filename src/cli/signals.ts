import { isatty } from "node:tty";
import type { Listeners, PortListener } from "../http/listener.ts";
import type { Log } from "../observe/log.ts";
import type { Running } from "./running.ts";
import type { ServiceManager } from "./service-manager.ts";
import { type Successor, startSuccessor } from "./successor.ts";

export interface SignalsOptions {
  readonly running: Running;
  /** The sockets that a successor inherits. */
  readonly listeners: Listeners<PortListener>;
  readonly manager: ServiceManager;
  readonly log: Log;
}

export interface Signals {
  /** The program serves: the service manager learns of it, and SIGHUP restarts it. */
  ready(isSuccessor: boolean): void;
  /** Whether another process serves in the place of this one. */
  isReplaced(): boolean;
}

/**
 * SIGTERM and SIGINT stop the program. SIGHUP starts it again from the disk and hands the sockets over, if a service manager
 * follows to the new process. Others take the end of the process that they started for the end of the program. At a
 * terminal, SIGHUP says that the terminal is gone, and stops the program.
 */
export function followSignals({ running, listeners, manager, log }: SignalsOptions): Signals {
  let state: "starting" | "serving" | "restarting" | "replaced" | "stopping" = "starting";
  let successor: Successor | null = null;
  const isAtTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor));

  function stop(): void {
    if (state === "stopping") return;
    if (state !== "replaced") {
      state = "stopping";
      manager.stopping();
      successor?.end();
    }
    running.stop();
  }

  async function restart(): Promise<void> {
    if (isAtTerminal) return stop();
    if (state !== "serving") return log.warn({}, `SIGHUP is ignored: the program is ${state}`);
    if (!manager.isThere)
      return log.warn({}, "SIGHUP is ignored: only systemd follows to a new process (NOTIFY_SOCKET is not set)");
    state = "restarting";
    await manager.reloading();
    if (isStopping()) return;
    try {
      successor = startSuccessor(listeners);
      await successor.ready;
    } catch (error) {
      successor = null;
      if (isStopping()) return;
      state = "serving";
      manager.reloaded();
      return log.error({ reason: (error as Error).message }, "the new program did not start: this one goes on serving");
    }
    if (isStopping()) return; // the new program was told so as well
    state = "replaced";
    manager.replaced();
    log.info({ pid: successor.pid }, "the new program serves: this one answers what it has accepted, and ends");
    running.handOver();
  }

  const isStopping = () => state === "stopping";
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  process.on("SIGHUP", restart);
  return {
    ready(isSuccessor) {
      if (state !== "starting") return;
      state = "serving";
      manager.ready(isSuccessor);
    },
    isReplaced: () => state === "replaced",
  };
}
