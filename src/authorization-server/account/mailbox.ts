import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { KeptLetter, Mailbox } from "../../mail/mailbox.ts";
import { mountPath } from "../http/endpoints.ts";
import { sendPage } from "../http/forms.ts";
import { letterPage, mailboxPage } from "../pages/mailbox.ts";
import { openTimes } from "../pages/times.ts";

export interface MailboxRouteOptions {
  readonly issuer: string;
  readonly operator: string;
  /** null where mail is really sent, or nobody develops: then there are no such pages. */
  readonly mailbox: Mailbox | null;
}

type LetterRequest = FastifyRequest<{ Params: { number: string } }>;

/**
 * The mails of a server for developers (U51). Their links sign people in, so the pages exist for this computer alone (P55): for requests
 * that no proxy has passed on, and that name the host of AUTH_URL, which a page of another host that resolves to this one does not.
 */
export function mailboxRoutes({ issuer, operator, mailbox }: MailboxRouteOptions): FastifyPluginAsync {
  const root = `${mountPath(issuer)}/mailbox`;
  const { host, origin } = new URL(issuer);

  return async (server) => {
    if (mailbox === null) return;

    server.get(root, async (request, reply) => {
      if (!isDeveloper(request, host)) return reply.callNotFound();
      const times = openTimes(request.headers["accept-language"]);
      return sendPage(reply, mailboxPage({ operator, root, letters: mailbox.list(), times }));
    });
    server.get(
      `${root}/:number`,
      withLetter((letter, request, reply) => {
        const times = openTimes(request.headers["accept-language"]);
        return sendPage(reply, letterPage({ operator, root, letter, origin, times }));
      }),
    );
    server.get(
      `${root}/:number/html`,
      withLetter((letter, _request, reply) => reply.headers(LETTER_HEADERS).send(letter.html)),
    );
  };

  function withLetter(show: (letter: KeptLetter, request: LetterRequest, reply: FastifyReply) => FastifyReply) {
    return async (request: LetterRequest, reply: FastifyReply) => {
      const { number } = request.params;
      const letter = /^\d{1,9}$/.test(number) && isDeveloper(request, host) ? mailbox?.find(Number(number)) : null;
      return letter == null ? reply.callNotFound() : show(letter, request, reply);
    };
  }
}

function isDeveloper({ headers, raw }: FastifyRequest, host: string): boolean {
  const isPassedOn = ["x-forwarded-for", "x-forwarded-host", "forwarded", "via"].some(
    (name) => headers[name] !== undefined,
  );
  return (
    !isPassedOn && headers.host === host && /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/.test(raw.socket.remoteAddress ?? "")
  );
}

/** A letter has its styles in its tags, and is nothing but text and links. */
const LETTER_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'; sandbox",
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};
