import type { PageFormat } from "./metrics-page.ts";
import type { GaugeSample, Report } from "./registry.ts";

/** Messages of a worker to the process that started it. */
export type FromWorker =
  | { readonly metrics: "report"; readonly reports: readonly Report[] }
  /** To `ask`. */
  | {
      readonly metrics: "answer";
      readonly id: number;
      readonly reports: readonly Report[];
      readonly gauges: readonly GaugeSample[];
    }
  /** Somebody reads the metrics at this worker. `shared`: gauges about the database, which it has asked. */
  | {
      readonly metrics: "page";
      readonly id: number;
      readonly format: PageFormat;
      readonly shared: readonly GaugeSample[];
    };

/** Messages to a worker. */
export type ToWorker =
  /** `shared`: gauges about the database are wanted too, which the worker asks first. */
  | { readonly metrics: "ask"; readonly id: number; readonly shared?: true }
  | { readonly metrics: "page"; readonly id: number; readonly page: string };

/** Whether a message between the processes is about metrics: others pass between them too. */
export function isOfMetrics<Message extends FromWorker | ToWorker>(message: unknown): message is Message {
  return typeof message === "object" && message !== null && "metrics" in message;
}
