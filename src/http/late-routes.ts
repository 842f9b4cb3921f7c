import type { Log } from "../observe/log.ts";
import type { Serve } from "./request-queue.ts";

/** Milliseconds after which the routes are opened though nobody has asked for anything. */
const OPEN_AFTER = 1_000;

export interface Routes {
  readonly serve: Serve;
  close(): Promise<void>;
}

export interface LateRoutes extends Routes {
  /** Opens the routes in the next turn, or a second from now; does nothing where they are opened already. */
  openSoon(when: "now" | "in a second"): void;
}

/**
 * Routes that are not loaded for the start, which takes a third less time so; the first request that needs them waits
 * for them. When they cannot be opened, the process ends with the error: half a server would be taken for a whole one.
 */
export function openLateRoutes(load: () => Promise<Routes>, log: Log): LateRoutes {
  let routes: Routes | null = null;
  let opening: Promise<Routes> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function open(): Promise<Routes> {
    clearTimeout(timer);
    try {
      routes = await load();
      return routes;
    } catch (error) {
      log.error({ err: error }, "the routes cannot be opened");
      throw error; // Nobody catches it, so it ends the process.
    }
  }

  function openUnlessClosed(): void {
    if (!isClosed) opening ??= open();
  }

  return {
    serve(request, response) {
      if (routes !== null) return routes.serve(request, response);
      opening ??= open();
      void opening.then((opened) => {
        if (!request.destroyed) opened.serve(request, response);
      });
    },
    openSoon(when) {
      if (opening !== null) return;
      if (when === "now") setImmediate(openUnlessClosed);
      else timer = setTimeout(openUnlessClosed, OPEN_AFTER).unref();
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await (await opening)?.close();
    },
  };
}
