import type { FastifyReply } from "fastify";
import { acrRank, SFA_ACR } from "../../domain/acr.ts";
import { isActive } from "../../domain/people/user.ts";
import { redirect, sendPage } from "../http/forms.ts";
import { keepAccountPage } from "../pages/deletion.ts";
import { openTimes } from "../pages/times.ts";
import type { SignInPlace, SignInStepsOptions, StepEnds } from "./place.ts";
import { type Entrant, PASSWORD_PROOF, passkeyProof } from "./proof.ts";
import { openSecondStepPages, START_AGAIN } from "./second-step-pages.ts";
import { openSetUpPages } from "./second-step-set-up.ts";
import { type Refused, sendSignInPage } from "./sign-in-page.ts";
import { openUpstreamSteps } from "./upstream-steps.ts";

/** Forms that a sign-in posts, by their path below the place's root. */
export const SIGN_IN_STEPS = [
  "sign-in",
  "sign-in/second-step",
  "sign-in/second-step/passkey",
  "sign-in/second-step/skip",
  "sign-in/set-up/authenticator",
  "sign-in/set-up/passkey",
  "sign-in/set-up/done",
  "passkey",
  "upstream/start",
  "upstream/link",
  "upstream/create",
  "keep",
] as const;

export type SignInStepName = (typeof SIGN_IN_STEPS)[number];

export type SignInSteps = Readonly<Record<SignInStepName, (place: SignInPlace) => Promise<FastifyReply>>> &
  Pick<StepEnds, "show"> & {
    /** The page to which a round trip to another service leads back. */
    arrive(place: SignInPlace): Promise<FastifyReply>;
  };

/**
 * Every way in, the same at each place (U04): first a password, a passkey or another service, then the second step where the person has one, and for an
 * account that will be deleted the question whether to keep it. Nobody has a session, nor a cookie of the person, before the end.
 */
export function openSignInSteps(options: SignInStepsOptions): SignInSteps {
  const { operator, checkSignIn, kept, passkeys, secondStep, upstreams, log } = options;
  const ends: StepEnds = { show, admit, pass };
  const secondSteps = openSecondStepPages(options, ends);
  const setUps = openSetUpPages(options, ends);
  const upstreamSteps = openUpstreamSteps(options, ends);

  return {
    show,

    async "sign-in"(place) {
      const { request, field, clientId } = place;
      const email = field("email").trim(); // Keyboards of phones leave a space behind a completed word.
      const about = { event: "sign-in", clientId } as const;
      const session = await place.session();
      const checked = await checkSignIn({ ...about, email, password: field("password"), request, session });
      if (checked.user !== null) return admit(place, { user: checked.user, proof: PASSWORD_PROOF });
      log.warn({ ...about, address: request.ip, requestId: request.id }, "refused");
      return show(place, { email, password: checked.refusal });
    },

    async passkey(place) {
      const { request, field, csrf: form, clientId } = place;
      if (passkeys === null) return show(place);
      const about = { event: "sign-in", clientId } as const;
      const checked = await passkeys.signIn({ ...about, form, field, request });
      if (checked.user !== null) return admit(place, { user: checked.user, proof: passkeyProof(checked.passkey) });
      log.warn({ ...about, address: request.ip, requestId: request.id }, "refused");
      return show(place, { passkey: checked.refusal });
    },

    async keep(place) {
      const entrant = await kept.keep(place.field("proof"), place.csrf, place.request);
      if (entrant === null) return redirect(place.reply, place.root);
      const isWhole = entrant.proof.acr !== SFA_ACR || !secondStep.isNeeded(entrant.user);
      return isWhole ? enter(place, entrant) : admit(place, entrant);
    },

    arrive: upstreamSteps.arrive,
    "upstream/start": upstreamSteps.start,
    "upstream/link": upstreamSteps.wantLink,
    "upstream/create": upstreamSteps.create,

    "sign-in/second-step": secondSteps.take,
    "sign-in/second-step/passkey": secondSteps.takePasskey,
    "sign-in/second-step/skip": secondSteps.skip,
    "sign-in/set-up/authenticator": setUps.takeAuthenticator,
    "sign-in/set-up/passkey": setUps.takePasskey,
    "sign-in/set-up/done": setUps.finish,
  };

  function show(place: SignInPlace, refused?: Refused): FastifyReply {
    const { request, reply, root, csrf, model, formAction } = place;
    const linking = refused?.linking ?? upstreamSteps.linkingIn(request);
    const about = { ...model, operator, root, csrf, formAction, upstreams: upstreams.list, linking };
    return sendSignInPage(reply, passkeys, about, refused);
  }

  /** After the first step. */
  async function admit(place: SignInPlace, entrant: Entrant): Promise<FastifyReply> {
    const { user, proof } = entrant;
    const step = await needOf(place, entrant);
    // Nothing is set up in an account that will be deleted: if it is kept, that comes next.
    if (step === "nothing" || (step === "set-up" && !isActive(user))) return pass(place, entrant);
    const { amr, upstream } = proof;
    const pending = await secondStep.begin(user, { bound: place.csrf, amr, upstream, step, request: place.request });
    return step === "set-up" ? setUps.show(place, user, pending) : secondSteps.show(place, { user, step }, pending);
  }

  /** More than the account needs is asked where the client wishes for it and the person can (U60). */
  async function needOf({ wantedRank }: SignInPlace, { user, proof }: Entrant) {
    // A passkey is two factors (U40), and another service may have asked for a second step (U41).
    const need = proof.acr === SFA_ACR ? await secondStep.needs(user) : "nothing";
    if (need !== "nothing" || wantedRank <= acrRank(proof.acr)) return need;
    const { totp, isTotpOffDuty, passkeys } = await secondStep.factorsOf(user);
    return (totp && !isTotpOffDuty) || passkeys > 0 ? "wished" : "nothing";
  }

  /** After all steps. Nobody is signed in to an account that will be deleted. */
  async function pass(place: SignInPlace, entrant: Entrant): Promise<FastifyReply> {
    if (isActive(entrant.user)) return enter(place, entrant);
    const { request, reply, root, csrf, model, formAction } = place;
    const page = keepAccountPage({
      ...{ operator, action: `${root}/keep`, csrf, page: model.page ?? null, proof: kept.prove(entrant, csrf) },
      deletesAtSeconds: Date.parse(entrant.user.deletesAt ?? "") / 1_000,
      times: openTimes(request.headers["accept-language"]),
      ...(model.cancel === undefined ? {} : { cancel: model.cancel }),
    });
    return sendPage(reply, page, { formAction });
  }

  /** The link to another service may be gone by now. */
  async function enter(place: SignInPlace, entrant: Entrant): Promise<FastifyReply> {
    return (await upstreamSteps.use(entrant)) ? place.enter(entrant) : show(place, { password: START_AGAIN });
  }
}

/** A handler for each form of a sign-in. */
export function signInHandlers<T>(handler: (name: SignInStepName) => T): Readonly<Record<SignInStepName, T>> {
  return Object.fromEntries(SIGN_IN_STEPS.map((name) => [name, handler(name)])) as Record<SignInStepName, T>;
}
