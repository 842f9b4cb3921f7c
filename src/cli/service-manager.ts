import { spawn } from "node:child_process";

/** Tells the service manager that started this process, if there is one that wants to know (sd_notify(3)). */
export interface ServiceManager {
  /** The server listens. From now on it also hears, in half of the time that it allows, that the process is alive. */
  ready(): void;
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
  if (NOTIFY_SOCKET === undefined || NOTIFY_SOCKET === "") return { ready() {}, stopping() {} };
  const half = Number(WATCHDOG_USEC) / 2_000;
  let waiting = 0;
  let hasFailed = false;

  function tell(message: string): void {
    waiting += 1;
    // The command gets two variables alone: the environment of this process has secrets.
    const child = spawn("systemd-notify", [message], { env: { NOTIFY_SOCKET, PATH }, stdio: "ignore" });
    child.on("error", ({ message: reason }) => failed(reason));
    child.on("exit", (code) => code !== 0 && failed(`systemd-notify ended with ${code}`));
    child.on("close", () => {
      waiting -= 1;
    });
    child.unref();
  }

  function failed(reason: string): void {
    if (!hasFailed) console.error(`The service manager cannot be notified: ${reason}`);
    hasFailed = true;
  }

  return {
    ready() {
      tell("READY=1");
      if (half > 0) setInterval(() => waiting === 0 && tell("WATCHDOG=1"), half).unref();
    },
    stopping: () => tell("STOPPING=1"),
  };
}
