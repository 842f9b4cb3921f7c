import type { ServerInfo, Texts } from "../../ports.ts";
import type { Clock } from "../device/keeper.ts";
import type { Device } from "../device/local-draft.ts";
import type { Server } from "./server.ts";

/** Everything that the engine needs of its surroundings. */
export interface Ports {
  readonly clock: Clock;
  readonly device: Device;
  readonly server: Server;
  readonly person: { readonly id: string; readonly name: string };
  limits(): ServerInfo;
  newKey(): string;
  notify(message: string, undo?: { readonly label: string; run(): void }): void;
}

/** Reason why the text became another by something else than typing. */
export type Why = "merged" | "restored" | "taken" | "elsewhere";

export type ReplacedListener = (texts: Texts, why: Why) => void;
