import type { FastifyReply } from "fastify";
import { MFA_ACR, PASSKEY_ACR } from "../../domain/acr.ts";
import type { User } from "../../domain/people/user.ts";
import type { Store } from "../../domain/store/store.ts";
import type { Signer } from "../../secrets/seal.ts";
import { hashToken } from "../../secrets/token-hash.ts";
import type { Audit } from "../engine/audit.ts";
import { redirect, sendPage } from "../http/forms.ts";
import { noStepUpPage, stepUpPage } from "../pages/step-up.ts";
import type { Passkeys } from "../passkeys/passkeys.ts";
import type { SecondStep } from "../second-step/second-step.ts";
import type { KnownBrowsers } from "../sign-in/known-browsers.ts";
import { leaveFor } from "../sign-in/leave-for.ts";
import {
  PASSWORD_PROOF,
  type Proof,
  passkeyProof,
  sessionFacts,
  twoStepProof,
  upstreamProof,
} from "../sign-in/proof.ts";
import { refusalHeaders, type SignInCheck } from "../sign-in/sign-in-check.ts";
import { signInLinks } from "../sign-in/sign-in-links.ts";
import type { Arrival } from "../upstreams/arrivals.ts";
import { UpstreamDown, UpstreamRefusal } from "../upstreams/refusal.ts";
import type { Bound, Upstream } from "../upstreams/upstream.ts";
import type { Upstreams } from "../upstreams/upstreams.ts";
import { checkOwnPassword } from "./own-password.ts";
import { type StepUpPage, stepUpPageNamed } from "./step-up-pages.ts";
import type { Visit, Visits } from "./visit.ts";

export interface StepUpOptions {
  readonly issuer: string;
  readonly operator: string;
  readonly settings: { readonly STEP_UP_AGE: number; readonly SUPPORT_CONTACT: string | null };
  readonly forms: Signer;
  readonly known: KnownBrowsers;
  readonly checkSignIn: SignInCheck;
  /** null: there are none. */
  readonly passkeys: Passkeys | null;
  readonly secondStep: SecondStep;
  readonly upstreams: Upstreams;
  readonly store: Pick<Store, "upstreamIdentities">;
  readonly audit: Audit;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

type Act = (visit: Visit) => Promise<FastifyReply> | FastifyReply;

export interface StepUp {
  /**
   * Does `act` for a person who signed in within STEP_UP_AGE seconds. Anybody else is asked for the password, a passkey or another service, and then led to
   * the page, where they send the form once more: no POST is replayed (P29).
   */
  fresh(page: StepUpPage, act: Act): (visit: Visit) => Promise<FastifyReply>;
  /** The forms that ask for the password or a passkey. */
  show(visit: Visit): Promise<FastifyReply>;
  submit(visit: Visit): Promise<FastifyReply>;
  submitPasskey(visit: Visit): Promise<FastifyReply>;
  submitUpstream(visit: Visit): Promise<FastifyReply>;
  /** Back from a service that has asked its person anew. */
  finishUpstream(visit: Visit, upstream: Upstream, identity: Arrival, bound: StepUpBound): Promise<FastifyReply>;
}

type StepUpBound = Extract<Bound, { for: "step-up" }>;

/** The proof that a signed-in person is still at the browser (U30). */
export function openStepUp(options: StepUpOptions, { root, saveAnew }: Pick<Visits, "root" | "saveAnew">): StepUp {
  const { operator, issuer, settings, forms, known, checkSignIn, passkeys, secondStep } = options;
  const { upstreams, store, audit, now } = options;
  const nowSeconds = () => Math.floor(now() / 1_000);
  /** A person with a second step has taken it in this session (P28). */
  const isWhole = ({ session, user }: Visit) =>
    !user.secondStep || session.acr === MFA_ACR || session.acr === PASSKEY_ACR;
  const isOld = ({ session }: Visit) => nowSeconds() - (session.loginTs ?? 0) > settings.STEP_UP_AGE;
  const isFresh = (visit: Visit) => !isOld(visit) && isWhole(visit);

  /**
   * The second step that a password or another service needs here, by the rule of a sign-in (P28). `none`: the person has neither an
   * authenticator app nor a recovery code, so that only a passkey is left.
   */
  async function secondOf(user: User): Promise<"digits" | "code" | "none" | null> {
    if ((await secondStep.needs(user)) !== "ask") return null;
    const { totp, codesLeft } = await secondStep.factorsOf(user);
    return totp ? "digits" : codesLeft > 0 ? "code" : "none";
  }

  async function send(visit: Visit, page: StepUpPage, refused: StepUpRefusal = {}): Promise<FastifyReply> {
    const { reply, session, user } = visit;
    const csrf = forms.sign(session.uid);
    const isLocal = upstreams.policy.refusalOf(user, null) === null;
    const prompt = isLocal ? ((await passkeys?.askOwner(csrf, user)) ?? null) : null;
    const { password, second, passkey, upstream } = refused;
    const wanted = await secondOf(user);
    const lacksSecondStep = wanted === "none";
    const services = lacksSecondStep ? [] : await servicesOf(user);
    const hasPassword = user.passwordHash !== null && isLocal && !lacksSecondStep;
    if (prompt === null && services.length === 0 && !hasPassword) {
      const { SUPPORT_CONTACT: supportContact } = settings;
      const about = { operator, back: root, lacksSecondStep, recoverHref: signInLinks(issuer, "closed", null).recover };
      return sendPage(reply, noStepUpPage({ ...about, supportContact }));
    }
    const model: Parameters<typeof stepUpPage>[0] = {
      ...{ operator, action: `${root}/step-up`, back: root, csrf, page, email: user.email },
      hasPassword,
      second: lacksSecondStep ? null : wanted,
      isOld: isOld(visit),
      upstreams: services,
      upstreamError: upstream?.message ?? null,
      errors: {
        ...(password === undefined ? {} : { password: password.message }),
        ...(second === undefined ? {} : { second: second.message }),
      },
      passkey: prompt === null ? null : { prompt, error: passkey?.message ?? null },
    };
    const status = password?.status ?? second?.status ?? upstream?.status ?? (passkey === undefined ? 200 : 400);
    return sendPage(reply, stepUpPage(model), { status, script: prompt?.script ?? null });
  }

  /** Services that can ask the person anew and say so: OpenID Connect has words for that, and OAuth 2.0 has none. */
  async function servicesOf(user: Visit["user"]): Promise<Upstream[]> {
    const linked = new Set((await store.upstreamIdentities.listOf(user.id)).map(({ provider }) => provider));
    return upstreams.list.filter(
      (upstream) =>
        linked.has(upstream.id) && upstream.issuer !== null && upstreams.policy.refusalOf(user, upstream) === null,
    );
  }

  /** Checks the digits of the app, or the recovery code, that were sent with the first step. */
  async function judgeSecond(
    { request, reply, session, user, field }: Visit,
    first: Proof,
  ): Promise<StepUpRefusal | Proof> {
    const second = await secondOf(user);
    if (second === null) return first;
    const typed = field("second");
    const attempt = { user, round: `session ${hashToken(session.uid)}`, event: "step-up", request } as const;
    const isCode = second === "code" || /[a-z]/i.test(typed);
    const { refused } = isCode
      ? await secondStep.checkRecoveryCode(attempt, typed)
      : await secondStep.checkTotp(attempt, typed);
    if (refused === null) return twoStepProof(first.amr, isCode ? [] : ["otp"]);
    reply.headers(refusalHeaders(refused));
    return { second: refused };
  }

  /** Goes on to the page, in a session that has just begun anew. */
  async function goOn({ request, reply, session, user }: Visit, page: StepUpPage, proof: Proof): Promise<FastifyReply> {
    known.remember(request, reply, user);
    session.loginAccount({ accountId: user.id, ...sessionFacts(proof), loginTs: nowSeconds() });
    await saveAnew(session, request, reply);
    return redirect(reply, `${root}/${page}`);
  }

  return {
    fresh: (page, act) => async (visit) =>
      isFresh(visit) ? act(visit) : redirect(visit.reply, `${root}/step-up?for=${page}`),

    async show(visit) {
      const page = stepUpPageNamed((visit.request.query as { for?: unknown }).for);
      return page === null ? redirect(visit.reply, root) : send(visit, page);
    },

    async submit(visit) {
      const { reply, field } = visit;
      const page = stepUpPageNamed(field("for"));
      if (page === null) return redirect(reply, root);
      const typed = field("password");
      if (typed === "") return send(visit, page, { password: { status: 400, message: "Enter your password." } });
      const refused = await checkOwnPassword(checkSignIn, visit, "step-up", typed, "This is not your password.");
      if (refused !== null) return send(visit, page, { password: refused });
      const judged = await judgeSecond(visit, PASSWORD_PROOF);
      return "acr" in judged ? goOn(visit, page, judged) : send(visit, page, judged);
    },

    async submitPasskey(visit) {
      const { request, reply, user, field } = visit;
      const page = stepUpPageNamed(field("for"));
      if (page === null || passkeys === null) return redirect(reply, root);
      const about = { event: "step-up", clientId: null, owner: user.id } as const;
      const checked = await passkeys.signIn({ ...about, form: field("csrf"), field, request });
      if (checked.user === null) return send(visit, page, { passkey: checked.refusal });
      if ((await secondOf(user)) !== null) {
        const round = `session ${hashToken(visit.session.uid)}`;
        await secondStep.passedByPasskey({ user, round, event: "step-up", request });
      }
      return goOn(visit, page, passkeyProof(checked.passkey));
    },

    async submitUpstream(visit) {
      const { reply, session, user, field } = visit;
      const page = stepUpPageNamed(field("for"));
      const upstream = (await servicesOf(user)).find(({ id }) => id === field("provider"));
      if (page === null || upstream === undefined) return redirect(reply, root);
      const judged = await judgeSecond(visit, ANOTHER_SERVICE);
      if (!("acr" in judged)) return send(visit, page, judged);
      const { amr } = judged;
      const bound: StepUpBound = { for: "step-up", userId: user.id, session: hashToken(session.uid), page, amr };
      try {
        return await leaveFor(options, reply, upstream, bound);
      } catch (error) {
        if (!(error instanceof UpstreamDown || error instanceof UpstreamRefusal)) throw error;
        const status = error instanceof UpstreamDown ? 503 : 400;
        return send(visit, page, { upstream: { status, message: error.message } });
      }
    },

    async finishUpstream(visit, upstream, { provider, subject, sid, isSecondStep }, { page: name, amr }) {
      const { request, reply, user } = visit;
      const page = stepUpPageNamed(name);
      const identity = await store.upstreamIdentities.find(provider, subject);
      if (page === null) return redirect(reply, root);
      const facts = { event: "step-up", userId: user.id, address: request.ip, requestId: request.id } as const;
      if (identity?.userId !== user.id || upstreams.policy.refusalOf(user, upstream) !== null) {
        audit.note({ ...facts, result: "refused", detail: `${provider}: another account` });
        return send(visit, page, { upstream: { status: 400, message: NOT_YOURS } });
      }
      await store.upstreamIdentities.use(provider, subject, new Date(now()).toISOString());
      await audit.record({ ...facts, result: "ok", detail: provider });
      const one = upstreamProof({ provider, subject, sid }, isSecondStep);
      // The second step was taken on the way there.
      const proof = amr.length === 0 ? one : { ...one, acr: MFA_ACR, amr };
      return goOn(visit, page, proof);
    },
  };
}

interface StepUpRefusal {
  readonly password?: { readonly status: number; readonly message: string };
  readonly second?: { readonly status: number; readonly message: string };
  readonly passkey?: { readonly message: string };
  readonly upstream?: { readonly status: number; readonly message: string };
}

/** The first step, before the browser goes there. */
const ANOTHER_SERVICE: Proof = { ...PASSWORD_PROOF, amr: [] };

const NOT_YOURS = "This is not the sign-in that your account is linked with. Use another way.";
