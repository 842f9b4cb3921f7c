import type { FastifyReply } from "fastify";
import { AppError } from "../../domain/errors.ts";
import type { AccountToken } from "../../domain/people/account-token.ts";
import type { FirstPasskey } from "../../domain/people/passkey.ts";
import type { User } from "../../domain/people/user.ts";
import { assertName } from "../../domain/text.ts";
import { mountPath } from "../http/endpoints.ts";
import { fieldErrors, redirect, sendErrorPage, sendPage } from "../http/forms.ts";
import type { NewAccountModel } from "../pages/new-account-form.ts";
import { judgeNewAccount } from "../sign-in/new-account.ts";
import { PASSWORD_PROOF, passkeyProof } from "../sign-in/proof.ts";
import { type LinkOptions, type LinkVisit, openLinkPages } from "./link-pages.ts";
import type { MailedOptions } from "./mailed-services.ts";

export interface FinishOptions extends LinkOptions {
  readonly purpose: "sign-up" | "invitation";
  /** The path of the form. */
  readonly path: string;
  readonly page: (model: NewAccountModel, token: AccountToken) => Promise<string> | string;
  /** Whether this browser is signed in by it: not where somebody else may have asked for the link (P04). */
  readonly signsIn: (visit: LinkVisit) => boolean;
}

/** The form that a link to a new account opens, and the account that it makes (U14, U18). */
export function openFinish(options: MailedOptions, about: FinishOptions) {
  const { settings, services, protocol } = options;
  const { OPERATOR_NAME: operator, AUTH_URL: issuer, SIGN_UP_ROLE: role } = settings;
  const { store, passwords, passkeys, secondStep, upstreams, audit, log, now } = services;
  const mount = mountPath(issuer);
  const links = openLinkPages(options, about);

  return { links, finish: { show: (visit: LinkVisit) => show(visit), take } };

  async function show(
    visit: LinkVisit,
    { name = "", errors = {} }: { name?: string; errors?: Record<string, string> } = {},
  ): Promise<FastifyReply> {
    const { token, ticket, csrf, goodUntil, reply } = visit;
    const { email } = token;
    const elsewhere = upstreams.policy.refusalFor(email, null);
    if (elsewhere !== null) return sendErrorPage(reply, operator, { ...ELSEWHERE, message: elsewhere, next: signIn() });
    // A link that was handed over proves no address, and the account may be somebody else's yet (P34).
    const passkey = token.provesEmail ? (passkeys?.offer(csrf, { name, email }, []) ?? null) : null;
    const model = { operator, action: about.path, csrf, ticket, email, goodUntil, name, errors, passkey };
    const page = await about.page(model, token);
    // The form may lead on to the client that asked for the sign-in.
    const goesOn = token.interaction !== null && about.signsIn(visit);
    const formAction = goesOn ? await (await protocol()).past.redirectUris(token.interaction) : [];
    return sendPage(reply, page, {
      status: Object.keys(errors).length === 0 ? 200 : 400,
      formAction,
      script: passkey?.script ?? null,
    });
  }

  async function take(visit: LinkVisit): Promise<FastifyReply> {
    const { token, field, request, reply } = visit;
    if (upstreams.policy.refusalFor(token.email, null) !== null) return show(visit);
    const name = field("name").trim();
    const owner = { name, email: token.email };
    const credentials = await readCredentials(visit, owner);
    if ("errors" in credentials) return show(visit, { name, errors: credentials.errors });
    const { passwordHash, passkey } = credentials;
    const made = await create(token.hash, { name, role, passwordHash }, passkey);
    if (made === "taken") return sendErrorPage(reply, operator, { ...TAKEN, next: signIn() });
    if (made === "passkey taken") return show(visit, { name, errors: { form: PASSKEY_REFUSED } });
    if (made === null) return links.refuseSpent(visit);
    const facts = { event: about.purpose, userId: made.id, requestId: request.id } as const;
    await audit.record({ ...facts, result: "ok", address: request.ip, detail: "account created" });
    log.info(facts, "account created");
    if (!about.signsIn(visit)) return redirect(reply, `${mount}/sign-up/done`);
    const { interaction } = token;
    const next = interaction === null ? `${mount}/account` : `${mount}/interaction/${interaction}/continue`;
    // A person who must have a second step sets it up at the sign-in, which nothing goes around (U46).
    if (passkey === null && secondStep.isNeeded(made)) return redirect(reply, next);
    const { account } = await protocol();
    const proof = passkey === null ? PASSWORD_PROOF : passkeyProof(passkey);
    await account.begin(request, reply, { user: made, proof });
    // Perhaps another service brought the person here (U64).
    return redirect(reply, account.linkQuestion(request, reply, made, interaction) ?? next);
  }

  /** A password, or a passkey if the browser has made one. */
  async function readCredentials(
    { token, field, request }: LinkVisit,
    owner: { readonly name: string; readonly email: string },
  ): Promise<Credentials | { readonly errors: Record<string, string> }> {
    const assertRest = () => assertName("name", owner.name);
    try {
      if (passkeys === null || !token.provesEmail || field("answer") === "")
        return { passwordHash: await judgeNewAccount(passwords, field("password"), owner, assertRest), passkey: null };
      assertRest();
    } catch (error) {
      return { errors: fieldErrors(error, { name: "Your name" }) };
    }
    const passkey = await passkeys.accept({ form: field("csrf"), field, request });
    return passkey === null ? { errors: { form: PASSKEY_REFUSED } } : { passwordHash: null, passkey };
  }

  /** null where the link was spent meanwhile. */
  async function create(
    hash: string,
    user: Pick<User, "name" | "role" | "passwordHash">,
    passkey: FirstPasskey | null,
  ): Promise<User | "taken" | "passkey taken" | null> {
    try {
      return await store.accountTokens.createPerson(hash, user, Math.floor(now() / 1_000), passkey);
    } catch (error) {
      if (error instanceof AppError && error.code === "CONFLICT")
        return "field" in error.details && error.details.field === "email" ? "taken" : "passkey taken";
      throw error;
    }
  }

  function signIn() {
    return { label: "Sign in", href: `${mount}/account` };
  }
}

/** Password or passkey with which the person enters the new account. */
type Credentials =
  | { readonly passwordHash: string; readonly passkey: null }
  | { readonly passwordHash: null; readonly passkey: FirstPasskey };

const PASSKEY_REFUSED = "The passkey could not be used, and nothing was saved yet. Please try once more.";

/** By the domain of the address alone (U65). */
const ELSEWHERE = { status: 403, title: "You sign in with another service" };

/** The reader has proved the address, so this may tell of the account. */
const TAKEN = {
  status: 409,
  title: "You have an account already",
  message: "An account with this e-mail address was created meanwhile. Nothing was changed.",
};
