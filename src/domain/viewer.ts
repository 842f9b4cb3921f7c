import type { Id } from "./id.ts";

export const ROLES = ["member", "editor", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** The sign-in that gave a token, which may be older than the token. */
export interface SignIn {
  /** Seconds of Unix time. */
  readonly atSeconds: number;
  /** How strong it was: see `acr.ts`. Null where the issuer does not tell. */
  readonly acr: string | null;
}

/** A program that acts for the caller through a tool of `/mcp`. */
interface Agent {
  /** Name of the tool. */
  readonly tool: string;
  /** W3C Trace Context of the call; null without one. */
  readonly traceparent: string | null;
}

/** The caller of a request. Scopes limit the client, the role limits the person; both must allow. */
export interface Viewer {
  /** The person; null for anonymous callers and for clients that act for themselves. */
  readonly userId: Id | null;
  readonly role: Role | null;
  /** The OAuth client; null for anonymous callers. */
  readonly clientId: string | null;
  readonly scopes: ReadonlySet<string>;
  /** Missing for callers without a person, and for tokens that an operator made. */
  readonly signIn?: SignIn | null;
  /** Whether the person has turned a second step on. */
  readonly hasSecondStep?: boolean;
  /** Set where a program acts by a tool: its changes of posts are written down with it (`agentAct`). */
  readonly agent?: Agent;
}

/** A change by an agent: the person and the client that it acts for, as storage keeps them. */
export interface AgentAct {
  readonly userId: Id | null;
  readonly clientId: string;
  readonly tool: string;
  /** 32 hexadecimal digits; null without trace context. */
  readonly traceId: string | null;
}

/** `clientId` of an agent without an OAuth client: a program on the machine of the operator (`content-api mcp --stdio`). */
const LOCAL_AGENT = "stdio";
/** Characters of a tool's name that are kept. */
const TOOL_LENGTH = 64;

/** @returns undefined for a viewer who acts without an agent */
export function agentAct({ agent, userId, clientId }: Viewer): AgentAct | undefined {
  if (agent === undefined) return undefined;
  const traceId = /^[\da-f]{2}-([\da-f]{32})-/.exec(agent.traceparent ?? "")?.[1] ?? null;
  return { userId, clientId: clientId ?? LOCAL_AGENT, tool: agent.tool.slice(0, TOOL_LENGTH), traceId };
}

/** Whether the viewer sees everybody's unpublished posts, and may change them: editors and administrators. */
export function seesUnpublished({ role }: Viewer): boolean {
  return role === "editor" || role === "admin";
}
