import { type PostgresAddress, parsePostgresUrl } from "./address.ts";

/** How to work with the server, by the names of its settings. */
export interface EngineSettings {
  /** `auto`: what the server lacks is found out. `postgresql`: it lacks nothing. `portable`: substitutes are used. */
  readonly DATABASE_ENGINE: "auto" | "postgresql" | "portable";
  readonly DATABASE_LOCKS: "auto" | "advisory" | "rows";
  readonly DATABASE_NOTIFY: "auto" | "listen" | "poll";
  /** Milliseconds until everything counts as changed. */
  readonly DATABASE_POLL: number;
  readonly DATABASE_POOLER: "none" | "transaction";
  readonly DATABASE_LISTEN_URL: string | null;
}

export const USUAL_ENGINE: EngineSettings = {
  DATABASE_ENGINE: "auto",
  DATABASE_LOCKS: "auto",
  DATABASE_NOTIFY: "auto",
  DATABASE_POLL: 500,
  DATABASE_POOLER: "none",
  DATABASE_LISTEN_URL: null,
};

/** Locks as they are used: transaction-level advisory locks, or rows of the table `gates`. */
export type Locks = "advisory" | "rows";

/** The locks that need no test; null where one decides. */
export function chosenLocks({ DATABASE_ENGINE, DATABASE_LOCKS }: EngineSettings): Locks | null {
  if (DATABASE_LOCKS !== "auto") return DATABASE_LOCKS;
  if (DATABASE_ENGINE === "auto") return null;
  return DATABASE_ENGINE === "postgresql" ? "advisory" : "rows";
}

/** Whether notifications can be heard, as far as the settings tell. */
export function mayHear({ hears }: PostgresAddress, settings: EngineSettings): boolean {
  const { DATABASE_ENGINE, DATABASE_NOTIFY, DATABASE_POOLER, DATABASE_LISTEN_URL } = settings;
  if (DATABASE_NOTIFY === "poll" || (DATABASE_NOTIFY === "auto" && DATABASE_ENGINE === "portable")) return false;
  return DATABASE_LISTEN_URL !== null || (hears && DATABASE_POOLER === "none");
}

/** Address at which a process listens for changes. @throws AppError BAD_USER_INPUT for a malformed address */
export function listeningAddress(
  address: PostgresAddress,
  { DATABASE_LISTEN_URL: url }: EngineSettings,
): PostgresAddress {
  return url === null ? address : parsePostgresUrl(url, "DATABASE_LISTEN_URL");
}
