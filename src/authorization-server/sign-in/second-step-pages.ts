import type { FastifyReply } from "fastify";
import { MFA_ACR, SFA_ACR } from "../../domain/acr.ts";
import type { User } from "../../domain/people/user.ts";
import { sendPage } from "../http/forms.ts";
import { secondStepPage } from "../pages/second-step.ts";
import type { PendingStep } from "../second-step/pending.ts";
import type { SignInPlace, SignInStepsOptions, StepEnds } from "./place.ts";
import { andPasskey, type Proof, twoStepProof } from "./proof.ts";
import { refusalHeaders, type SignInRefusal } from "./sign-in-check.ts";

/** The page that asks for the second step, and its forms (U41). */
export function openSecondStepPages(
  { operator, supportContact, passkeys, secondStep, audit, log }: SignInStepsOptions,
  ends: StepEnds,
) {
  return { show, take, takePasskey, skip };

  function resume({ field, csrf }: SignInPlace) {
    return secondStep.resume(field("pending"), csrf, ["ask", "wished"]);
  }

  /** @param pending the sealed first step, which each form sends back @param step that it leads to */
  async function show(
    place: SignInPlace,
    { user, step }: { readonly user: User; readonly step: PendingStep },
    pending: string,
    errors: Partial<Record<"digits" | "code" | "passkey", SignInRefusal>> = {},
  ): Promise<FastifyReply> {
    const { reply, root, csrf, model, formAction } = place;
    const { totp, codesLeft } = await secondStep.factorsOf(user);
    const prompt = (await passkeys?.askOwner(csrf, user)) ?? null;
    const page = secondStepPage({
      ...{ operator, supportContact, action: `${root}/sign-in/second-step`, csrf, pending, back: root },
      ...{ hasApp: totp, hasCodes: codesLeft > 0, page: model.page ?? null },
      wishedBy: step === "wished" ? model.clientName : null,
      passkey: prompt === null ? null : { prompt, error: errors.passkey?.message ?? null },
      errors: {
        ...(errors.digits === undefined ? {} : { digits: errors.digits.message }),
        ...(errors.code === undefined ? {} : { code: errors.code.message }),
      },
      ...(model.cancel === undefined ? {} : { cancel: model.cancel }),
    });
    const refused = errors.digits ?? errors.code ?? errors.passkey;
    if (refused !== undefined) reply.headers(refusalHeaders(refused));
    return sendPage(reply, page, { status: refused?.status ?? 200, formAction, script: prompt?.script ?? null });
  }

  /** Digits of an authenticator app, or a recovery code. */
  async function take(place: SignInPlace): Promise<FastifyReply> {
    const { request, field, clientId } = place;
    const sealed = field("pending");
    const pending = await resume(place);
    if (pending === null) return ends.show(place, { password: START_AGAIN });
    const attempt = { ...pending, event: "sign-in", request, clientId } as const;
    const kind = field("code") === "" ? "digits" : "code";
    const { refused } =
      kind === "code"
        ? await secondStep.checkRecoveryCode(attempt, field("code"))
        : await secondStep.checkTotp(attempt, field("digits"));
    if (refused !== null) {
      log.warn({ event: "second-step", clientId, address: request.ip, requestId: request.id }, "refused");
      if (refused.reason === "start-again") return ends.show(place, { password: refused });
      return show(place, pending, sealed, { [kind]: refused });
    }
    const proof = twoStepProof(pending.amr, kind === "code" ? [] : ["otp"]);
    return pass(place, pending.user, { ...proof, upstream: pending.upstream });
  }

  async function takePasskey(place: SignInPlace): Promise<FastifyReply> {
    const { request, field, csrf, clientId } = place;
    const sealed = field("pending");
    const pending = await resume(place);
    if (pending === null || passkeys === null) return ends.show(place, { password: START_AGAIN });
    const about = { event: "second-step", clientId, owner: pending.user.id } as const;
    const checked = await passkeys.signIn({ ...about, form: csrf, field, request });
    if (checked.user === null) {
      const { message } = checked.refusal;
      return show(place, pending, sealed, { passkey: { status: 400, retryAfter: null, message } });
    }
    await secondStep.passedByPasskey({ ...pending, event: "sign-in", request, clientId });
    return pass(place, pending.user, { ...andPasskey(pending.amr, checked.passkey), upstream: pending.upstream });
  }

  /** Without it, where only the client wishes for it: it learns the truth (U60). */
  async function skip(place: SignInPlace): Promise<FastifyReply> {
    const pending = await resume(place);
    // The person's role may have changed meanwhile, and with it what the account needs.
    if (pending?.step !== "wished" || secondStep.isNeeded(pending.user))
      return ends.show(place, { password: START_AGAIN });
    const { user, amr, upstream } = pending;
    return ends.pass(place, {
      user,
      proof: { acr: amr.includes("mfa") ? MFA_ACR : SFA_ACR, amr, passkey: null, upstream },
    });
  }

  async function pass(place: SignInPlace, user: User, proof: Proof): Promise<FastifyReply> {
    const { request, clientId } = place;
    const facts = { event: "sign-in", result: "ok", userId: user.id, clientId } as const;
    await audit.record({ ...facts, address: request.ip, requestId: request.id, detail: "both steps" });
    return ends.pass(place, { user, proof });
  }
}

/** The time between the two steps is over, or the person's credentials have changed in it (P25). */
export const START_AGAIN: SignInRefusal = {
  status: 400,
  retryAfter: null,
  message: "Too much time has passed, or your account has changed meanwhile. Sign in again.",
};
