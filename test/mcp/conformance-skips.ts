/** A scenario of the conformance suite that judges nothing here, or that we do not pass, and why. */
export interface Skip {
  readonly revision: "2026-07-28" | "2025-11-25";
  readonly scenario: string;
  /** "fails": it is not required and we do not pass it. "checks nothing": it passes without looking at anything. */
  readonly outcome: "fails" | "checks nothing";
  readonly reason: string;
}

const TASKS = "Tasks are an optional extension that this server does not offer: no tool runs long enough to need one.";

/**
 * Required scenarios are all run and all pass; among these rows, `server-sse-multiple-streams` alone is required, in a revision
 * where it checks nothing. The test fails where a row is missing or says too much.
 */
export const CONFORMANCE_SKIPS: readonly Skip[] = [
  ...[
    "tasks-lifecycle",
    "tasks-capability-negotiation",
    "tasks-wire-fields",
    "tasks-request-state-removal",
    "tasks-mrtr-input",
    "tasks-request-headers",
    "tasks-dispatch-and-envelope",
    "tasks-required-task-error",
    "tasks-mrtr-composition",
  ].map((scenario): Skip => ({ revision: "2026-07-28", scenario, outcome: "fails", reason: TASKS })),
  {
    revision: "2026-07-28",
    scenario: "tasks-status-notifications",
    outcome: "checks nothing",
    reason: TASKS,
  },
  {
    revision: "2026-07-28",
    scenario: "http-custom-header-server-validation",
    outcome: "fails",
    reason: "No tool of this server repeats an argument in a header of its own (x-mcp-header), which is optional.",
  },
  {
    revision: "2025-11-25",
    scenario: "server-sse-multiple-streams",
    outcome: "checks nothing",
    reason: "The scenario needs a session id. This server gives none in any revision; in 2026-07-28 it passes.",
  },
  {
    revision: "2025-11-25",
    scenario: "server-session-lifecycle",
    outcome: "checks nothing",
    reason: "Sessions are optional, and this server has none.",
  },
  {
    revision: "2025-11-25",
    scenario: "server-sse-polling",
    outcome: "checks nothing",
    reason: "Streams that a client takes up again are optional, and newer revisions have none.",
  },
];
