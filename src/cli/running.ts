/** The program as it runs in this process, or in the workers of this process. */
export interface Running {
  /** The one-time address at which the first administrator is made, once it serves; null once there is somebody. */
  readonly setUpUrl: Promise<string | null>;
  /** As SIGTERM: answers what was accepted, and ends. */
  stop(): void;
  /** Another process serves the same sockets: as `App.handOver`, and ends. */
  handOver(): void;
}
