import { assertRecentSignIn, JUST_NOW, WITHIN_AN_HOUR } from "../../domain/recent-sign-in.ts";
import type { Store } from "../../domain/store/store.ts";
import type { Viewer } from "../../domain/viewer.ts";
import { idOf } from "../administration/field.ts";
import type { BoundValues } from "../plan/bound-values.ts";
import type { Plan } from "../plan/plan.ts";
import type { RequestHead } from "./messages.ts";

type Arguments = BoundValues[number]["args"];

/** The fields that need a recent sign-in of their person, each with the arguments for which it does (U61). */
export const GUARDED: Readonly<Record<string, (args: Arguments) => boolean>> = {
  sendRecovery: () => true,
  resetSecondStep: () => true,
  unlockAccount: () => true,
  setLocalSignIn: () => true,
  accountExport: () => true,
  unlinkUpstream: () => true,
  deleteAccount: () => true,
  changeRole: isAdministrator,
  createAccount: ({ input }) => isAdministrator(input),
  inviteAccount: ({ input }) => isAdministrator(input),
};

/** The changes that need a sign-in just now, if a sign-in gave the token (S69). */
export const GUARDED_NOW: ReadonlySet<string> = new Set([
  "changeRole",
  "deleteClient",
  "addClientSecret",
  "deleteOwnClient",
  "addOwnClientSecret",
  "rotateClientSecret",
  "rotateWebhookSecret",
  "rotateSigningKeys",
]);

/** Whether the role that is asked for is the administrator's. @param args arguments or an input object, as the schema coerces them */
function isAdministrator(args: unknown): boolean {
  return (args as { readonly role?: unknown }).role === "ADMIN";
}

/**
 * Rejects the whole operation, before any of it runs. An invitation that is sent again may be an administrator's, which only the
 * database knows.
 *
 * @throws AppError UNAUTHENTICATED
 */
export function assertFreshEnough(
  { fields, scopes }: Plan,
  bound: BoundValues,
  viewer: Viewer,
  { headers }: RequestHead,
  { store, now }: { readonly store: Pick<Store, "invitations">; readonly now: () => number },
): void | Promise<void> {
  // Others are refused for that, whenever they have signed in.
  const isFor = (field: Plan["fields"][number]) =>
    field.kind === "administration" && (field.isOwn ? viewer.userId !== null : viewer.role === "admin");
  if (!fields.some(isFor)) return;
  const assertRecent = (demand = WITHIN_AN_HOUR) => {
    const scheme = /^dpop /i.test(headers.authorization ?? "") ? ({ scheme: "DPoP" } as const) : {};
    assertRecentSignIn(viewer, now() / 1_000, { ...scheme, scope: scopes }, demand);
  };
  const changes = fields.map((field, index) => ({
    name: field.kind === "administration" && isFor(field) ? field.definition.name : "",
    args: bound[index]?.args ?? {},
  }));
  const isGuarded = changes.map(({ name, args }) => GUARDED[name]?.(args) === true);
  if (isGuarded.includes(true)) assertRecent();
  if (changes.some(({ name }, index) => GUARDED_NOW.has(name) && !isGuarded[index])) assertRecent(JUST_NOW);
  if (isGuarded.includes(true)) return;
  const resent = changes
    .filter(({ name }) => name === "resendInvitation")
    .map(({ args }) => idOf(args))
    .filter((id) => id !== null);
  if (resent.length === 0) return;
  return Promise.all(resent.map((id) => store.invitations.find(id))).then((invitations) => {
    if (invitations.some((invitation) => invitation?.role === "admin")) assertRecent();
  });
}
