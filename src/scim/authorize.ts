import { AppError } from "../domain/errors.ts";
import type { ScimService } from "../domain/people/scim-administration.ts";
import type { Viewer } from "../domain/viewer.ts";

/** A service with the client that speaks for it. */
export interface BoundService extends ScimService {
  readonly clientId: string;
}

export interface Caller {
  readonly service: BoundService;
  readonly clientId: string;
}

/**
 * The service that a token speaks for: it is the token of a client that acts for itself, and a service of UPSTREAMS names the client.
 *
 * @throws AppError FORBIDDEN, with the scope where that is missing
 */
export function callerOf({ userId, clientId, scopes }: Viewer, services: readonly BoundService[]): Caller {
  if (!scopes.has("scim"))
    throw new AppError("FORBIDDEN", "The access token does not have the scope scim.", { scopes: ["scim"] });
  if (userId !== null)
    throw new AppError("FORBIDDEN", "SCIM is for clients that act for themselves (client_credentials).");
  const service = services.find((one) => one.clientId === clientId);
  if (service === undefined || clientId === null)
    throw new AppError("FORBIDDEN", "No entry of UPSTREAMS has this client as its scim_client.");
  return { service, clientId };
}

/** The `WWW-Authenticate` value of a refusal (RFC 6750 section 3), without an error where no token came. */
export function challengeOf({ code, details }: AppError<"UNAUTHENTICATED" | "FORBIDDEN">): string | null {
  if (code === "FORBIDDEN")
    return details.scopes === undefined ? null : 'Bearer error="insufficient_scope", scope="scim"';
  const error = details.challenge === undefined ? "" : 'error="invalid_token", ';
  return `Bearer ${error}scope="scim"`;
}
