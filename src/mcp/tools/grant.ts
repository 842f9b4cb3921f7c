import { AppError } from "../../domain/errors.ts";
import { missingScopes } from "../../domain/scopes.ts";
import type { Viewer } from "../../domain/viewer.ts";

/**
 * Says which scopes the client must ask for. A client asks for them instead of those that it has, so they all stand there.
 *
 * @param needed those of the call
 */
export function stepUp(viewer: Viewer, needed: readonly string[]): AppError<"FORBIDDEN"> {
  const missing = missingScopes(viewer, needed);
  return new AppError("FORBIDDEN", `The access token lacks the scope ${missing.join(" ")}.`, {
    scopes: [...viewer.scopes, ...missing],
  });
}

/** @throws AppError FORBIDDEN with all scopes, those that the caller has too */
export function assertGranted(viewer: Viewer, scope: string | null): void {
  if (scope !== null && missingScopes(viewer, [scope]).length > 0) throw stepUp(viewer, [scope]);
}
