import type { FastifyReply } from "fastify";
import { sendPage } from "../http/forms.ts";
import { openHostCookie } from "../http/host-cookies.ts";
import { leavePage } from "../pages/upstream.ts";
import type { RelyingParty } from "../upstreams/relying-party.ts";
import { TRANSACTION_SECONDS } from "../upstreams/transaction.ts";
import type { Bound, Upstream } from "../upstreams/upstream.ts";

export interface LeaveOptions {
  readonly issuer: string;
  readonly operator: string;
  readonly upstreams: { readonly party: RelyingParty };
}

/** Sends the browser to the service. @throws UpstreamDown */
export async function leaveFor(
  { issuer, operator, upstreams }: LeaveOptions,
  reply: FastifyReply,
  upstream: Upstream,
  bound: Bound,
): Promise<FastifyReply> {
  const { url, cookie } = await upstreams.party.begin(upstream, bound);
  openHostCookie(issuer, "upstream").write(reply, cookie, TRANSACTION_SECONDS);
  // No redirect: Chromium would hold each that follows, also those among hosts of the service, against `form-action`.
  reply.header("refresh", `0;url=${url}`);
  return sendPage(reply, leavePage({ operator, upstreamName: upstream.name, href: url }));
}
