import type { FastifyReply } from "fastify";
import { sendPage } from "../http/forms.ts";
import { signInPage } from "../pages/sign-in.ts";
import type { PasskeyRefusal, Passkeys } from "../passkeys/passkeys.ts";
import { refusalHeaders, type SignInRefusal } from "./sign-in-check.ts";

/** What was refused: an address with a password, or a passkey. */
export interface Refused {
  /** As it was typed. */
  readonly email?: string;
  readonly password?: SignInRefusal;
  readonly passkey?: PasskeyRefusal;
}

/**
 * Sends the sign-in page, with the prompt for a passkey where there are any.
 *
 * @param about.root the path that the steps of the sign-in stand below
 * @param about.formAction URLs that receive the answer to the client
 */
export function sendSignInPage(
  reply: FastifyReply,
  passkeys: Passkeys | null,
  about: Omit<Parameters<typeof signInPage>[0], "action" | "passkey"> & {
    root: string;
    formAction?: readonly string[];
  },
  refused: Refused = {},
): FastifyReply {
  const { root, formAction = [], ...model } = about;
  const { email, password, passkey } = refused;
  const prompt = passkeys?.ask(model.csrf, passkey?.unknown) ?? null;
  const text = signInPage({
    ...model,
    ...(email === undefined ? {} : { email }),
    ...(password === undefined ? {} : { error: password.message }),
    action: `${root}/sign-in`,
    passkey:
      prompt === null
        ? null
        : { action: `${root}/passkey`, prompt, ...(passkey === undefined ? {} : { error: passkey.message }) },
  });
  if (password !== undefined) reply.headers(refusalHeaders(password));
  const status = password?.status ?? (passkey === undefined ? 200 : 400);
  return sendPage(reply, text, { status, formAction, script: prompt?.script ?? null });
}
