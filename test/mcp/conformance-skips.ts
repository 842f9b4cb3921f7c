export const REVISIONS = ["2026-07-28", "2025-11-25"] as const;
export type Revision = (typeof REVISIONS)[number];

/** Scenarios of the conformance suite that judge nothing here, or that we do not pass, and why. The documentation lists them too. */
export interface Skip {
  readonly revisions: readonly Revision[];
  readonly scenarios: readonly string[];
  /** "fails": we do not pass it. "checks nothing": it passes without looking at anything. */
  readonly outcome: "fails" | "checks nothing";
  /** One sentence. */
  readonly reason: string;
}

const STATELESS = ["2026-07-28"] as const;
const HANDSHAKE = ["2025-11-25"] as const;

const TASKS: readonly Skip[] = [
  {
    revisions: STATELESS,
    scenarios: [
      "tasks-lifecycle",
      "tasks-capability-negotiation",
      "tasks-wire-fields",
      "tasks-request-state-removal",
      "tasks-mrtr-input",
      "tasks-request-headers",
      "tasks-dispatch-and-envelope",
      "tasks-required-task-error",
      "tasks-mrtr-composition",
    ],
    outcome: "fails",
    reason: "Tasks are an optional extension that this server does not offer: no tool runs long enough to need one.",
  },
  {
    revisions: STATELESS,
    scenarios: ["tasks-status-notifications"],
    outcome: "checks nothing",
    reason: "Tasks are an optional extension that this server does not offer.",
  },
  {
    revisions: STATELESS,
    scenarios: ["http-custom-header-server-validation"],
    outcome: "fails",
    reason: "No tool of this server repeats an argument in a header of its own (x-mcp-header), which is optional.",
  },
];

const SESSIONS: readonly Skip[] = [
  {
    revisions: HANDSHAKE,
    scenarios: ["server-sse-multiple-streams"],
    outcome: "checks nothing",
    reason: "The scenario needs a session id. This server gives none in any revision; in 2026-07-28 it passes.",
  },
  {
    revisions: HANDSHAKE,
    scenarios: ["server-session-lifecycle"],
    outcome: "checks nothing",
    reason: "Sessions are optional, and this server has none.",
  },
  {
    revisions: HANDSHAKE,
    scenarios: ["server-sse-polling"],
    outcome: "checks nothing",
    reason: "Streams that a client takes up again are optional, and newer revisions have none.",
  },
];

/**
 * On the fixture server, which is made of our transport, all required scenarios pass: among these, `server-sse-multiple-streams`
 * alone is required, in a revision where it checks nothing. The test fails where a row is missing or says too much.
 */
export const TRANSPORT_SKIPS: readonly Skip[] = [...TASKS, ...SESSIONS];

/** On the server itself, with a token, no other scenarios than these fail. */
export const SERVER_SKIPS: readonly Skip[] = [
  ...TRANSPORT_SKIPS,
  {
    revisions: REVISIONS,
    scenarios: [
      "tools-call-simple-text",
      "tools-call-image",
      "tools-call-audio",
      "tools-call-embedded-resource",
      "tools-call-mixed-content",
      "tools-call-error",
      "tools-call-with-progress",
      "resources-read-text",
      "resources-read-binary",
      "resources-templates-read",
      "prompts-get-simple",
      "prompts-get-with-args",
      "prompts-get-embedded-resource",
      "prompts-get-with-image",
      "json-schema-2020-12",
    ],
    outcome: "fails",
    reason: "The scenario asks for a tool, resource or prompt that only fixture servers have. There it passes.",
  },
  {
    revisions: STATELESS,
    scenarios: [
      "input-required-result-basic-elicitation",
      "input-required-result-basic-sampling",
      "input-required-result-basic-list-roots",
      "input-required-result-request-state",
      "input-required-result-multiple-input-requests",
      "input-required-result-multi-round",
      "input-required-result-non-tool-request",
      "input-required-result-result-type",
      "input-required-result-tampered-state",
      "input-required-result-capability-check",
    ],
    outcome: "fails",
    reason: "The scenario asks for a tool or prompt with questions that only fixture servers have. There it passes.",
  },
  {
    revisions: STATELESS,
    scenarios: ["input-required-result-missing-input-response", "input-required-result-ignore-extra-params"],
    outcome: "checks nothing",
    reason: "The scenario takes the missing fixture tool for an answer. On the fixture server it passes.",
  },
  {
    revisions: STATELESS,
    scenarios: ["server-stateless"],
    outcome: "fails",
    reason: "24 of 28 checks pass. Four need tools that only fixture servers have, where all pass.",
  },
  {
    revisions: HANDSHAKE,
    scenarios: [
      "tools-call-sampling",
      "tools-call-elicitation",
      "elicitation-sep1034-defaults",
      "elicitation-sep1330-enums",
    ],
    outcome: "fails",
    reason: "The scenario calls a tool with questions that only fixture servers have. There it passes.",
  },
  {
    revisions: HANDSHAKE,
    scenarios: ["logging-set-level", "tools-call-with-logging"],
    outcome: "fails",
    reason: "The server sends agents no log messages, which is optional and deprecated.",
  },
  {
    revisions: HANDSHAKE,
    scenarios: ["resources-subscribe", "resources-unsubscribe"],
    outcome: "fails",
    reason: "Subscriptions of this revision need a session, which is optional. In 2026-07-28 clients listen instead.",
  },
  {
    revisions: REVISIONS,
    scenarios: ["completion-complete"],
    outcome: "fails",
    reason: "There is nothing to complete: arguments are ids and free text. Completion is optional.",
  },
];
