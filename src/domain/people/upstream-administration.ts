import type { Administration } from "../administration.ts";
import { AppError } from "../errors.ts";
import type { Id } from "../id.ts";
import { nobody } from "./people-administration.ts";
import type { PeopleMail } from "./people-mail.ts";
import type { UpstreamIdentityStore } from "./upstream-identity.ts";
import type { User, UserStore } from "./user.ts";

export interface UpstreamAdministration
  extends Administration<{ readonly users: UserStore; readonly upstreamIdentities: UpstreamIdentityStore }> {
  readonly mail: Pick<PeopleMail, "tellOfUnlink" | "tellOfLocalSignIn">;
}

/**
 * Removes a person's link to another service, and tells the person. Sessions that began with it go on: `endSessions` ends them.
 *
 * @param rpId the domain of passkeys that can be used; null where passkeys are off
 * @param name the service, as people know it
 * @throws AppError NOT_FOUND for a person or link that is not there, CONFLICT for the only way in (U29), KeyInUse
 */
export async function unlinkUpstream(
  administration: UpstreamAdministration,
  id: Id | null,
  { provider, subject }: { readonly provider: string; readonly subject: string },
  rpId: string | null,
  name: string,
): Promise<User> {
  const { store, record, mail, once } = administration;
  if (id === null) throw nobody();
  const identity = await store.upstreamIdentities.find(provider, subject);
  const user = await store.users.find(id);
  if (user === null) throw nobody();
  if (!(await store.upstreamIdentities.unlink(id, provider, subject, rpId ?? "", once)) || identity === null)
    throw new AppError("NOT_FOUND", "This person has no such link.");
  await record({ event: "link", result: "ok", userId: id, detail: `removed by an administrator: ${provider}` });
  await mail.tellOfUnlink(user, name, identity.emailAtLink);
  return user;
}

/**
 * Lets a person sign in here although their domain signs in at another service, or ends that (U65). The person is told.
 *
 * @throws AppError NOT_FOUND, KeyInUse
 */
export async function setLocalSignIn(
  { store, record, mail, once }: UpstreamAdministration,
  id: Id | null,
  isOn: boolean,
): Promise<User> {
  if (id === null) throw nobody();
  const user = await store.users.update(id, { localSignIn: isOn }, once);
  await record({ event: "person", result: "ok", userId: id, detail: `local sign-in ${isOn ? "on" : "off"}` });
  await mail.tellOfLocalSignIn(user);
  return user;
}
