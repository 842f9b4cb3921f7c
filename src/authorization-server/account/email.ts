import type { FastifyReply } from "fastify";
import { AppError } from "../../domain/errors.ts";
import type { AccountToken } from "../../domain/people/account-token.ts";
import { assertEmail, emailKey } from "../../domain/people/email.ts";
import type { User } from "../../domain/people/user.ts";
import type { Store } from "../../domain/store/store.ts";
import type { Signer } from "../../secrets/seal.ts";
import { hashToken } from "../../secrets/token-hash.ts";
import { mountPath } from "../http/endpoints.ts";
import { fieldErrors, redirect, sendErrorPage, sendPage } from "../http/forms.ts";
import type { LetterSettings } from "../letters/letter-settings.ts";
import { LIFETIMES, type MailedSecrets } from "../letters/mailed-secrets.ts";
import type { Outgoing } from "../letters/outgoing.ts";
import { nameBrowser } from "../pages/browser-name.ts";
import { emailFinishPage, emailPage, emailSentPage } from "../pages/email.ts";
import type { KnownBrowsers } from "../sign-in/known-browsers.ts";
import type { Carried } from "./carried.ts";
import { type BadState, sendBadLink, UNUSABLE } from "./email-link.ts";
import type { Handler, Visit, Visits } from "./visit.ts";

export interface EmailChangeOptions {
  readonly issuer: string;
  readonly operator: string;
  readonly settings: LetterSettings;
  readonly forms: Signer;
  readonly store: Pick<Store, "accountStates" | "accountTokens" | "attempts">;
  readonly outgoing: Outgoing;
  readonly secrets: MailedSecrets;
  readonly known: KnownBrowsers;
  readonly carried: Carried;
  /** The mails of a server for developers; null anywhere else. */
  readonly mailbox: object | null;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

/** Codes that may be typed for one mail (P11). */
const MOST_TRIES = 5;
/** Seconds for which a link waits for the sign-in. */
const LINK_SECONDS = 600;

/**
 * The change of the address by its person (U25): the present one stays in force until the new one is confirmed by somebody who reads its
 * mail and is signed in as this person. The former address then gets the way back.
 */
export function openEmailChange(
  { issuer, operator, settings, forms, store, outgoing, secrets, known, carried, mailbox, now }: EmailChangeOptions,
  { root, leave, tell, contextOf }: Pick<Visits, "root" | "leave" | "tell" | "contextOf">,
  signIn: Handler,
) {
  const browserOf = ({ session }: Visit) => hashToken(`e-mail change ${session.uid}`);
  const triesOf = (visit: Visit) => `codes for ${browserOf(visit)}`;
  const common = ({ session }: Visit) => ({ operator, back: root, csrf: forms.sign(session.uid) });

  return { show: (visit: Visit) => show(visit), ask, prove, showSent, enterCode, showLink, openLink, finish };

  function show(visit: Visit, typed = "", errors: { email?: string } = {}): FastifyReply {
    if (!outgoing.isOn) return sendErrorPage(visit.reply, operator, noMail(settings.SUPPORT_CONTACT, root));
    const about = { ...common(visit), action: `${root}/email`, present: visit.user.email, email: typed, errors };
    return sendPage(visit.reply, emailPage(about), { status: errors.email === undefined ? 200 : 400 });
  }

  async function ask(visit: Visit): Promise<FastifyReply> {
    const email = visit.field("email").trim();
    try {
      assertEmail("email", email);
    } catch (error) {
      return show(visit, email, fieldErrors(error, { email: "The e-mail address" }));
    }
    const { user } = visit;
    if (email === user.email && user.emailVerified)
      return show(visit, email, { email: "This is your address already." });
    return mail(visit, email);
  }

  /** For a person whose present address is not proved yet (U27). */
  async function prove(visit: Visit): Promise<FastifyReply> {
    return visit.user.emailVerified ? redirect(visit.reply, root) : mail(visit, visit.user.email);
  }

  /** Does not look at who has the address: that is decided when the mail is sent (R14). */
  async function mail(visit: Visit, email: string): Promise<FastifyReply> {
    if (!outgoing.isOn) return show(visit);
    const { request, reply, user } = visit;
    const wait = await outgoing.limits.ofNetwork(request.ip);
    if (wait > 0) {
      reply.header("retry-after", String(wait));
      return sendErrorPage(reply, operator, { ...TOO_MANY, next: { label: "Back to your account", href: root } });
    }
    const isOwn = emailKey(email) === emailKey(user.email);
    const { cookies } = contextOf(request, reply);
    const ownBudget = isOwn ? known.budgetOf(cookies.get(known.cookieName), user) : null;
    if (await outgoing.limits.mayMail(email, ownBudget)) {
      await store.attempts.clear(triesOf(visit));
      const browser = nameBrowser(request.headers["user-agent"] ?? "");
      const params = { version: String(user.credentialVersion), browserHash: browserOf(visit), browser };
      await outgoing.toPerson("email-change", user, email, params);
      if (!isOwn) await outgoing.notice("email-change-asked", user, { browser });
    }
    await tell(visit, "email", isOwn ? "asked to prove the address" : "asked for another address");
    carried.put(request, reply, "sent", email, LIFETIMES["email-change"]);
    return redirect(reply, `${root}/email/sent`);
  }

  function showSent(visit: Visit, error?: string): FastifyReply {
    const { request, reply } = visit;
    const email = carried.read(request, reply, "sent");
    if (email === null) return redirect(reply, `${root}/email`);
    const page = emailSentPage({
      ...common(visit),
      action: `${root}/email/code`,
      email,
      mailbox: mailbox === null ? null : `${mountPath(issuer)}/mailbox`,
      errors: error === undefined ? {} : { code: error },
    });
    return sendPage(reply, page, { status: error === undefined ? 200 : 400 });
  }

  async function enterCode(visit: Visit): Promise<FastifyReply> {
    const { request, reply, field } = visit;
    const email = carried.read(request, reply, "sent");
    if (email === null) return redirect(reply, `${root}/email`);
    const typed = field("code");
    if (typed.trim() === "") return showSent(visit, "Enter the code from the mail.");
    const tries = await store.attempts.add(triesOf(visit), LIFETIMES["email-change"], nowSeconds());
    if (tries > MOST_TRIES)
      return showSent(visit, "There were too many wrong codes. Open the link in the mail instead.");
    const found = await secrets.readCode(typed, "email-change", email, browserOf(visit));
    if (found.state === "unknown") return showSent(visit, wrongCode(MOST_TRIES - tries));
    return found.state === "good" ? use(visit, found.token) : badLink(visit, found);
  }

  /** The page behind the link, for a person who is signed in. */
  async function showLink(visit: Visit): Promise<FastifyReply> {
    const { request, reply } = visit;
    const typed = tokenOf(visit) ?? carried.read(request, reply, "link") ?? "";
    const found = await secrets.read(typed, ["email-change"]);
    if (found.state !== "good") return badLink(visit, found);
    if (found.token.userId !== visit.user.id) return sendErrorPage(reply, operator, FOREIGN);
    const about = { token: typed, email: found.token.email, present: visit.user.email };
    return sendPage(reply, emailFinishPage({ ...common(visit), ...about, action: `${root}/email/finish` }));
  }

  /** The page behind the link, for anybody else: a sign-in comes first, and leads back here. */
  async function openLink(...[request, reply]: Parameters<Handler>): Promise<FastifyReply> {
    const typed = tokenOf({ request });
    if (typed !== null) {
      const found = await secrets.read(typed, ["email-change"]);
      if (found.state !== "good") return badLink({ request, reply }, found);
      carried.put(request, reply, "link", typed, LINK_SECONDS);
    }
    return signIn(request, reply);
  }

  async function finish(visit: Visit): Promise<FastifyReply> {
    const found = await secrets.read(visit.field("token"), ["email-change"]);
    if (found.state !== "good") return badLink(visit, found);
    if (found.token.userId !== visit.user.id) return sendErrorPage(visit.reply, operator, FOREIGN);
    return use(visit, found.token);
  }

  async function use(visit: Visit, token: AccountToken): Promise<FastifyReply> {
    const { request, reply, user } = visit;
    let changed: User | null;
    try {
      changed = await store.accountTokens.changeEmail(token.hash, user.id, nowSeconds());
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "CONFLICT") throw error;
      const next = { label: "Choose another address", href: `${root}/email` };
      return sendErrorPage(reply, operator, { ...UNUSABLE, next });
    }
    if (changed === null) return badLink(visit, { state: "void", token });
    const isOther = emailKey(changed.email) !== emailKey(user.email);
    await tell(visit, "email", isOther ? "changed" : "proved");
    await store.accountStates.note(user.id, { mailState: "ok" });
    if (isOther) {
      const browser = nameBrowser(request.headers["user-agent"] ?? "");
      // Whoever reads an address that was never proved may be a stranger, and gets no way into the account.
      if (user.emailVerified) await outgoing.toPerson("email-changed", user, user.email, { to: "former", browser });
      await outgoing.notice("email-changed", changed, { browser });
    }
    carried.clear(request, reply);
    return leave(visit, isOther ? "email" : "proved");
  }

  function badLink({ request, reply }: Pick<Visit, "request" | "reply">, found: BadState): FastifyReply {
    return sendBadLink(request, reply, found, { operator, againHref: `${root}/email`, signInHref: root });
  }

  function nowSeconds(): number {
    return Math.floor(now() / 1_000);
  }
}

function tokenOf({ request }: Pick<Visit, "request">): string | null {
  const { token } = request.query as { token?: unknown };
  return typeof token === "string" ? token : null;
}

function wrongCode(left: number): string {
  if (left === 0) return "This code is not right. Open the link in the mail instead.";
  return `This code is not right. ${left === 1 ? "One try is" : `${left} tries are`} left.`;
}

function noMail(contact: string | null, href: string) {
  const whom = contact ?? "the people who run it";
  return {
    status: 404,
    title: "This server sends no mail",
    message: `So you cannot change your address yourself. Ask ${whom}.`,
    next: { label: "Back to your account", href },
  };
}

const TOO_MANY = {
  status: 429,
  title: "Too many mails",
  message: "Many mails were asked for from your network. Wait an hour, then try again. Nothing was changed.",
};

const FOREIGN = {
  status: 403,
  title: "This link belongs to another account",
  message:
    "You are signed in as somebody else. Sign out, then open the link in the mail again and sign in to the account that asked for it. Nothing was changed.",
};
