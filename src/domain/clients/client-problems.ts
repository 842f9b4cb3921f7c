import type { AuditEvent, AuditStore } from "../audit.ts";
import type { Id } from "../id.ts";
import type { Client } from "./client.ts";

/** How the audit tells which redirect URI a refused request had. Values of its query are left out. */
export const CAME_AS = "it came as ";

/** A request of the client that was refused, in words for its developer. No person and no address is in it. */
export interface ClientProblem {
  readonly id: Id;
  readonly at: string;
  readonly event: AuditEvent["event"];
  readonly result: AuditEvent["result"];
  readonly message: string;
  readonly requestId: string | null;
}

/** Newest first. */
export async function listProblems(
  { audit }: { readonly audit: Pick<AuditStore, "list"> },
  client: Client,
  limit: number,
): Promise<ClientProblem[]> {
  const entries = await audit.list({ clientId: client.id, isProblem: true, limit });
  return entries.map(({ id, at, event, result, detail, requestId }) => ({
    ...{ id, at, event, result, requestId },
    message: messageOf(client, result, detail ?? ""),
  }));
}

/** Explanations of OAuth errors, for the developer whose client gets them. */
const ADVICE: Readonly<Record<string, string>> = {
  access_denied: "The person did not allow it.",
  consent_required: "The person has to allow it on the consent page. Send the request without prompt=none.",
  interaction_required: "The person has to answer a page. Send the request without prompt=none.",
  invalid_client: "The client did not prove who it is. Check its client_id, its secret, and how it sends the secret.",
  invalid_dpop_proof: "The DPoP proof is not valid. Make a new one for each request, with the right URL and method.",
  invalid_grant: "The code or refresh token is not valid. It is used, has expired, or belongs to another request.",
  invalid_request: "A parameter is missing or wrong.",
  invalid_scope: "The client is not registered for the scope. Add it to the client, or do not ask for it.",
  invalid_target: "The value of resource is not an API that this client may have tokens for.",
  login_required: "Nobody is signed in in this browser. Send the request without prompt=none.",
  unauthorized_client: "The client is not registered for this grant or response type. Add it to the client.",
};

function messageOf(client: Client, result: AuditEvent["result"], detail: string): string {
  const [, error = "", why = ""] = /^(\w+)(?:: (.*))?$/s.exec(detail) ?? [];
  if (error === "invalid_redirect_uri" && why.startsWith(CAME_AS))
    return redirectMessage(client.redirectUris, why.slice(CAME_AS.length));
  if (result === "reuse")
    return `A code or refresh token was used a second time, so all tokens of it were ended. (${why})`;
  const advice = ADVICE[error] ?? "";
  const reason = why === "" ? "" : `${error}: ${why}`;
  return [advice, reason].filter((part) => part !== "").join(" ") || detail || "The request was refused.";
}

/** @param given without the values of its query */
function redirectMessage(registered: readonly string[], given: string): string {
  const hint = registered.map((uri) => differenceOf(bare(uri), bare(given))).find((found) => found !== null) ?? "";
  const list = registered.length === 0 ? "none" : registered.join(", ");
  return [`redirect_uri came as ${given}. Registered: ${list}.`, hint].filter((part) => part !== "").join(" ");
}

function bare(uri: string): string {
  return uri.split("?")[0] as string;
}

/** The mistake that is made most often, if it is the only difference. */
function differenceOf(registered: string, given: string): string | null {
  if (registered === given) return "The query must be the same, character by character.";
  const [left, right] = [URL.parse(registered), URL.parse(given)];
  if (left === null || right === null) return null;
  if (`${registered}/` === given) return "It must not end with a slash.";
  if (registered === `${given}/`) return "It must end with a slash.";
  if (registered.toLowerCase() === given.toLowerCase()) return "Upper and lower case must be the same.";
  if (left.pathname !== right.pathname) return null;
  if (left.host === right.host) return `It must begin with ${left.protocol}//.`;
  if (left.hostname === right.hostname) return `The port must be ${left.port || "left out"}.`;
  const loopback = ["localhost", "127.0.0.1", "[::1]"];
  if (loopback.includes(left.hostname) && loopback.includes(right.hostname))
    return `The host must be ${left.hostname}: ${right.hostname} is another one.`;
  return null;
}
