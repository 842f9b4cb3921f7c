import { AppError } from "./errors.ts";
import type { Viewer } from "./viewer.ts";

/** The scope says what the client may, the role what the person may: both must allow. @throws AppError FORBIDDEN */
export function assertAdministrator({ role }: Viewer): void {
  if (role !== "admin") throw new AppError("FORBIDDEN", "Only administrators may do this.");
}
