import type { FastifyReply } from "fastify";
import { AppError } from "../../domain/errors.ts";
import type { UpstreamIdentity } from "../../domain/people/upstream-identity.ts";
import type { Store } from "../../domain/store/store.ts";
import type { Signer } from "../../secrets/seal.ts";
import { hashToken } from "../../secrets/token-hash.ts";
import { mountPath } from "../http/endpoints.ts";
import { redirect, sendErrorPage, sendPage } from "../http/forms.ts";
import type { Outgoing } from "../letters/outgoing.ts";
import { nameBrowser } from "../pages/browser-name.ts";
import { confirmFirst } from "../pages/confirm-first.ts";
import { isLinkNote, type LinkNote, linksPage, type ShownLink } from "../pages/links.ts";
import { openTimes } from "../pages/times.ts";
import { linkQuestionPage } from "../pages/upstream.ts";
import { leaveFor } from "../sign-in/leave-for.ts";
import type { PastInteractions } from "../sign-in/past-interactions.ts";
import type { Arrival } from "../upstreams/arrivals.ts";
import { UpstreamDown } from "../upstreams/refusal.ts";
import type { Upstream } from "../upstreams/upstream.ts";
import type { Upstreams } from "../upstreams/upstreams.ts";
import type { Access } from "./access.ts";
import type { Visit, Visits } from "./visit.ts";

export interface LinksOptions {
  readonly issuer: string;
  readonly operator: string;
  readonly settings: { readonly SUPPORT_CONTACT: string | null };
  readonly store: Pick<Store, "upstreamIdentities">;
  readonly upstreams: Upstreams;
  /** null: there are none. */
  readonly passkeys: { readonly rpId: string } | null;
  readonly past: PastInteractions;
  readonly access: Access;
  readonly outgoing: Outgoing;
  readonly forms: Signer;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

/** The page on which people see, add and remove links to other services (U63, U66). */
export function openLinks(
  options: LinksOptions,
  { root: back, saveAnew, tell }: Pick<Visits, "root" | "saveAnew" | "tell">,
) {
  const { issuer, operator, settings, store, upstreams, passkeys, past, access, outgoing, forms, now } = options;
  const { arrivals, policy } = upstreams;
  const root = `${back}/links`;

  return { show: (visit: Visit) => show(visit), start, remove, finish, showQuestion: ask, answer };

  async function show(visit: Visit, { error = null, status = 200 }: Shown = {}): Promise<FastifyReply> {
    const { request, reply, session, user } = visit;
    const { done } = request.query as { done?: unknown };
    const links = await store.upstreamIdentities.listOf(user.id);
    if (links.length === 0 && upstreams.list.length === 0)
      return sendErrorPage(reply, operator, { ...NONE, next: { label: "Back", href: back } });
    const page = linksPage({
      ...{ operator, root, back, csrf: forms.sign(session.uid), error },
      links: links.map(shown),
      upstreams: upstreams.list.filter((upstream) => policy.refusalOf(user, upstream) === null),
      // A link would let a person stay in an account that they made with an address of somebody else (P34).
      notYet: user.emailVerified
        ? null
        : confirmFirst({ root: back, sendsMail: outgoing.isOn, supportContact: settings.SUPPORT_CONTACT }),
      times: openTimes(request.headers["accept-language"]),
      note: error === null && isLinkNote(done) ? done : null,
    });
    return sendPage(reply, page, { status });
  }

  function shown({ provider, subject, emailAtLink: email, linkedAt, usedAt }: UpstreamIdentity): ShownLink {
    const upstream = upstreams.find(provider);
    const times = {
      linkedAtSeconds: Date.parse(linkedAt) / 1_000,
      usedAtSeconds: usedAt === null ? null : Date.parse(usedAt) / 1_000,
    };
    return { provider, subject, email, name: upstream?.name ?? provider, isUsable: upstream !== null, ...times };
  }

  async function start(visit: Visit): Promise<FastifyReply> {
    const { reply, session, user, field } = visit;
    const upstream = upstreams.find(field("provider"));
    if (upstream === null || !user.emailVerified) return redirect(reply, root);
    const elsewhere = policy.refusalOf(user, upstream);
    if (elsewhere !== null) return show(visit, { error: elsewhere, status: 400 });
    try {
      const bound = { for: "link", userId: user.id, session: hashToken(session.uid) } as const;
      return await leaveFor(options, reply, upstream, bound);
    } catch (error) {
      if (error instanceof UpstreamDown) return show(visit, { error: error.message, status: 503 });
      throw error;
    }
  }

  /** Back from the service, as the person who went there. */
  async function finish(visit: Visit, upstream: Upstream, identity: Arrival): Promise<FastifyReply> {
    const linked = await link(visit, upstream, identity);
    return "error" in linked
      ? show(visit, { ...linked, status: 409 })
      : redirect(visit.reply, `${root}?done=${linked.note}`);
  }

  async function link(
    visit: Visit,
    upstream: Upstream,
    { provider, subject, email, name }: Arrival,
  ): Promise<{ readonly note: LinkNote } | { readonly error: string }> {
    const { request, reply, session, user } = visit;
    const elsewhere = policy.refusalOf(user, upstream);
    if (elsewhere !== null) return { error: elsewhere };
    const identity = {
      provider,
      subject,
      userId: user.id,
      emailAtLink: email,
      linkedAt: new Date(now()).toISOString(),
    };
    try {
      if (!(await store.upstreamIdentities.link(identity, user.credentialVersion))) return { note: "known" };
    } catch (error) {
      if (error instanceof AppError && error.code === "CONFLICT") return { error: error.message };
      if (error instanceof AppError && error.code === "NOT_FOUND")
        return { error: "Confirm your e-mail address first. Then you can link a service." };
      throw error;
    }
    await saveAnew(session, request, reply);
    await tell(visit, "link", `linked: ${provider}`);
    const account = email ?? name;
    await outgoing.notice("upstream-linked", user, {
      ...{ service: upstream.name, browser: nameBrowser(request.headers["user-agent"]) },
      ...(account === null ? {} : { account }),
    });
    return { note: "linked" };
  }

  async function remove(visit: Visit): Promise<FastifyReply> {
    const { request, reply, user, field } = visit;
    const [provider, subject] = [field("provider"), field("subject")];
    const identity = await store.upstreamIdentities.find(provider, subject);
    if (identity?.userId !== user.id) return redirect(reply, root);
    try {
      const isRemoved = await store.upstreamIdentities.unlink(user.id, provider, subject, passkeys?.rpId ?? "");
      if (!isRemoved) return redirect(reply, root);
    } catch (error) {
      if (error instanceof AppError && error.code === "CONFLICT")
        return show(visit, { error: error.message, status: 400 });
      throw error;
    }
    await tell(visit, "link", `removed: ${provider}`);
    const { emailAtLink: account } = identity;
    await outgoing.notice("upstream-unlinked", user, {
      ...{ service: shown(identity).name, browser: nameBrowser(request.headers["user-agent"]) },
      ...(account === null ? {} : { account }),
    });
    await access.endSessionsOfUpstream(user.id, { provider, subject, sid: null });
    return redirect(reply, `${root}?done=removed`);
  }

  /** The identity that this person has signed in to link; null for none. */
  function waitingFor({ request, user }: Visit) {
    const waiting = arrivals.read(request);
    if (waiting === null || "failed" in waiting.arrival) return null;
    const { arrival } = waiting;
    const upstream = upstreams.find(arrival.provider);
    return upstream !== null && arrival.isToLink && arrival.owner === user.id ? { waiting, arrival, upstream } : null;
  }

  async function ask(visit: Visit, error: string | null = null): Promise<FastifyReply> {
    const { request, reply, session, user, field } = visit;
    const found = waitingFor(visit);
    if (found === null) return redirect(reply, back);
    const { arrival, upstream } = found;
    const asked = (request.query as { interaction?: unknown }).interaction;
    const interaction = uidIn(field("interaction")) || uidIn(asked);
    const page = linkQuestionPage({
      ...{ operator, upstreamName: upstream.name, knownAs: arrival.email ?? arrival.name, email: user.email },
      ...{ action: `${back}/link`, csrf: forms.sign(session.uid), interaction, error },
    });
    const formAction = interaction === "" ? [] : await past.redirectUris(interaction);
    return sendPage(reply, page, { status: error === null ? 200 : 409, formAction });
  }

  async function answer(visit: Visit): Promise<FastifyReply> {
    const { reply, field } = visit;
    const found = waitingFor(visit);
    const interaction = uidIn(field("interaction"));
    const next = interaction === "" ? null : `${mountPath(issuer)}/interaction/${interaction}/continue`;
    if (found === null) return redirect(reply, next ?? back);
    const { waiting, arrival, upstream } = found;
    if (field("answer") === "link") {
      const linked = await link(visit, upstream, arrival);
      if ("error" in linked) return ask(visit, linked.error);
    }
    await arrivals.take(reply, waiting);
    return redirect(reply, next ?? (field("answer") === "link" ? `${root}?done=linked` : back));
  }
}

interface Shown {
  readonly error?: string | null;
  readonly status?: number;
}

/** The `uid` of a sign-in; empty for anything that cannot be one. */
function uidIn(value: unknown): string {
  return typeof value === "string" && /^[\w-]{10,64}$/.test(value) ? value : "";
}

const NONE = {
  status: 404,
  title: "There are no other services here",
  message: "People sign in to this service by itself.",
};
