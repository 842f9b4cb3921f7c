import { Contract } from "../contract.ts";
import type { RawAnswer } from "./raw-request.ts";

/** Milliseconds of processor time, of all threads, that one request may take. Time on a clock says more about the machine. */
export const MOST_TIME = 1_000;

const contract = new Contract();

/** Words that only a fault of ours causes, in answers that are not 5xx: GraphQL reports it beside data, OAuth in a redirect. */
const FAULTS = [/"code":"INTERNAL"/, /"code":-32603/, /server_error/];

/** Answers of node:http to what is no request: bytes that are no head, too many of them, a head or body that does not end. */
const BY_NODE: ReadonlySet<number> = new Set([400, 408, 413, 417, 431]);

/**
 * Everything that is wrong with an answer, whatever the request was.
 *
 * @param head lines of the request
 */
export function faultsOf(head: string, body: string, answer: RawAnswer): string[] {
  const faults: string[] = [];
  const { status, headers } = answer;
  if (BY_NODE.has(status) && !headers.has("x-request-id") && answer.body === "") return faults;
  if (!(status >= 100 && status <= 599)) faults.push(`no status: ${status}`);
  if (status >= 500) faults.push(`${status} ${answer.body.slice(0, 300)}`);
  const seen = `${answer.body}\n${headers.get("location") ?? ""}`;
  for (const fault of FAULTS)
    if (fault.test(seen) && !fault.test(head + body)) faults.push(`${fault.source} in the answer`);
  const [method = "", url = ""] = head.split(/[ \n]/);
  if (method === "HEAD" || method === "OPTIONS" || status === 101) return faults;
  const type = headers.get("content-type") ?? "";
  if (/[/+]json/.test(type) && answer.body !== "" && jsonOf(answer.body) === undefined) faults.push("no JSON");
  // A refused handshake of a WebSocket has its status alone.
  const difference =
    type.startsWith("text/event-stream") || /^upgrade:/im.test(head)
      ? null
      : contract.differenceIn({ method, url, requestBody: body, status, headers, body: answer.body });
  if (difference !== null) faults.push(`docs/openapi.json: ${status} ${difference}`);
  return faults;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
