import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../domain/errors.ts";
import type { Store } from "../../domain/store/store.ts";
import { describeFault } from "../../observe/describe-fault.ts";
import type { Log } from "../../observe/log.ts";
import { hashToken } from "../../secrets/token-hash.ts";
import type { Audit } from "../engine/audit.ts";
import { mountPath } from "../http/endpoints.ts";
import { parseForm, redirect, sendErrorPage } from "../http/forms.ts";
import { openHostCookie } from "../http/host-cookies.ts";
import { UPSTREAM_SESSION } from "../sign-in/upstream-steps.ts";
import { type Arrival, hashSid } from "../upstreams/arrivals.ts";
import { UpstreamDown, UpstreamRefusal } from "../upstreams/refusal.ts";
import type { Bound, Identity, Upstream } from "../upstreams/upstream.ts";
import type { Upstreams } from "../upstreams/upstreams.ts";
import type { Access } from "./access.ts";
import type { AccountSignIn } from "./sign-in.ts";
import type { Handler, Visit, Visits } from "./visit.ts";

export interface UpstreamReturnsOptions {
  readonly issuer: string;
  readonly operator: string;
  readonly store: Pick<Store, "artifacts" | "upstreamIdentities">;
  readonly upstreams: Upstreams;
  readonly access: Access;
  readonly audit: Audit;
  readonly log: Log;
  readonly signIn: AccountSignIn;
  /** Acts of a signed-in person that went by another service. */
  readonly acts: {
    link(visit: Visit, upstream: Upstream, identity: Arrival): Promise<FastifyReply>;
    stepUp(
      visit: Visit,
      upstream: Upstream,
      identity: Arrival,
      bound: Extract<Bound, { for: "step-up" }>,
    ): Promise<FastifyReply>;
  };
}

/** Routes that other services call: for browsers that come back from there, and for news of sign-outs. */
export function openUpstreamReturns(
  { issuer, operator, store, upstreams, access, audit, log, signIn, acts }: UpstreamReturnsOptions,
  { root, signedIn }: Pick<Visits, "root" | "signedIn">,
): { readonly callback: Handler; readonly signOut: Handler } {
  const { party, policy, arrivals, logoutTokens } = upstreams;
  const cookie = openHostCookie(issuer, "upstream");

  return {
    callback: signedIn(
      (visit) => back(visit.request, visit.reply, visit),
      (request, reply) => back(request, reply, null),
    ),
    signOut,
  };

  function named(request: FastifyRequest): Upstream | null {
    return upstreams.find((request.params as { id: string }).id);
  }

  async function back(request: FastifyRequest, reply: FastifyReply, visit: Visit | null): Promise<FastifyReply> {
    const upstream = named(request);
    if (upstream === null) return sendErrorPage(reply, operator, { ...UNKNOWN, next: home() });
    const transaction = cookie.read(request);
    const person = visit === null ? null : { userId: visit.user.id, session: hashToken(visit.session.uid) };
    const visitor = { browser: signIn.browserOf(request), person };
    const [, query = ""] = request.url.split("?", 2);
    cookie.clear(reply);
    try {
      const { identity, bound } = await party.finish(upstream, {
        ...{ parameters: new URLSearchParams(query), cookie: transaction, visitor },
      });
      if (!policy.isOwn(identity, upstream)) throw new UpstreamRefusal("the address is at no domain of its own");
      return await goOn(reply, visit, upstream, identity, bound);
    } catch (error) {
      if (!(error instanceof UpstreamRefusal || error instanceof UpstreamDown)) throw error;
      audit.note({
        ...{ event: "upstream", result: error instanceof UpstreamDown ? "failed" : "refused" },
        ...{ userId: visit?.user.id ?? null, address: request.ip, requestId: request.id },
        detail: `${upstream.id}: ${error.reason}`,
      } as const);
      return fail(reply, error, party.boundOf(transaction));
    }
  }

  async function goOn(
    reply: FastifyReply,
    visit: Visit | null,
    upstream: Upstream,
    identity: Identity,
    bound: Bound,
  ): Promise<FastifyReply> {
    const { provider, subject, email, emailVerified, name, sid } = identity;
    const place = placeOf(bound);
    const arrival: Arrival = {
      ...{ provider, subject, email, emailVerified, name, sid: sid === null ? null : hashSid(provider, sid) },
      ...{ isSecondStep: policy.isSecondStep(identity, upstream), isToLink: false, owner: null },
      ...place,
    };
    if (visit !== null && bound.for === "link") return acts.link(visit, upstream, arrival);
    if (visit !== null && bound.for === "step-up") return acts.stepUp(visit, upstream, arrival, bound);
    arrivals.put(reply, arrival);
    return redirect(reply, `${place.root}/upstream`);
  }

  function fail(reply: FastifyReply, error: UpstreamRefusal | UpstreamDown, bound: Bound | null): FastifyReply {
    const failed = { status: error instanceof UpstreamDown ? 503 : 400, message: error.message } as const;
    if (bound === null || bound.for === "link" || bound.for === "step-up")
      return sendErrorPage(reply, operator, { title: "That did not work", ...failed, next: home() });
    const place = placeOf(bound);
    arrivals.put(reply, { ...place, failed });
    return redirect(reply, `${place.root}/upstream`);
  }

  /** The place where the sign-in began. */
  function placeOf(bound: Bound): Pick<Arrival, "root" | "page"> {
    if (bound.for === "interaction") return { root: `${mountPath(issuer)}/interaction/${bound.uid}`, page: null };
    return { root, page: bound.for === "account" ? bound.page : null };
  }

  function home() {
    return { label: "Go to your account", href: root };
  }

  /** OpenID Connect Back-Channel Logout 1.0, section 2.5 to 2.8. The token is the proof, so there is no form of ours. */
  async function signOut(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const upstream = named(request);
    reply.header("cache-control", "no-store");
    if (upstream === null) return reply.code(404).send({ error: "invalid_request" });
    const tokens = parseForm(request).getAll("logout_token");
    try {
      const { provider, subject, sid } = await logoutTokens.judge(
        upstream,
        tokens.length === 1 ? (tokens[0] ?? "") : "",
      );
      const mark = sid === null ? null : hashSid(provider, sid);
      const userId = await whose(provider, subject, mark);
      const ended = userId === null ? 0 : await access.endSessionsOfUpstream(userId, { provider, subject, sid: mark });
      const facts = { event: "upstream", userId, requestId: request.id } as const;
      if (userId !== null)
        await audit.record({ ...facts, result: "ok", address: request.ip, detail: `signed out there: ${provider}` });
      log.info({ ...facts, upstream: provider, ended }, "signed out at the upstream");
      return reply.code(200).send();
    } catch (error) {
      if (error instanceof UpstreamRefusal) return reply.code(400).send({ error: "invalid_request" });
      const isLater = error instanceof UpstreamDown || (error instanceof AppError && error.code === "UNAVAILABLE");
      if (!isLater) throw error;
      log.warn({ event: "upstream sign-out", upstream: upstream.id, error: describeFault(error) }, "not judged");
      return reply.code(503).header("retry-after", "60").send({ error: "temporarily_unavailable" });
    }
  }

  /** The person whose sessions are meant; a session that is named alone is found by the note of it. */
  async function whose(provider: string, subject: string | null, sid: string | null): Promise<string | null> {
    if (subject !== null) return (await store.upstreamIdentities.find(provider, subject))?.userId ?? null;
    return sid === null ? null : ((await store.artifacts.find(UPSTREAM_SESSION, sid))?.userId ?? null);
  }
}

const UNKNOWN = {
  status: 404,
  title: "There is no such service here",
  message: "This address is for people who come back from another service. Nothing was changed.",
};
