import type { FastifyReply, FastifyRequest } from "fastify";
import type { AccountToken } from "../../domain/people/account-token.ts";
import type { Signer } from "../../secrets/seal.ts";
import { mountPath } from "../http/endpoints.ts";
import type { FormCookie } from "../http/form-cookie.ts";
import { readForm, sendErrorPage, sendPage } from "../http/forms.ts";
import type { LinkState } from "../letters/mailed-secrets.ts";
import { type BadLink, badLinkPage } from "../pages/bad-link.ts";
import type { Html } from "../pages/layout/html.ts";
import { openTimes } from "../pages/times.ts";
import type { Handler, MailedOptions } from "./mailed-services.ts";

/** One request with a link that can still be used. */
export interface LinkVisit {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly token: AccountToken;
  /** The value of the form's cookie. */
  readonly browser: string;
  /** The hidden fields of the link's form. */
  readonly ticket: string;
  readonly csrf: string;
  /** When the link expires, as this person writes times. */
  readonly goodUntil: Html;
  readonly field: (name: string) => string;
}

export interface MailedLinks {
  /** Shows the page that the link opens. It spends nothing, however often it is called (U02). */
  onGet(show: (visit: LinkVisit) => Promise<FastifyReply>): Handler;
  /** Takes the form of that page, in the browser that has it; `act` gets no other. */
  onPost(act: (visit: LinkVisit) => Promise<FastifyReply>): Handler;
  /** The same page for a code that was typed. */
  visit(request: FastifyRequest, reply: FastifyReply, token: AccountToken): LinkVisit;
  /** Answers a link that is not good. */
  refuse(request: FastifyRequest, reply: FastifyReply, link: LinkState): Promise<FastifyReply>;
  /** The state of a link that could not be spent, answered: somebody else was first. */
  refuseSpent(visit: LinkVisit): Promise<FastifyReply>;
}

export interface LinkOptions {
  readonly purpose: "sign-up" | "invitation" | "recovery";
  readonly forms: Signer;
  readonly cookie: FormCookie;
  /** The form that sends a new link; null where only an administrator does. */
  readonly againHref: string | null;
  /** Whether nothing has made the link void meanwhile. */
  readonly isStillGood: (token: AccountToken) => Promise<boolean>;
  readonly whyVoid: (token: AccountToken) => Promise<"other" | "withdrawn" | "changed">;
}

/**
 * Pages that mailed links of one purpose open. The address of the link stands in none of them: their forms carry a sealed ticket, which
 * is good in the browser that got the page (U15, A12).
 */
export function openMailedLinks(
  { settings, services: { secrets, sealer, audit } }: MailedOptions,
  { purpose, forms, cookie, againHref, isStillGood, whyVoid }: LinkOptions,
): MailedLinks {
  const operator = settings.OPERATOR_NAME;
  const context = `ticket of a link, ${purpose}`;
  const signInHref = `${mountPath(settings.AUTH_URL)}/account`;
  const proofFor = (browser: string, ticket: string) => `${purpose} ${browser} ${ticket}`;

  async function withState(
    request: FastifyRequest,
    reply: FastifyReply,
    link: LinkState,
    act: (token: AccountToken) => Promise<FastifyReply>,
  ): Promise<FastifyReply> {
    if (link.state !== "good") return refuse(request, reply, link);
    const isGood = await isStillGood(link.token);
    return isGood ? act(link.token) : refuse(request, reply, { state: "void", token: link.token });
  }

  function visit(request: FastifyRequest, reply: FastifyReply, token: AccountToken): LinkVisit {
    const browser = cookie.ensure(request, reply);
    const ticket = sealer.seal(token.hash, context);
    return {
      ...{ request, reply, token, browser, ticket, csrf: forms.sign(proofFor(browser, ticket)) },
      goodUntil: openTimes(request.headers["accept-language"]).element(token.expiresAtSeconds),
      field: readForm(request),
    };
  }

  async function refuse(request: FastifyRequest, reply: FastifyReply, link: LinkState): Promise<FastifyReply> {
    const bad = await describe(link, request);
    audit.note({
      ...{ event: purpose, result: "refused", userId: link.token?.userId ?? null, address: request.ip },
      ...{ requestId: request.id, detail: `link: ${bad.why}` },
    } as const);
    const page = badLinkPage({ ...bad, operator, againHref, signInHref });
    return sendPage(reply, page, { status: bad.why === "unknown" ? 404 : 410 });
  }

  async function describe(link: LinkState, request: FastifyRequest): Promise<BadLink> {
    const { element } = openTimes(request.headers["accept-language"]);
    switch (link.state) {
      case "expired":
        return { why: "expired", at: element(link.token.expiresAtSeconds) };
      case "used":
        return { why: "used", at: element(link.token.usedAtSeconds ?? 0) };
      case "void": {
        const { token } = link;
        const why = await whyVoid(token);
        return why === "other" ? { why, at: element(token.voidedAtSeconds ?? token.createdAtSeconds) } : { why };
      }
      default:
        return { why: "unknown" };
    }
  }

  return {
    visit,
    refuse,
    onGet: (show) => async (request, reply) => {
      const { token: secret } = request.query as { token?: unknown };
      const link = await secrets.read(typeof secret === "string" ? secret : "", [purpose]);
      return withState(request, reply, link, (token) => show(visit(request, reply, token)));
    },
    onPost: (act) => async (request, reply) => {
      const field = readForm(request);
      const [browser, ticket] = [cookie.read(request), field("ticket")];
      const hash = sealer.open(ticket, context);
      if (browser === null || hash === null || !forms.verify(proofFor(browser, ticket), field("csrf")))
        return sendErrorPage(reply, operator, STALE);
      const link = await secrets.readHash(hash, [purpose]);
      return withState(request, reply, link, (token) => act(visit(request, reply, token)));
    },
    refuseSpent: async ({ request, reply, token }) => {
      const link = await secrets.readHash(token.hash, [purpose]);
      return refuse(request, reply, link.state === "good" ? { state: "void", token } : link);
    },
  };
}

const STALE = {
  title: "This page is out of date",
  message: "Nothing was changed. Open the link in the mail again.",
};
