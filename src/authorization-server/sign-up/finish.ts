import type { FastifyReply } from "fastify";
import { AppError, badInputs } from "../../domain/errors.ts";
import type { User } from "../../domain/people/user.ts";
import { assertName } from "../../domain/text.ts";
import { assertPassword, hashPassword } from "../../secrets/passwords.ts";
import type { Signer } from "../../secrets/seal.ts";
import { hashToken } from "../../secrets/token-hash.ts";
import { mountPath } from "../http/endpoints.ts";
import type { FormCookie } from "../http/form-cookie.ts";
import { fieldErrors, redirect, sendErrorPage, sendPage } from "../http/forms.ts";
import { signUpFinishPage } from "../pages/sign-up.ts";
import { type LinkVisit, openMailedLinks } from "./mailed-link.ts";
import type { MailedOptions } from "./mailed-services.ts";

/** The form that a proved address opens, and the account that it makes (U14). */
export function openFinish(
  options: MailedOptions,
  about: { readonly forms: Signer; readonly cookie: FormCookie; readonly path: string; readonly againHref: string },
) {
  const { settings, services, protocol } = options;
  const { OPERATOR_NAME: operator, AUTH_URL: issuer, SIGN_UP_ROLE: role } = settings;
  const { store, audit, log, now } = services;
  const mount = mountPath(issuer);
  const links = openMailedLinks(options, { ...about, purpose: "sign-up", isStillGood: async () => true });

  return { links, finish: { show: (visit: LinkVisit) => show(visit), take } };

  /** Whether this is the browser that the mail was asked for in. */
  function isAsking({ token, browser }: LinkVisit): boolean {
    return token.browserHash === hashToken(browser);
  }

  async function show(
    visit: LinkVisit,
    { name = "", errors = {} }: { name?: string; errors?: Record<string, string> } = {},
  ): Promise<FastifyReply> {
    const { token, ticket, csrf, goodUntil, reply } = visit;
    const page = signUpFinishPage({
      ...{ operator, action: about.path, csrf, ticket, email: token.email, goodUntil, name, errors },
    });
    // The form may lead on to the client that asked for the sign-in.
    const goesOn = token.interaction !== null && isAsking(visit);
    const formAction = goesOn ? await (await protocol()).past.redirectUris(token.interaction) : [];
    return sendPage(reply, page, { status: Object.keys(errors).length === 0 ? 200 : 400, formAction });
  }

  async function take(visit: LinkVisit): Promise<FastifyReply> {
    const { token, field, request, reply } = visit;
    const [name, password] = [field("name").trim(), field("password")];
    try {
      badInputs([
        () => assertName("name", name),
        () => assertPassword(password, { name, email: token.email, operator }),
      ]);
    } catch (error) {
      return show(visit, { name, errors: fieldErrors(error, { name: "Your name" }) });
    }
    const passwordHash = await hashPassword(password);
    const made = await create(token.hash, { name, role, passwordHash });
    if (made === "taken") return sendErrorPage(reply, operator, { ...TAKEN, next: signIn() });
    if (made === null) return links.refuseSpent(visit);
    const facts = { event: "sign-up", userId: made.id, requestId: request.id } as const;
    await audit.record({ ...facts, result: "ok", address: request.ip, detail: "account created" });
    log.info(facts, "account created");
    if (!isAsking(visit)) return redirect(reply, `${mount}/sign-up/done`);
    await (await protocol()).account.begin(request, reply, made);
    const { interaction } = token;
    return redirect(reply, interaction === null ? `${mount}/account` : `${mount}/interaction/${interaction}/continue`);
  }

  /** null where the link was spent meanwhile. */
  async function create(
    hash: string,
    user: Pick<User, "name" | "role" | "passwordHash">,
  ): Promise<User | "taken" | null> {
    try {
      return await store.accountTokens.createPerson(hash, user, Math.floor(now() / 1_000));
    } catch (error) {
      if (error instanceof AppError && error.code === "CONFLICT") return "taken";
      throw error;
    }
  }

  function signIn() {
    return { label: "Sign in", href: `${mount}/account` };
  }
}

/** Whoever reads this has proved the address. */
const TAKEN = {
  status: 409,
  title: "You have an account already",
  message: "An account with this e-mail address was created meanwhile. Nothing was changed.",
};
