import type { RequestHead } from "../http/messages.ts";

/** Reasons for closing a connection. The protocol defines the codes from 4400, the IANA registry the others. */
export const CLOSE = {
  goingAway: [1001, "The server is stopping."],
  tooSlow: [1013, "Messages are not read fast enough: come again, with `after`."],
  unavailable: [1013, "Not possible at this moment."],
  badRequest: (reason: string) => [4400, reason] as const,
  unauthorized: [4401, "Unauthorized"],
  forbidden: [4403, "Forbidden"],
  subprotocol: [4406, "Subprotocol not acceptable"],
  initTimeout: [4408, "Connection initialisation timeout"],
  duplicate: (id: string) => [4409, `Subscriber for ${id.slice(0, 60)} already exists`] as const,
  tooManyInits: [4429, "Too many initialisation requests"],
} as const;

/** A message of graphql-transport-ws, as a client sends it. */
export type Message = Readonly<Record<string, unknown>>;
export type Close = readonly [code: number, reason: string];

/** Characters of the id of an operation. */
export const MOST_ID = 256;

/** Null unless the text is a JSON object. */
export function parseMessage(data: Buffer): Message | null {
  try {
    const value: unknown = JSON.parse(data.toString());
    return isMap(value) ? value : null;
  } catch {
    return null;
  }
}

export function isMap(value: unknown): value is Message {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isId(value: unknown): value is string {
  return typeof value === "string" && value.length > 0 && value.length <= MOST_ID;
}

/** The errors of an answer that has no `data`, because nothing was executed; null for any other. */
export function refusalIn(body: string): unknown {
  if (!body.startsWith('{"errors":')) return null;
  const { errors, data } = JSON.parse(body) as { errors: unknown; data?: unknown };
  return data === undefined ? errors : null;
}

/** Browsers cannot set fields of the handshake: `Authorization` and `DPoP` may stand in the payload of `connection_init`. */
export function withCredentials(head: RequestHead, payload: Message): RequestHead {
  const headers = { ...head.headers };
  for (const [name, value] of Object.entries(payload)) {
    const key = name.toLowerCase();
    if ((key === "authorization" || key === "dpop") && typeof value === "string") headers[key] = value;
  }
  return { ...head, headers };
}
