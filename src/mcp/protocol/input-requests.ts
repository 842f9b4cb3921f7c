import { isObject } from "./json.ts";
import { CODES, type InputRequired, type JsonObject, ProtocolError } from "./service.ts";

/** Capability of the client that a request to it needs. */
const CAPABILITIES: Readonly<Record<string, string>> = {
  "elicitation/create": "elicitation",
  "sampling/createMessage": "sampling",
  "roots/list": "roots",
};

export function isInputRequired(result: object): result is InputRequired {
  return "inputRequests" in result || "requestState" in result;
}

/**
 * A stateless server asks only for what the client has declared (2026-07-28, section 4 of the basic workflow).
 *
 * @throws ProtocolError missingCapability
 */
export function assertCapable({ inputRequests }: InputRequired, capabilities: JsonObject): void {
  const requiredCapabilities: Record<string, object> = {};
  for (const { method } of requestsIn(inputRequests)) {
    const capability = Object.hasOwn(CAPABILITIES, method) ? CAPABILITIES[method] : undefined;
    if (capability !== undefined && capabilities[capability] === undefined) requiredCapabilities[capability] = {};
  }
  if (Object.keys(requiredCapabilities).length > 0) throw missingCapability(requiredCapabilities);
}

/** @param requiredCapabilities such as `{ elicitation: {} }` */
export function missingCapability(requiredCapabilities: object): ProtocolError {
  const names = Object.keys(requiredCapabilities).join(", ");
  return new ProtocolError(CODES.missingCapability, `The client must support ${names} for this.`, {
    data: { requiredCapabilities },
  });
}

/** The requests that the service wants answered, by name. */
export function requestsIn(
  inputRequests: JsonObject | undefined,
): { readonly name: string; readonly method: string; readonly params: JsonObject }[] {
  return Object.entries(inputRequests ?? {}).map(([name, request]) => {
    if (!isObject(request) || typeof request.method !== "string") throw new Error("The service asks for no request.");
    return { name, method: request.method, params: isObject(request.params) ? request.params : {} };
  });
}
