import type { AppOptions } from "../app/app.ts";
import type { Config } from "../config/config.ts";
import { KEEP_ALIVE } from "../http/http-server.ts";
import type { Running } from "./running.ts";

/** Milliseconds that accepted requests may take to finish before the process ends anyway. */
const DRAIN = 10_000;

/**
 * Runs the program in this process.
 *
 * @param onEnd is called when all has been answered and closed after `stop` or `handOver`
 */
export function runAlone(config: Config, options: AppOptions, onEnd: (isHandedOver: boolean) => void): Running {
  // A stop before it is open answers requests as well, because it listens before it says so.
  const opening = import("../app/app.ts").then(({ openApp }) => openApp(config, options));
  let ending: "stop" | "hand over" | null = null;

  async function end(milliseconds: number, isHandedOver: boolean): Promise<void> {
    if (ending !== null) {
      // It waits for clients that another process may serve; told to stop, it only ends what it has begun.
      if (ending === "hand over" && !isHandedOver) setTimeout(() => process.exit(0), DRAIN).unref();
      return;
    }
    ending = isHandedOver ? "hand over" : "stop";
    setTimeout(() => process.exit(1), milliseconds + DRAIN).unref();
    const app = await opening.catch(() => null);
    if (app === null) return;
    await (isHandedOver ? app.handOver() : app.close(milliseconds));
    onEnd(isHandedOver);
  }

  return {
    setUpUrl: opening.then((app) => app.setUpUrl),
    stop: () => void end(config.SHUTDOWN_DELAY * 1_000, false),
    handOver: () => void end(KEEP_ALIVE, true),
  };
}
