import type { FastifyReply } from "fastify";
import { AppError } from "../../domain/errors.ts";
import type { User } from "../../domain/people/user.ts";
import { sendPage } from "../http/forms.ts";
import { recoveryCodesPage } from "../pages/recovery-codes.ts";
import { secondStepSetUpPage } from "../pages/second-step-set-up.ts";
import type { SignInPlace, SignInStepsOptions, StepEnds } from "./place.ts";
import { type Proof, twoStepProof } from "./proof.ts";
import { START_AGAIN } from "./second-step-pages.ts";

/**
 * The set-up of a second step in the middle of a sign-in, for a person who must have one and has none (U46): nothing else can be reached
 * before it is done.
 */
export function openSetUpPages(options: SignInStepsOptions, ends: StepEnds) {
  const { operator, passkeys, secondStep, endAll } = options;

  return { show, takeAuthenticator, takePasskey, finish };

  /** null also for a person who has a second step by now: it would be replaced without being asked for (P25). */
  async function resume({ field, csrf }: SignInPlace) {
    const pending = await secondStep.resume(field("pending"), csrf, ["set-up"]);
    return pending !== null && (await secondStep.needs(pending.user)) === "set-up" ? pending : null;
  }

  /** @param app the sealed authenticator app of the last page; a new one unless given */
  async function show(
    place: SignInPlace,
    user: User,
    pending: string,
    { app, error = null }: { readonly app?: string; readonly error?: string | null } = {},
  ): Promise<FastifyReply> {
    const { reply, root, csrf, model, formAction } = place;
    const { setUp } = secondStep;
    const authenticator =
      (app === undefined ? null : await setUp.show(user, app, csrf)) ?? (await setUp.begin(user, csrf));
    // An address that is not proved may be somebody else's (P34).
    const prompt = user.emailVerified ? (passkeys?.offer(csrf, user, []) ?? null) : null;
    const page = secondStepSetUpPage({
      ...{ operator, action: `${root}/sign-in/set-up`, csrf, pending, page: model.page ?? null },
      ...{ authenticator, passkey: prompt, error },
      ...(model.cancel === undefined ? {} : { cancel: model.cancel }),
    });
    return sendPage(reply, page, { status: error === null ? 200 : 400, formAction, script: prompt?.script ?? null });
  }

  async function takeAuthenticator(place: SignInPlace): Promise<FastifyReply> {
    const { request, field, csrf } = place;
    const [sealed, app] = [field("pending"), field("app")];
    const pending = await resume(place);
    if (pending === null) return ends.show(place, { password: START_AGAIN });
    const typed = { sealed: app, bound: csrf, typed: field("digits") };
    const change = await secondStep.factors.confirmTotp(pending.user, typed, request);
    if (change.user === null) return show(place, pending.user, sealed, { app, error: change.message });
    return showCodes(place, change.user, { ...pending, amr: [...pending.amr, "otp"] });
  }

  async function takePasskey(place: SignInPlace): Promise<FastifyReply> {
    const { request, field, csrf } = place;
    const sealed = field("pending");
    const pending = await resume(place);
    if (pending === null || passkeys === null) return ends.show(place, { password: START_AGAIN });
    const { user } = pending;
    const passkey = await passkeys.accept({ form: csrf, field, request });
    if (passkey === null) return show(place, user, sealed, { error: NOT_MADE });
    try {
      await passkeys.add(user, passkey, request);
    } catch (error) {
      if (error instanceof AppError && (error.code === "CONFLICT" || error.code === "NOT_FOUND"))
        return show(place, user, sealed, { error: error.message });
      throw error;
    }
    return showCodes(place, user, { ...pending, amr: [...pending.amr, "pop", "user"] });
  }

  /** @param both with the methods of both steps: whoever comes on with the page has taken both */
  async function showCodes(place: SignInPlace, user: User, both: Both): Promise<FastifyReply> {
    const { request, reply, root, csrf, model, formAction } = place;
    const made = await secondStep.factors.makeRecoveryCodes(user, request);
    if (made.user === null) return ends.show(place, { password: START_AGAIN });
    const page = recoveryCodesPage({
      ...{ operator, codes: made.codes, keptAction: `${root}/sign-in/set-up/done`, csrf },
      ...{ fileAction: null, next: null, isAppAdded: both.amr.includes("otp") },
      hidden: { pending: secondStep.carry(made.user, csrf, both), for: model.page ?? "" },
    });
    return sendPage(reply, page, { formAction });
  }

  async function finish(place: SignInPlace): Promise<FastifyReply> {
    const { request, field, csrf } = place;
    const pending = await secondStep.resume(field("pending"), csrf, ["done"]);
    if (pending === null) return ends.show(place, { password: START_AGAIN });
    const change = await secondStep.factors.turnOn(pending.user, request);
    if (change.user === null) return ends.show(place, { password: START_AGAIN });
    await endAll(change.user.id);
    const proof = { ...twoStepProof(pending.amr, []), upstream: pending.upstream };
    return ends.pass(place, { user: change.user, proof });
  }
}

type Both = Pick<Proof, "amr" | "upstream">;

const NOT_MADE =
  "The passkey was not added: the page was out of date, or your browser sent nothing that can be used. Please try once more.";
