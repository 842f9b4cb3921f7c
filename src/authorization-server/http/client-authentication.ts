import { readCompactJws } from "../../domain/clients/compact-jws.ts";

/** A request to an endpoint at which clients say who they are. */
export interface ClientRequest {
  /** The header, where there is one. */
  readonly authorization: string | undefined;
  readonly form: URLSearchParams;
}

/**
 * Whether a request has no client authentication at all, or one of a kind that does not exist here: `invalid_client`
 * with 401 by RFC 6749 section 5.2, where the engine says `invalid_request`. Whatever can be checked is left to it, and
 * so is a request with two kinds together.
 */
export function lacksClientAuthentication({ authorization, form }: ClientRequest, takesAssertions: boolean): boolean {
  if (authorization !== undefined) return !hasOther(form, takesAssertions) && !isBasic(authorization);
  if (takesAssertions && form.has("client_assertion")) return !isAssertion(form);
  return form.getAll("client_id").every((id) => id === "");
}

function hasOther(form: URLSearchParams, takesAssertions: boolean): boolean {
  return form.has("client_secret") || (takesAssertions && form.has("client_assertion"));
}

const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/** A JWT that says whose it is (RFC 7523 section 3); one that says it badly is invalid_client too (RFC 7521 section 4.2.1). */
function isAssertion(form: URLSearchParams): boolean {
  if (form.get("client_assertion_type") !== ASSERTION_TYPE) return false;
  return typeof readCompactJws(form.get("client_assertion") ?? "")?.payload.sub === "string";
}

/** RFC 7617, with both halves encoded as a form's (RFC 6749 section 2.3.1) and neither empty. */
function isBasic(authorization: string): boolean {
  const credentials = /^Basic ([A-Za-z0-9+/]+={0,2})$/i.exec(authorization)?.[1];
  if (credentials === undefined) return false;
  const bytes = Buffer.from(credentials, "base64");
  const canonical = bytes.toString("base64");
  if (credentials !== canonical && credentials !== canonical.replace(/=+$/, "")) return false;
  const [, id = "", secret = ""] = /^([^:]*):(.*)$/s.exec(bytes.toString("utf8")) ?? [];
  return [id, secret].every((part) => part !== "" && isDecodable(part));
}

function isDecodable(text: string): boolean {
  try {
    return /^[\x20-\x7e]+$/.test(decodeURIComponent(text.replaceAll("+", "%20")));
  } catch {
    return false;
  }
}
