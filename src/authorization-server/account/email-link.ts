import type { FastifyReply, FastifyRequest } from "fastify";
import { sendPage } from "../http/forms.ts";
import type { LinkState } from "../letters/mailed-secrets.ts";
import { type BadLink, badLinkPage } from "../pages/bad-link.ts";
import { openTimes, type Times } from "../pages/times.ts";

/** The address of a link belongs to somebody else by now. */
export const UNUSABLE = {
  status: 409,
  title: "This address cannot be used",
  message: "Nothing was changed.",
};

export type BadState = Exclude<LinkState, { state: "good" }>;

/** Says why a link about an address is good for nothing (U15). */
export function sendBadLink(
  request: FastifyRequest,
  reply: FastifyReply,
  found: BadState,
  about: { readonly operator: string; readonly againHref: string | null; readonly signInHref: string },
): FastifyReply {
  const times = openTimes(request.headers["accept-language"]);
  return sendPage(reply, badLinkPage({ ...about, ...reasonOf(found, times) }), {
    status: found.state === "unknown" ? 404 : 410,
  });
}

function reasonOf(found: BadState, times: Times): BadLink {
  switch (found.state) {
    case "unknown":
      return { why: "unknown" };
    case "expired":
      return { why: "expired", at: times.element(found.token.expiresAtSeconds) };
    case "used":
      return { why: "used", at: times.element(found.token.usedAtSeconds ?? 0) };
    case "void":
      return { why: "changed" };
  }
}
