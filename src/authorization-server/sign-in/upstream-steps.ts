import type { FastifyReply, FastifyRequest } from "fastify";
import type { AuditResult } from "../../domain/audit.ts";
import { AppError } from "../../domain/errors.ts";
import { isActive, mayKeep, type User } from "../../domain/people/user.ts";
import { assertName } from "../../domain/text.ts";
import { fieldErrors, redirect, sendErrorPage, sendPage } from "../http/forms.ts";
import { unknownIdentityPage } from "../pages/upstream.ts";
import type { Arrival } from "../upstreams/arrivals.ts";
import { UpstreamDown } from "../upstreams/refusal.ts";
import type { Upstream } from "../upstreams/upstream.ts";
import { leaveFor } from "./leave-for.ts";
import type { SignInPlace, SignInStepsOptions, StepEnds } from "./place.ts";
import { type Entrant, upstreamProof } from "./proof.ts";

/** Note of a session that began with a session of an upstream: a sign-out there may name that one alone (U66). */
export const UPSTREAM_SESSION = "UpstreamSession";

/** Sign-in by another service: the way there, the way back, and what becomes of an identity that nobody is linked with (U63, U64). */
export function openUpstreamSteps(options: SignInStepsOptions, ends: StepEnds) {
  const { operator, upstreams, store, settings, signUp, audit, log, now } = options;
  const { arrivals, policy } = upstreams;

  return { start, arrive, wantLink, create, use, linkingIn };

  async function start(place: SignInPlace): Promise<FastifyReply> {
    const upstream = upstreams.find(place.field("provider"));
    if (upstream === null) return ends.show(place);
    try {
      return await leaveFor(options, place.reply, upstream, place.bound());
    } catch (error) {
      if (!(error instanceof UpstreamDown)) throw error;
      return ends.show(place, { upstream: { status: 503, message: error.message } });
    }
  }

  /** Back from the service. An identity that somebody here is linked with signs them in. */
  async function arrive(place: SignInPlace): Promise<FastifyReply> {
    const { request, reply } = place;
    const waiting = arrivals.read(request);
    if (waiting === null || waiting.arrival.root !== place.root) return redirect(reply, place.root);
    const { arrival } = waiting;
    if ("failed" in arrival) {
      await arrivals.take(reply, waiting);
      return ends.show(place, { upstream: arrival.failed });
    }
    const upstream = upstreams.find(arrival.provider);
    if (upstream === null) return redirect(reply, place.root);
    const identity = await store.upstreamIdentities.find(arrival.provider, arrival.subject);
    if (identity === null) return sendUnknown(place, upstream, arrival);
    if (!(await arrivals.take(reply, waiting))) return redirect(reply, place.root);
    const user = await store.users.find(identity.userId);
    // Nobody learns of an account that cannot be used: it is as with a password (A40).
    if (user === null || !(isActive(user) || mayKeep(user))) return refuse(place, upstream, user, "not active", CLOSED);
    const elsewhere = policy.refusalOf(user, upstream);
    if (elsewhere !== null) return refuse(place, upstream, user, "the domain signs in elsewhere", elsewhere);
    return admit(place, upstream, arrival, user);
  }

  async function admit(place: SignInPlace, { id }: Upstream, arrival: Arrival, user: User): Promise<FastifyReply> {
    const { provider, subject, sid, isSecondStep } = arrival;
    const detail = isActive(user) ? `signed in: ${id}` : `${id}: the account will be deleted`;
    await audit.record(factsOf(place, user, isActive(user) ? "ok" : "refused", detail));
    return ends.admit(place, { user, proof: upstreamProof({ provider, subject, sid }, isSecondStep) });
  }

  function refuse(place: SignInPlace, { id }: Upstream, user: User | null, reason: string, message: string) {
    audit.note(factsOf(place, user, "refused", `${id}: ${reason}`));
    log.warn({ event: "upstream", upstream: id, reason, requestId: place.request.id }, "refused");
    return ends.show(place, { upstream: { status: 400, message } });
  }

  /** Nobody is looked up by the address that the service names (R3). */
  function sendUnknown(
    place: SignInPlace,
    upstream: Upstream,
    arrival: Arrival,
    { name = arrival.name ?? "", errors = {} }: { name?: string; errors?: Errors } = {},
  ): FastifyReply {
    const { reply, root, csrf, model, formAction } = place;
    const page = unknownIdentityPage({
      ...{ operator, upstreamName: upstream.name, knownAs: arrival.email ?? arrival.name, action: `${root}/upstream` },
      ...{ csrf, page: model.page ?? null, create: waysToCreate(upstream, arrival), name, errors },
      ...(model.cancel === undefined ? {} : { cancel: model.cancel }),
    });
    return sendPage(reply, page, { status: Object.keys(errors).length === 0 ? 200 : 400, formAction });
  }

  function waysToCreate(upstream: Upstream, arrival: Arrival): "account" | "mail" | null {
    const may = policy.mayCreate(arrival, upstream);
    if (may === "proved") return "account";
    // Our own mail proves the address (U12), where anybody may sign up by mail.
    const isOpen = signUp === "open" && (arrival.email === null || policy.enforcedFor(arrival.email) === null);
    return may === "after proof" && isOpen ? "mail" : null;
  }

  /** The identity that the form is about; null where it is not there any more, or somebody is linked with it by now. */
  async function unknownOf({ request, root }: SignInPlace) {
    const waiting = arrivals.read(request);
    if (waiting === null || "failed" in waiting.arrival || waiting.arrival.root !== root) return null;
    const { arrival } = waiting;
    const upstream = upstreams.find(arrival.provider);
    const identity = await store.upstreamIdentities.find(arrival.provider, arrival.subject);
    return upstream === null || identity !== null ? null : { waiting, arrival, upstream };
  }

  async function wantLink(place: SignInPlace): Promise<FastifyReply> {
    const found = await unknownOf(place);
    if (found === null) return redirect(place.reply, `${place.root}/upstream`);
    arrivals.change(place.reply, found.waiting, { isToLink: true });
    return ends.show(place, { linking: found.upstream.name });
  }

  async function create(place: SignInPlace): Promise<FastifyReply> {
    const { reply, root, field, model } = place;
    const found = await unknownOf(place);
    if (found === null) return redirect(reply, `${root}/upstream`);
    const { waiting, arrival, upstream } = found;
    const way = waysToCreate(upstream, arrival);
    if (way === "mail" && model.links.signUp !== null) {
      arrivals.change(reply, waiting, { isToLink: true });
      return redirect(reply, model.links.signUp);
    }
    if (way !== "account" || arrival.email === null) return sendUnknown(place, upstream, arrival);
    if (await store.users.isEmpty()) return sendErrorPage(reply, operator, NOT_SET_UP);
    const name = field("name").trim();
    try {
      assertName("name", name);
    } catch (error) {
      const errors = fieldErrors(error, { name: "Your name" });
      return sendUnknown(place, upstream, arrival, { name, errors });
    }
    const user = await createPerson(arrival, arrival.email, name);
    if (user === "taken") return sendUnknown(place, upstream, arrival, { name, errors: { form: TAKEN } });
    if (user === null || !(await arrivals.take(reply, waiting))) return redirect(reply, `${root}/upstream`);
    const facts = { ...factsOf(place, user, "ok", "account created"), event: "sign-up" } as const;
    await audit.record(facts);
    log.info({ event: "sign-up", userId: user.id, upstream: upstream.id, requestId: facts.requestId }, facts.detail);
    return admit(place, upstream, arrival, user);
  }

  /** null where somebody is linked with the identity by now. */
  async function createPerson({ provider, subject }: Arrival, email: string, name: string) {
    try {
      return await store.upstreamIdentities.createPerson(
        { name, email, emailVerified: true, role: settings.SIGN_UP_ROLE, passwordHash: null },
        { provider, subject, emailAtLink: email, linkedAt: new Date(now()).toISOString() },
      );
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "CONFLICT") throw error;
      return error.details.field === "email" ? "taken" : null;
    }
  }

  /** Notes the sign-in at its end. @returns false where the link was removed meanwhile */
  async function use({ user, proof: { upstream } }: Entrant): Promise<boolean> {
    if (upstream === undefined) return true;
    const { provider, subject, sid } = upstream;
    const identity = await store.upstreamIdentities.find(provider, subject);
    if (identity?.userId !== user.id) return false;
    if (!(await store.upstreamIdentities.use(provider, subject, new Date(now()).toISOString()))) return false;
    if (sid !== null)
      await store.artifacts.put({
        ...{ kind: UPSTREAM_SESSION, idHash: sid, userId: user.id, payload: "" },
        ...{ grantId: null, clientId: null, scope: null, uidHash: null, userCodeHash: null, consumedAtSeconds: null },
        expiresAtSeconds: Math.floor(now() / 1_000) + settings.SESSION_MAX,
      });
    return true;
  }

  /** The name of the service that waits in this browser to be linked; null for none. */
  function linkingIn(request: FastifyRequest): string | null {
    const arrival = arrivals.read(request)?.arrival;
    if (arrival === undefined || "failed" in arrival || !arrival.isToLink) return null;
    return upstreams.find(arrival.provider)?.name ?? null;
  }
}

function factsOf({ request, clientId }: SignInPlace, user: User | null, result: AuditResult, detail: string) {
  const where = { clientId, address: request.ip, requestId: request.id };
  return { event: "upstream" as const, result, userId: user?.id ?? null, ...where, detail };
}

type Errors = Partial<Record<"name" | "form", string>>;

const CLOSED = "You cannot sign in this way. Try another one.";

const TAKEN = "An account with this address exists. Sign in to link.";

const NOT_SET_UP = {
  status: 404,
  title: "This service is not set up yet",
  message: "People can create accounts when it has an administrator. The terminal that runs it shows a link for that.",
  next: { label: "Go to the start page", href: "/" },
};
