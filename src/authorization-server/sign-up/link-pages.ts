import type { FastifyReply, FastifyRequest } from "fastify";
import type { AccountToken } from "../../domain/people/account-token.ts";
import { type MailedLinkOptions, openMailedLinks } from "../account/mailed-links.ts";
import type { BrowserForms } from "../http/browser-forms.ts";
import { mountPath } from "../http/endpoints.ts";
import { readForm, sendErrorPage } from "../http/forms.ts";
import type { LinkState } from "../letters/mailed-secrets.ts";
import type { Html } from "../pages/layout/html.ts";
import { openTimes } from "../pages/times.ts";
import type { Handler, MailedOptions } from "./mailed-services.ts";

/** One request with a link that can still be used. */
export interface LinkVisit {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly token: AccountToken;
  /** The hidden fields of the link's form. */
  readonly ticket: string;
  readonly csrf: string;
  /** When the link expires, as this person writes times. */
  readonly goodUntil: Html;
  readonly field: (name: string) => string;
}

export interface LinkPages {
  /** Shows the page that the link opens. */
  onGet(show: (visit: LinkVisit) => Promise<FastifyReply>): Handler;
  /** Takes the form of that page, in the browser that has it; `act` gets no other. */
  onPost(act: (visit: LinkVisit) => Promise<FastifyReply>): Handler;
  /** The same page for a code that was typed. */
  visit(request: FastifyRequest, reply: FastifyReply, token: AccountToken): LinkVisit;
  refuse(request: FastifyRequest, reply: FastifyReply, link: LinkState): Promise<FastifyReply>;
  refuseSpent(visit: LinkVisit): Promise<FastifyReply>;
}

export interface LinkOptions extends MailedLinkOptions {
  readonly forms: BrowserForms;
}

/** Pages that mailed links of one purpose open for people without a session. A form's ticket is good in the browser that got it (A12). */
export function openLinkPages({ settings, services }: MailedOptions, options: LinkOptions): LinkPages {
  const { purpose, forms } = options;
  const operator = settings.OPERATOR_NAME;
  const links = openMailedLinks(
    { ...services, operator, signInHref: `${mountPath(settings.AUTH_URL)}/account` },
    options,
  );
  const formOf = (ticket: string) => `${purpose} ${ticket}`;

  function visit(request: FastifyRequest, reply: FastifyReply, token: AccountToken): LinkVisit {
    const ticket = links.ticketFor(token);
    return {
      ...{ request, reply, token, ticket, csrf: forms.prove(request, reply, formOf(ticket)) },
      goodUntil: openTimes(request.headers["accept-language"]).element(token.expiresAtSeconds),
      field: readForm(request),
    };
  }

  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    link: LinkState,
    act: (visit: LinkVisit) => Promise<FastifyReply>,
  ): Promise<FastifyReply> {
    return link.state === "good" ? act(visit(request, reply, link.token)) : links.refuse(request, reply, link);
  }

  return {
    visit,
    refuse: links.refuse,
    onGet: (show) => async (request, reply) => answer(request, reply, await links.ofQuery(request), show),
    onPost: (act) => async (request, reply) => {
      const field = readForm(request);
      const ticket = field("ticket");
      if (!forms.verify(request, formOf(ticket), field("csrf"))) return sendErrorPage(reply, operator, STALE);
      return answer(request, reply, await links.ofTicket(ticket), act);
    },
    refuseSpent: ({ request, reply, token }) => links.refuseSpent(request, reply, token),
  };
}

const STALE = {
  title: "This page is out of date",
  message: "Nothing was changed. Open the link in the mail again.",
};
