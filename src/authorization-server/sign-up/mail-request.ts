import type { FastifyReply, FastifyRequest } from "fastify";
import { badInput } from "../../domain/errors.ts";
import { assertEmail } from "../../domain/people/email.ts";
import type { BrowserForms } from "../http/browser-forms.ts";
import { fieldErrors, readForm, sendErrorPage } from "../http/forms.ts";
import type { MailedOptions } from "./mailed-services.ts";

/** The fields of a form that asks for a mail. */
export interface TypedRequest {
  readonly email: string;
  /** The `uid` of the sign-in that it began in; empty for none. */
  readonly interaction: string;
}

interface MailRequest {
  readonly kind: "sign-up" | "recovery";
  /** @throws AppError BAD_USER_INPUT with field `email` for an address that gets no mail, whoever has it */
  readonly assertAllowed: (email: string) => void;
  /** Facts for the letter. */
  readonly params: (browser: string) => Readonly<Record<string, string>>;
  readonly refused: (typed: TypedRequest, errors: Partial<Record<"email" | "form", string>>) => FastifyReply;
  /** @param browser the value of the form's cookie */
  readonly sent: (typed: TypedRequest, browser: string) => FastifyReply;
}

/**
 * Takes a form that asks for a mail to an address, and writes the mail down to be sent. It reads nothing about people, so that neither
 * its answer nor its time tells who has an account (U11): the letter is decided when the mail is sent.
 */
export async function takeMailRequest(
  { settings, services: { outgoing, known, audit } }: MailedOptions,
  forms: BrowserForms,
  request: FastifyRequest,
  reply: FastifyReply,
  { kind, assertAllowed, params, refused, sent }: MailRequest,
): Promise<FastifyReply> {
  const field = readForm(request);
  const typed = { email: field("email").trim(), interaction: interactionIn(field("interaction")) };
  const browser = forms.browserOf(request);
  if (browser === null || !forms.verify(request, kind, field("csrf"))) return refused(typed, { form: STALE });
  try {
    if (typed.email === "") throw badInput("email", "Enter your e-mail address.");
    assertEmail("email", typed.email);
    assertAllowed(typed.email);
  } catch (error) {
    return refused(typed, fieldErrors(error, LABELS));
  }
  const facts = { event: kind, address: request.ip, requestId: request.id, detail: "asked for a mail" } as const;
  const wait = await outgoing.limits.ofNetwork(request.ip);
  if (wait > 0) {
    audit.note({ ...facts, result: "limited" });
    return sendErrorPage(reply.header("retry-after", String(wait)), settings.OPERATOR_NAME, LIMITED);
  }
  // A browser that the address has signed in from has mails of its own, which strangers cannot use up (U32).
  const budget = known.mailBudgetOf(request, typed.email);
  if (await outgoing.limits.mayMail(typed.email, budget)) {
    const { interaction } = typed;
    await outgoing.toAddress(kind, typed.email, {
      ...params(browser),
      ...(interaction === "" ? {} : { interaction }),
    });
  }
  audit.note({ ...facts, result: "ok" });
  return sent(typed, browser);
}

/** The `uid` of a sign-in in a query or a form; empty for anything that cannot be one. */
export function interactionIn(value: unknown): string {
  return typeof value === "string" && /^[\w-]{10,64}$/.test(value) ? value : "";
}

const LABELS = { email: "The e-mail address" };

const STALE = "The form was out of date. Nothing was sent. Please send it again.";

const LIMITED = {
  status: 429,
  title: "Too many mails were asked for",
  message: "Your network has asked for many mails. Nothing was sent. Wait an hour, then try again.",
};
