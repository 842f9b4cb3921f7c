import type { FastifyReply } from "fastify";
import { sendPage } from "../http/forms.ts";
import { signInPage } from "../pages/sign-in.ts";
import type { ShownUpstream } from "../pages/upstream.ts";
import type { PasskeyRefusal, Passkeys } from "../passkeys/passkeys.ts";
import { refusalHeaders, type SignInRefusal } from "./sign-in-check.ts";

/** Outcome of an attempt that was refused: an address with a password, a passkey, or another service. */
export interface Refused {
  /** As it was typed. */
  readonly email?: string;
  readonly password?: SignInRefusal;
  readonly passkey?: PasskeyRefusal;
  readonly upstream?: { readonly status: number; readonly message: string };
  /** The service that is linked after the sign-in; nothing was refused. */
  readonly linking?: string;
}

/** Parts of the page that depend on the place of the sign-in: the account page or a client. */
export type SignInModel = Pick<Parameters<typeof signInPage>[0], "clientName" | "email" | "links" | "page" | "cancel">;

interface About extends SignInModel {
  readonly operator: string;
  /** The path that the steps of the sign-in stand below. */
  readonly root: string;
  readonly csrf: string;
  /** URLs that receive the answer to the client. */
  readonly formAction: readonly string[];
  readonly upstreams: readonly ShownUpstream[];
  /** The service that the person wants to link after the sign-in; null for none. */
  readonly linking: string | null;
}

/** Sends the sign-in page, with the prompt for a passkey where there are any. */
export function sendSignInPage(
  reply: FastifyReply,
  passkeys: Passkeys | null,
  { root, formAction, upstreams, ...model }: About,
  { email, password, passkey, upstream }: Refused = {},
): FastifyReply {
  const prompt = passkeys?.ask(model.csrf, passkey?.unknown) ?? null;
  const text = signInPage({
    ...model,
    ...(email === undefined ? {} : { email }),
    ...(password === undefined ? {} : { error: password.message }),
    action: `${root}/sign-in`,
    upstreams: {
      action: `${root}/upstream/start`,
      list: upstreams,
      ...(upstream === undefined ? {} : { error: upstream.message }),
    },
    passkey:
      prompt === null
        ? null
        : { action: `${root}/passkey`, prompt, ...(passkey === undefined ? {} : { error: passkey.message }) },
  });
  if (password !== undefined) reply.headers(refusalHeaders(password));
  const status = password?.status ?? upstream?.status ?? (passkey === undefined ? 200 : 400);
  return sendPage(reply, text, { status, formAction, script: prompt?.script ?? null });
}
