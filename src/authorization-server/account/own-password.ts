import { refusalHeaders, type SignInCheck, type SignInRefusal } from "../sign-in/sign-in-check.ts";
import type { Visit } from "./visit.ts";

/** The refusal of a password that a signed-in person has typed, for the page to show. */
type PasswordRefusal = Pick<SignInRefusal, "status" | "message">;

/**
 * Checks the password of a person who is signed in, within the bounds on attempts.
 *
 * @param wrong the sentence for a wrong password
 * @returns null for the right one; otherwise the reply has the refusal's headers
 */
export async function checkOwnPassword(
  checkSignIn: SignInCheck,
  { request, reply, session, user }: Visit,
  event: "password" | "step-up",
  password: string,
  wrong: string,
): Promise<PasswordRefusal | null> {
  const typed = { email: user.email, password };
  const checked = await checkSignIn({ ...typed, event, clientId: null, request, session });
  if (checked.user !== null) return null;
  const { status, message, isElsewhere } = checked.refusal;
  reply.headers(refusalHeaders(checked.refusal));
  return { status, message: status === 429 || isElsewhere === true ? message : wrong };
}
