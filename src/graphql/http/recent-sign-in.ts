import { assertRecentSignIn } from "../../domain/recent-sign-in.ts";
import type { Viewer } from "../../domain/viewer.ts";
import type { BoundValues } from "../plan/bound-values.ts";
import type { Plan } from "../plan/plan.ts";
import type { RequestHead } from "./messages.ts";

type Arguments = BoundValues[number]["args"];

/** The changes that need a recent sign-in of their administrator, each with the arguments for which it does (U61). */
const GUARDED: Readonly<Record<string, (args: Arguments) => boolean>> = {
  sendRecovery: () => true,
  resetSecondStep: () => true,
  unlinkUpstream: () => true,
  deleteAccount: () => true,
  changeRole: isAdministrator,
  createAccount: ({ input }) => isAdministrator(input),
  inviteAccount: ({ input }) => isAdministrator(input),
};

/** Whether the role that is asked for is the administrator's. @param args arguments or an input object, as the schema coerces them */
function isAdministrator(args: unknown): boolean {
  return (args as { readonly role?: unknown }).role === "ADMIN";
}

/**
 * Rejects the whole operation, before any of it runs.
 *
 * @throws AppError UNAUTHENTICATED
 */
export function assertFreshEnough(
  { fields, scopes }: Plan,
  bound: BoundValues,
  viewer: Viewer,
  { head, nowSeconds }: { readonly head: RequestHead; readonly nowSeconds: number },
): void {
  // Others are refused for that, whenever they have signed in.
  if (viewer.role !== "admin") return;
  const isGuarded = fields.some(
    (field, index) =>
      field.kind === "administration" && GUARDED[field.definition.name]?.(bound[index]?.args ?? {}) === true,
  );
  if (!isGuarded) return;
  const scheme = /^dpop /i.test(head.headers.authorization ?? "") ? ({ scheme: "DPoP" } as const) : {};
  assertRecentSignIn(viewer, nowSeconds, { ...scheme, scope: scopes });
}
