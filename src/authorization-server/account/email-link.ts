import type { FastifyReply, FastifyRequest } from "fastify";
import { sendErrorPage } from "../http/forms.ts";
import type { LinkState } from "../letters/mailed-secrets.ts";
import { openTimes } from "../pages/times.ts";

/** The address of a link belongs to somebody else by now. */
export const UNUSABLE = {
  status: 409,
  title: "This address cannot be used",
  message: "Nothing was changed.",
};

/** Says why a link about an address is good for nothing (U15). @param next where to get a new one */
export function sendBadLink(
  request: FastifyRequest,
  reply: FastifyReply,
  operator: string,
  found: Exclude<LinkState, { state: "good" }>,
  next: { label: string; href: string } | null,
): FastifyReply {
  if (found.state === "unknown")
    return sendErrorPage(reply, operator, {
      status: 404,
      title: "This link is not complete",
      message: "Copy the whole address from the mail.",
    });
  const { expiresAtSeconds, usedAtSeconds } = found.token;
  const on = (seconds: number) => openTimes(request.headers["accept-language"]).text(seconds);
  if (found.state === "used")
    return sendErrorPage(reply, operator, {
      status: 410,
      title: "This link was used",
      message: `It works once, and was used on ${on(usedAtSeconds ?? 0)}. Nothing was changed now.`,
    });
  const why =
    found.state === "expired"
      ? { title: "This link ran out", message: `It was good until ${on(expiresAtSeconds)}. Nothing was changed.` }
      : {
          title: "This link is not good any more",
          message: "The account has changed since the mail was sent. Nothing was changed now.",
        };
  return sendErrorPage(reply, operator, { status: 410, ...why, next });
}
