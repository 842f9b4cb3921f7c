import { askToLeave } from "../../frame/leaving.ts";
import { unsent, wipe } from "../../saving/device/unsent.ts";
import { loadSending } from "./on-device.ts";
import type { OpenStudio } from "./start.ts";

/** Set in this tab's storage while the authorization server ends its session, so that coming back starts no new sign-in. */
export const SIGNED_OUT = "studio.signed-out";

/**
 * Sends what the server does not have yet, then signs out. Where texts are left over, the person decides about them first
 * (S07).
 *
 * @throws ApiFailure, SignInFailed
 */
export async function beginSignOut(studio: OpenStudio): Promise<void> {
  await new Promise<void>((leave) => {
    if (!askToLeave(leave)) leave();
  });
  studio.go("/posts", { replace: true }); // a page on which somebody writes is closed first
  await new Promise((resolve) => setTimeout(resolve));
  const { sendUnsent } = await loadSending();
  await sendUnsent(studio);
  const left = await unsent(studio.session.personId);
  if (left.length === 0) await signOut(studio);
  else studio.leaving.value = left;
}

/** Ends the session here, in all tabs, and at the authorization server. @throws ApiFailure, SignInFailed */
export async function signOut({ session }: OpenStudio): Promise<void> {
  sessionStorage.setItem(SIGNED_OUT, "true");
  try {
    await session.signOut(() => wipe(session.personId));
  } catch (error) {
    sessionStorage.removeItem(SIGNED_OUT);
    throw error;
  }
}
