import type { Administration } from "../administration.ts";
import type { Id } from "../id.ts";
import { somebodyElse } from "./people-administration.ts";
import type { PeopleMail } from "./people-mail.ts";
import type { SecondStepStore } from "./second-step.ts";
import type { User, UserStore } from "./user.ts";

export interface SecondStepAdministration
  extends Administration<{ readonly users: UserStore; readonly secondSteps: SecondStepStore }> {
  readonly mail: Pick<PeopleMail, "tellOfSecondStep">;
}

/**
 * Turns off the second step of a person who has lost it: the authenticator app and recovery codes go (U71). The person and all administrators
 * are told.
 *
 * @param passkeys whether passkeys go too, and with them every session and token
 * @throws AppError NOT_FOUND, CONFLICT for oneself, KeyInUse
 */
export async function resetSecondStep(
  administration: SecondStepAdministration,
  id: Id | null,
  passkeys = false,
): Promise<User> {
  const { store, record, mail, once } = administration;
  const user = await store.secondSteps.turnOff(somebodyElse(administration, id), { passkeys, once });
  await record({ event: "second-step", result: "ok", userId: user.id, detail: "turned off by an administrator" });
  await mail.tellOfSecondStep(user, await store.users.listAdministrators());
  return user;
}
