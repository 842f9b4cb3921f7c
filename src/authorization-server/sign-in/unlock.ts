import type { User } from "../../domain/people/user.ts";
import type { Store } from "../../domain/store/store.ts";
import { unlockSecondStep } from "../second-step/second-step.ts";
import { unlockAccount } from "./attempts.ts";

/** Resets failed attempts at the password and the second step: `user unlock` and `unlockAccount`. */
export async function forgetAttempts(store: Pick<Store, "attempts" | "secondSteps">, user: User): Promise<void> {
  await unlockAccount(store.attempts, user.email);
  await unlockSecondStep(store, user);
}
