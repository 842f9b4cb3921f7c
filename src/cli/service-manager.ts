import { spawn } from "node:child_process";

/** Tells the service manager that started this process, if there is one that wants to know (sd_notify(3)). */
export interface ServiceManager {
  /** Whether there is one. It follows when another process takes over from the one that it started. */
  readonly isThere: boolean;
  /**
   * The server listens. From now on it also hears, in half of the time that it allows, that the process is alive.
   *
   * @param isSuccessor whether this process takes the place of the one that it supervises
   */
  ready(isSuccessor: boolean): void;
  /** Another process begins to take over. Resolves when the service manager knows, or cannot be notified. */
  reloading(): Promise<void>;
  /** No other process takes over after all. */
  reloaded(): void;
  /** Another process is supervised from now on: nothing more is heard of this one. */
  replaced(): void;
  /** The server has begun to stop. */
  stopping(): void;
}

/**
 * systemd with `Type=notify`: its variable NOTIFY_SOCKET is a datagram socket, which Node cannot open. So its own command
 * `systemd-notify` sends each message, which takes `NotifyAccess=all`. Outside of systemd nothing happens.
 *
 * @param environment with `WATCHDOG_USEC`: microseconds without a sign of life after which systemd restarts the service
 */
export function openServiceManager(environment: NodeJS.ProcessEnv): ServiceManager {
  const { NOTIFY_SOCKET, WATCHDOG_USEC, PATH } = environment;
  const isThere = NOTIFY_SOCKET !== undefined && NOTIFY_SOCKET !== "";
  const half = Number(WATCHDOG_USEC) / 2_000;
  let waiting = 0;
  let hasFailed = false;
  let watchdog: NodeJS.Timeout | undefined;

  async function tell(...messages: string[]): Promise<void> {
    if (!isThere) return;
    waiting += 1;
    // The command gets two variables alone: the environment of this process has secrets.
    const child = spawn("systemd-notify", messages, { env: { NOTIFY_SOCKET, PATH }, stdio: "ignore" });
    child.unref();
    await new Promise<void>((resolve) => {
      child.on("error", ({ message: reason }) => failed(reason));
      child.on("exit", (code) => code !== 0 && failed(`systemd-notify ended with ${code}`));
      child.on("close", () => resolve());
    });
    waiting -= 1;
  }

  function failed(reason: string): void {
    if (!hasFailed) console.error(`The service manager cannot be notified: ${reason}`);
    hasFailed = true;
  }

  return {
    isThere,
    ready(isSuccessor) {
      void tell(...(isSuccessor ? [`MAINPID=${process.pid}`] : []), "READY=1");
      if (isThere && half > 0) watchdog = setInterval(() => waiting === 0 && tell("WATCHDOG=1"), half).unref();
    },
    reloading: () => tell("RELOADING=1"),
    reloaded: () => void tell("READY=1"),
    replaced: () => clearInterval(watchdog),
    stopping: () => void tell("STOPPING=1"),
  };
}
