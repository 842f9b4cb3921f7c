import type { FastifyReply } from "fastify";
import type Provider from "oidc-provider";
import { errors } from "oidc-provider";
import type { User } from "../../domain/people/user.ts";
import { findActiveUser } from "../../domain/people/user.ts";
import type { Store } from "../../domain/store/store.ts";
import { openSigner } from "../../secrets/seal.ts";
import { shownName } from "../clients/engine-client.ts";
import { releaseDeviceCode } from "../grants/device-code.ts";
import { mountPath, PATHS } from "../http/endpoints.ts";
import { engineRequest } from "../http/engine-request.ts";
import { readForm, redirect, sendErrorPage } from "../http/forms.ts";
import { OVER } from "../pages/error.ts";
import { wantedAcr } from "../tokens/wanted-acr.ts";
import type { AfterSignIn } from "./after-sign-in.ts";
import { type ConsentOptions, openConsent } from "./consent.ts";
import { finish, formAction, type InteractionRequest, type InteractionStep } from "./interaction-step.ts";
import { type PastInteractions, withoutPrompts } from "./past-interactions.ts";
import type { SignInPlace } from "./place.ts";
import { type Entrant, sessionFacts } from "./proof.ts";
import { restartUrl } from "./restart.ts";
import { EXISTING_ACCOUNT, type SignUpMode, signInLinks } from "./sign-in-links.ts";
import { type SignInStepName, type SignInSteps, signInHandlers } from "./steps.ts";

export interface InteractionOptions extends ConsentOptions {
  readonly issuer: string;
  readonly secret: Uint8Array;
  readonly previousSecret: Uint8Array | null;
  readonly provider: Provider;
  readonly store: Store;
  readonly past: PastInteractions;
  readonly steps: SignInSteps;
  readonly signUp: SignUpMode;
  readonly afterSignIn: AfterSignIn;
  /** Asks a person who has just signed in whether to link an identity; null where there is no such question. */
  readonly askToLink: (
    request: InteractionRequest,
    reply: FastifyReply,
    entrant: Entrant,
    uid: string,
  ) => Promise<string | null>;
}

/** Handlers of an interaction, by the step that the person takes. */
export type InteractionHandlers = Readonly<
  Record<
    "show" | "continue" | "arrive" | SignInStepName | "consent" | "switch" | "cancel",
    (request: InteractionRequest, reply: FastifyReply) => Promise<FastifyReply>
  >
>;

/** Sign-in and consent. The engine sends a browser here, and gets it back when the person has decided. */
export function openInteractions(options: InteractionOptions): InteractionHandlers {
  const { operator, provider, store, past, steps, log } = options;
  const issuer = new URL(options.issuer);
  const root = `${mountPath(options.issuer)}/interaction`;
  const forms = openSigner(options.secret, "interaction forms", options.previousSecret);

  const consent = openConsent(options);
  const begin = (params: Readonly<Record<string, unknown>>) => restartUrl(provider, options.issuer, params);

  return {
    show: async (request, reply) => {
      const step = await load(request, reply);
      if (step === null) return over(request, reply);
      const isExisting = Object.hasOwn(request.query as object, EXISTING_ACCOUNT);
      if (step.interaction.prompt.name === "create" && !isExisting)
        return redirect(reply, links(step).signUp ?? step.path);
      return pageFor(step) === "login" ? steps.show(placeOf(step)) : asPerson(consent.show)(step);
    },
    continue: goOn,
    arrive: async (request, reply) => {
      const step = await load(request, reply);
      if (step === null) return over(request, reply);
      return pageFor(step) === "login" ? steps.arrive(placeOf(step)) : redirect(reply, step.path);
    },
    ...signInHandlers((name) => onPost("login", (step) => steps[name](placeOf(step)))),
    consent: onPost("consent", asPerson(consent.decide)),
    switch: onPost("consent", switchPerson),
    cancel: onPost("login", (step) =>
      finish(step, { error: "access_denied", error_description: "the person cancelled" }),
    ),
  };

  /** A step that a form of ours asks for: the right page, and its proof that it came from there (A12). */
  function onPost(prompt: ReturnType<typeof pageFor>, act: (step: InteractionStep) => Promise<FastifyReply>) {
    return async (request: InteractionRequest, reply: FastifyReply) => {
      const step = await load(request, reply);
      if (step === null) return over(request, reply);
      if (!forms.verify(step.interaction.uid, step.field("csrf"))) return over(request, reply);
      if (pageFor(step) !== prompt) return redirect(reply, step.path);
      return act(step);
    };
  }

  /** Null unless this browser holds the interaction's signed cookie, and the interaction is open. */
  async function load(request: InteractionRequest, reply: FastifyReply): Promise<InteractionStep | null> {
    try {
      const interaction = await provider.interactionDetails(engineRequest(request, issuer), reply.raw);
      if (interaction.uid !== request.params.uid) return null;
      const client = await provider.Client.find(String(interaction.params.client_id));
      if (client === undefined) return null;
      const { uid } = interaction;
      const [path, csrf] = [`${root}/${uid}`, forms.sign(uid)];
      return { request, reply, interaction, client, path, csrf, field: readForm(request) };
    } catch (error) {
      if (error instanceof errors.SessionNotFound) return null;
      throw error;
    }
  }

  async function over(request: InteractionRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { uid } = request.params;
    const next = isOurs(request, reply) ? await past.restart(uid, begin) : await past.wayBack(uid);
    return sendErrorPage(reply, operator, { ...OVER, next });
  }

  /** The request once more, for a person who has signed up or chosen a new password meanwhile. */
  async function goOn(request: InteractionRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { loginTs = 0 } = await provider.Session.get(contextOf(request, reply));
    const next = isOurs(request, reply)
      ? await past.restart(request.params.uid, (params, beganAtSeconds) =>
          begin(withoutPrompts(params, loginTs >= beganAtSeconds ? ["create", "login", "select_account"] : ["create"])),
        )
      : null;
    return redirect(reply, next?.href ?? `${mountPath(options.issuer)}/account`);
  }

  /** Whether the interaction began in this browser; it may be over. */
  function isOurs(request: InteractionRequest, reply: FastifyReply): boolean {
    const { cookies } = contextOf(request, reply);
    return cookies.get(provider.cookieName("interaction"), { signed: true }) === request.params.uid;
  }

  function contextOf(request: InteractionRequest, reply: FastifyReply) {
    return provider.createContext(engineRequest(request, issuer), reply.raw);
  }

  function links({ interaction }: InteractionStep) {
    return signInLinks(options.issuer, options.signUp, interaction.uid);
  }

  function placeOf(step: InteractionStep): SignInPlace {
    const { request, reply, field, interaction, client, csrf, path } = step;
    const hint = interaction.params.login_hint;
    return {
      ...{ request, reply, field, csrf, root: path, clientId: client.clientId, formAction: formAction(step) },
      wantedRank: wantedAcr(interaction.params),
      model: {
        clientName: shownName(client),
        email: typeof hint === "string" ? hint : "",
        links: links(step),
        cancel: { action: `${path}/cancel` },
      },
      bound: () => ({ for: "interaction", uid: interaction.uid }),
      session: async () => interaction.session,
      enter: (entrant) => enter(step, entrant),
    };
  }

  async function enter(step: InteractionStep, { user, proof }: Entrant): Promise<FastifyReply> {
    const { request, reply, interaction } = step;
    // A device asks again by its code, which the person would have to type once more.
    const question =
      interaction.deviceCode === undefined
        ? await options.askToLink(request, reply, { user, proof }, interaction.uid)
        : null;
    if (question !== null) return redirect(reply, question);
    options.afterSignIn(request, reply, user);
    log.info({ event: "sign-in", userId: user.id, clientId: step.client.clientId, requestId: request.id }, "signed in");
    await endOtherSession(step, user.id);
    // The session in which it began may be over: by that, or because the person has just turned a second step on.
    const { uid } = await provider.Session.get(contextOf(request, reply));
    if (interaction.session?.uid !== uid) delete interaction.session;
    return finish(step, { login: { accountId: user.id, ...sessionFacts(proof) }, select_account: {}, create: {} });
  }

  /** Ends the session of somebody else in this browser. */
  async function endOtherSession({ request, reply }: InteractionStep, userId: string | null): Promise<void> {
    const session = await provider.Session.get(contextOf(request, reply));
    if (session.accountId !== undefined && session.accountId !== userId) await session.destroy();
  }

  async function switchPerson(step: InteractionStep): Promise<FastifyReply> {
    await endOtherSession(step, null);
    const { deviceCode } = step.interaction;
    if (deviceCode !== undefined) {
      const released = await releaseDeviceCode(provider, store.attempts, deviceCode);
      const query = released.userCode === undefined ? "" : `?user_code=${released.userCode}`;
      return redirect(step.reply, `${mountPath(options.issuer)}${PATHS.code_verification}${query}`);
    }
    return redirect(step.reply, await begin(step.interaction.params));
  }

  /** A step that needs the person who is signed in. */
  function asPerson(act: (step: InteractionStep, user: User) => Promise<FastifyReply>) {
    return async (step: InteractionStep) => {
      const accountId = step.interaction.session?.accountId;
      const user = accountId === undefined ? null : await findActiveUser(store, accountId);
      return user === null ? over(step.request, step.reply) : act(step, user);
    };
  }
}

/** Accounts are chosen by signing in: none is kept in a browser beside the one that is signed in. */
function pageFor({ interaction: { prompt } }: InteractionStep): "login" | "consent" {
  return prompt.name === "consent" ? "consent" : "login";
}
