/** A process that serves the database. */
export interface LiveNode {
  readonly id: string;
  /** Version of its program, such as `0.2.0`. */
  readonly version: string;
  /** The newest schema that it knows. */
  readonly schema: number;
  readonly host: string;
  /** Process id on that host. */
  readonly pid: number;
  readonly startedAt: string;
  /** Last sign of life, by the clock of the database. */
  readonly seenAt: string;
}

/** The processes that serve the database. One that gives no sign of life for 60 seconds is dead, and does not count. */
export interface NodeStore {
  /**
   * Sign of life of this process. Does nothing in a process that does not serve.
   * @throws UNAVAILABLE when the database has become too new for this program
   */
  renew(): Promise<void>;
  /** Live nodes, the oldest program first. */
  list(): Promise<LiveNode[]>;
}
