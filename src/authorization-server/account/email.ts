import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../domain/errors.ts";
import type { AccountToken } from "../../domain/people/account-token.ts";
import { assertEmail, emailKey } from "../../domain/people/email.ts";
import type { User } from "../../domain/people/user.ts";
import type { Store } from "../../domain/store/store.ts";
import type { Sealer, Signer } from "../../secrets/seal.ts";
import { hashToken } from "../../secrets/token-hash.ts";
import type { Audit } from "../engine/audit.ts";
import { mountPath } from "../http/endpoints.ts";
import { fieldErrors, redirect, sendErrorPage, sendPage } from "../http/forms.ts";
import type { LetterSettings } from "../letters/letter-settings.ts";
import { LIFETIMES, type MailedSecrets } from "../letters/mailed-secrets.ts";
import type { Outgoing } from "../letters/outgoing.ts";
import { nameBrowser } from "../pages/browser-name.ts";
import { emailFinishPage, emailPage, emailSentPage } from "../pages/email.ts";
import type { KnownBrowsers } from "../sign-in/known-browsers.ts";
import type { Upstreams } from "../upstreams/upstreams.ts";
import type { Carried } from "./carried.ts";
import { openMailedLinks } from "./mailed-links.ts";
import { type CodeRefusal, openTypedCodes } from "./typed-codes.ts";
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
  readonly upstreams: Pick<Upstreams, "policy">;
  readonly sealer: Sealer;
  readonly audit: Audit;
  /** The mails of a server for developers; null anywhere else. */
  readonly mailbox: object | null;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

/** Seconds for which a link waits for the sign-in. */
const LINK_SECONDS = 600;

/**
 * The change of the address by its person (U25): the present one stays in force until the new one is confirmed by somebody who reads its
 * mail and is signed in as this person. The former address then gets the way back.
 */
export function openEmailChange(
  options: EmailChangeOptions,
  { root, leave, tell }: Pick<Visits, "root" | "leave" | "tell">,
  signIn: Handler,
) {
  const { issuer, operator, settings, forms, store, outgoing, known, carried, mailbox, now } = options;
  const { policy } = options.upstreams;
  const links = openMailedLinks(
    { ...options, signInHref: root },
    { purpose: "email-change", againHref: `${root}/email` },
  );
  const judgeCode = openTypedCodes(options, "email-change");
  const browserOf = ({ session }: Visit) => hashToken(`e-mail change ${session.uid}`);
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
    const elsewhere = crossing(user.email, email);
    if (elsewhere !== null) return show(visit, email, { email: elsewhere });
    return mail(visit, email);
  }

  /** Nobody comes into a domain that signs in at another service, nor out of it, by a mail of ours (U65). null where that is not so. */
  function crossing(present: string, email: string): string | null {
    const [from, to] = [present, email].map((address) => policy.enforcedFor(address));
    if (from?.id === to?.id) return null;
    return policy.refusalFor(email, null) ?? policy.refusalFor(present, null);
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
    const ownBudget = isOwn ? known.budgetOf(request, user) : null;
    if (await outgoing.limits.mayMail(email, ownBudget)) {
      const browser = nameBrowser(request.headers["user-agent"]);
      const params = { version: String(user.credentialVersion), browserHash: browserOf(visit), browser };
      await outgoing.toPerson("email-change", user, email, params);
      if (!isOwn) await outgoing.notice("email-change-asked", user, { browser });
    }
    await tell(visit, "email", isOwn ? "asked to prove the address" : "asked for another address");
    carried.put(reply, "sent", email, LIFETIMES["email-change"]);
    return redirect(reply, `${root}/email/sent`);
  }

  function showSent(visit: Visit, refused?: CodeRefusal): FastifyReply {
    const { request, reply } = visit;
    const email = carried.read(request, "sent");
    if (email === null) return redirect(reply, `${root}/email`);
    const page = emailSentPage({
      ...common(visit),
      action: `${root}/email/code`,
      email,
      mailboxHref: mailbox === null ? null : `${mountPath(issuer)}/mailbox`,
      errors: refused === undefined ? {} : { code: refused.message },
    });
    return sendPage(reply.headers(refused?.headers ?? {}), page, { status: refused?.status ?? 200 });
  }

  async function enterCode(visit: Visit): Promise<FastifyReply> {
    const { request, reply, field } = visit;
    const email = carried.read(request, "sent");
    if (email === null) return redirect(reply, `${root}/email`);
    const link = await judgeCode(field("code"), email, browserOf(visit));
    if (link.state === "refused") return showSent(visit, link);
    return link.state === "good" ? use(visit, link.token) : links.refuse(request, reply, link);
  }

  /** The page behind the link, for a person who is signed in. */
  async function showLink(visit: Visit): Promise<FastifyReply> {
    const { request, reply, user } = visit;
    const link = hasLink(request)
      ? await links.ofQuery(request)
      : await links.ofTicket(carried.read(request, "link") ?? "");
    if (link.state !== "good") return links.refuse(request, reply, link);
    const { token } = link;
    if (token.userId !== user.id) return sendErrorPage(reply, operator, FOREIGN);
    const about = { ticket: links.ticketFor(token), email: token.email, present: user.email };
    return sendPage(reply, emailFinishPage({ ...common(visit), ...about, action: `${root}/email/finish` }));
  }

  /** The page behind the link, for anybody else: a sign-in comes first, and leads back here. */
  async function openLink(...[request, reply]: Parameters<Handler>): Promise<FastifyReply> {
    if (hasLink(request)) {
      const link = await links.ofQuery(request);
      if (link.state !== "good") return links.refuse(request, reply, link);
      carried.put(reply, "link", links.ticketFor(link.token), LINK_SECONDS);
    }
    return signIn(request, reply);
  }

  async function finish(visit: Visit): Promise<FastifyReply> {
    const { request, reply, user, field } = visit;
    const link = await links.ofTicket(field("ticket"));
    if (link.state !== "good") return links.refuse(request, reply, link);
    if (link.token.userId !== user.id) return sendErrorPage(reply, operator, FOREIGN);
    return use(visit, link.token);
  }

  async function use(visit: Visit, token: AccountToken): Promise<FastifyReply> {
    const { request, reply, user } = visit;
    const elsewhere = crossing(user.email, token.email);
    if (elsewhere !== null)
      return sendErrorPage(reply, operator, {
        ...ADDRESS_TAKEN,
        status: 403,
        message: `${elsewhere} Nothing was changed.`,
      });
    let changed: User | null;
    try {
      changed = await store.accountTokens.changeEmail(token.hash, user.id, Math.floor(now() / 1_000));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "CONFLICT") throw error;
      const next = { label: "Choose another address", href: `${root}/email` };
      return sendErrorPage(reply, operator, { ...ADDRESS_TAKEN, next });
    }
    if (changed === null) return links.refuseSpent(request, reply, token);
    const isOther = emailKey(changed.email) !== emailKey(user.email);
    await tell(visit, "email", isOther ? "changed" : "proved");
    await store.accountStates.note(user.id, { mailState: "ok" });
    if (isOther) {
      const browser = nameBrowser(request.headers["user-agent"]);
      // An address that was never proved may be a stranger's, who must get no way into the account.
      if (user.emailVerified) await outgoing.toPerson("email-changed", user, user.email, { to: "former", browser });
      await outgoing.notice("email-changed", changed, { browser });
    }
    carried.clear(reply);
    return leave(visit, isOther ? "email" : "proved");
  }
}

function hasLink({ query }: FastifyRequest): boolean {
  return Object.hasOwn(query as object, "token");
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

/** The new address belongs to somebody else by now. */
export const ADDRESS_TAKEN = {
  status: 409,
  title: "This address cannot be used",
  message: "Nothing was changed.",
};

const FOREIGN = {
  status: 403,
  title: "This link belongs to another account",
  message:
    "You are signed in as somebody else. Sign out, then open the link in the mail again and sign in to the account that asked for it. Nothing was changed.",
};
