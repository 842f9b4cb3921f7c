import type { FastifyReply, FastifyRequest } from "fastify";
import type Provider from "oidc-provider";
import { type Client, errors, type Interaction, type InteractionResults } from "oidc-provider";
import type { User } from "../../domain/people/user.ts";
import { findActiveUser } from "../../domain/people/user.ts";
import { isScopeOfRole } from "../../domain/scopes.ts";
import type { Store } from "../../domain/store/store.ts";
import type { Log } from "../../observe/log.ts";
import { openSigner } from "../../secrets/seal.ts";
import type { ClientDocuments } from "../clients/client-documents.ts";
import { allowedScopes, isChecked, isDocumentId, shownName } from "../clients/engine-client.ts";
import type { Audit } from "../engine/audit.ts";
import type { ConsentMemory } from "../grants/consent-memory.ts";
import { releaseDeviceCode } from "../grants/device-code.ts";
import { UNAVAILABLE_SCOPE } from "../grants/request-checks.ts";
import { engineRequest } from "../http/engine-request.ts";
import { readForm, redirect, sendErrorPage, sendPage } from "../http/forms.ts";
import { mountPath, PATHS } from "../http/paths.ts";
import { consentPage } from "../pages/consent.ts";
import { OVER } from "../pages/error.ts";
import { signInPage } from "../pages/sign-in.ts";
import { carriersIn } from "../tokens/claims-parameter.ts";
import type { Resources } from "../tokens/resources.ts";
import type { PastInteractions } from "./past-interactions.ts";
import { restartUrl } from "./restart.ts";
import { REFUSED, type SignInCheck } from "./sign-in-check.ts";

export interface InteractionOptions {
  readonly issuer: string;
  readonly operator: string;
  readonly secret: Uint8Array;
  readonly provider: Provider;
  readonly store: Store;
  readonly consents: ConsentMemory;
  readonly resources: Resources;
  readonly past: PastInteractions;
  readonly documents: ClientDocuments | null;
  readonly checkSignIn: SignInCheck;
  readonly log: Log;
  readonly audit: Audit;
}

/** One request within an interaction, from the browser that it belongs to. */
interface Step {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly interaction: Interaction;
  readonly client: Client;
  readonly field: (name: string) => string;
}

export type InteractionRequest = FastifyRequest<{ Params: { uid: string } }>;

/** What the pages of an interaction answer, by what the person does. */
export type InteractionHandlers = Readonly<
  Record<
    "show" | "sign-in" | "consent" | "switch" | "cancel",
    (request: InteractionRequest, reply: FastifyReply) => Promise<FastifyReply>
  >
>;

/** Sign-in and consent. The engine sends a browser here, and gets it back when the person has decided. */
export function openInteractions(options: InteractionOptions): InteractionHandlers {
  const { operator, provider, store, consents, resources, past, log, audit } = options;
  const issuer = new URL(options.issuer);
  const root = `${mountPath(options.issuer)}/interaction`;
  const forms = openSigner(options.secret, "interaction forms");

  const begin = (params: Readonly<Record<string, unknown>>) => restartUrl(provider, options.issuer, params);

  return {
    show: async (request, reply) => {
      const step = await load(request, reply);
      if (step === null) return over(request, reply);
      return pageFor(step) === "login" ? showSignIn(step) : showConsent(step);
    },
    "sign-in": onPost("login", signIn),
    consent: onPost("consent", decide),
    switch: onPost("consent", switchPerson),
    cancel: onPost("login", (step) =>
      finish(step, { error: "access_denied", error_description: "the person cancelled" }),
    ),
  };

  /** A step that a form of ours asks for: the right page, and its proof that it came from there (A12). */
  function onPost(prompt: ReturnType<typeof pageFor>, act: (step: Step) => Promise<FastifyReply>) {
    return async (request: InteractionRequest, reply: FastifyReply) => {
      const step = await load(request, reply);
      if (step === null) return over(request, reply);
      if (!forms.verify(step.interaction.uid, step.field("csrf"))) return over(request, reply);
      if (pageFor(step) !== prompt) return redirect(reply, pathOf(step));
      return act(step);
    };
  }

  /** Null unless this browser holds the interaction's signed cookie, and the interaction is open. */
  async function load(request: InteractionRequest, reply: FastifyReply): Promise<Step | null> {
    try {
      const interaction = await provider.interactionDetails(engineRequest(request, issuer), reply.raw);
      if (interaction.uid !== request.params.uid) return null;
      const client = await provider.Client.find(String(interaction.params.client_id));
      return client === undefined ? null : { request, reply, interaction, client, field: readForm(request) };
    } catch (error) {
      if (error instanceof errors.SessionNotFound) return null;
      throw error;
    }
  }

  async function over(request: InteractionRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { uid } = request.params;
    const { cookies } = provider.createContext(engineRequest(request, issuer), reply.raw);
    const isOurs = cookies.get(provider.cookieName("interaction"), { signed: true }) === uid;
    const next = isOurs ? await past.restart(uid, begin) : await past.wayBack(uid);
    return sendErrorPage(reply, operator, { ...OVER, next });
  }

  function showSignIn(step: Step, refused?: { email: string }): FastifyReply {
    const { interaction, client, reply } = step;
    const hint = interaction.params.login_hint;
    const email = refused?.email ?? (typeof hint === "string" ? hint : "");
    const page = signInPage({
      operator,
      action: `${pathOf(step)}/sign-in`,
      csrf: forms.sign(interaction.uid),
      clientName: shownName(client),
      email,
      ...(refused === undefined ? {} : { error: REFUSED }),
      cancel: { action: `${pathOf(step)}/cancel` },
    });
    return sendPage(reply, page, { status: refused === undefined ? 200 : 400, formAction: formAction(step) });
  }

  async function signIn(step: Step): Promise<FastifyReply> {
    const { request, interaction, field } = step;
    const email = field("email").trim(); // Keyboards of phones leave a space behind a completed word.
    const { clientId } = step.client;
    const facts = { event: "sign-in", clientId, address: request.ip, requestId: request.id } as const;
    const user = await options.checkSignIn({ ...facts, email, password: field("password") });
    if (user === null) {
      log.warn(facts, "refused");
      return showSignIn(step, { email });
    }
    log.info({ event: "sign-in", userId: user.id, clientId: step.client.clientId, requestId: request.id }, "signed in");
    if (await endOtherSession(step, user.id)) delete interaction.session;
    return finish(step, { login: { accountId: user.id, amr: ["pwd"] }, select_account: {} });
  }

  /** Ends the session of somebody else in this browser. @returns whether there was one */
  async function endOtherSession({ request, reply }: Step, userId: string | null): Promise<boolean> {
    const session = await provider.Session.get(provider.createContext(engineRequest(request, issuer), reply.raw));
    if (session.accountId === undefined || session.accountId === userId) return false;
    await session.destroy();
    return true;
  }

  async function showConsent(step: Step): Promise<FastifyReply> {
    const { interaction, client, reply, request } = step;
    const user = await personOf(step);
    if (user === null) return over(request as InteractionRequest, reply);
    const requested = requestedScopes(step);
    const { here, elsewhere, scopes } = wanted(step, user);
    const page = consentPage({
      operator,
      action: `${pathOf(step)}/consent`,
      switchAction: `${pathOf(step)}/switch`,
      csrf: forms.sign(interaction.uid),
      client: { name: shownName(client), ...destination(step), checked: isChecked(client) },
      person: { name: user.name, email: user.email },
      scopes,
      elsewhere,
      here,
      unavailableScopes: [
        ...scopesOf(interaction.params[UNAVAILABLE_SCOPE]),
        ...requested.filter((scope) => !scopes.includes(scope)),
        ...carriersIn(interaction.params.claims).filter((scope) => !allowedScopes(client).includes(scope)),
      ],
      offline: client.grantTypeAllowed("refresh_token"),
    });
    return sendPage(reply, page, { formAction: formAction(step) });
  }

  async function decide(step: Step): Promise<FastifyReply> {
    const { client, field, request } = step;
    const user = await personOf(step);
    if (user === null) return over(request as InteractionRequest, step.reply);
    const facts = { event: "consent", userId: user.id, clientId: client.clientId, requestId: request.id };
    const decision = { ...facts, event: "consent", address: request.ip } as const;
    if (field("decision") !== "approve") {
      await audit.record({ ...decision, result: "denied" });
      log.info(facts, "denied");
      return finish(step, { error: "access_denied", error_description: "the person did not agree" });
    }
    const { here, elsewhere, scopesHere, scopesElsewhere, scopes } = wanted(step, user);
    if (isDocumentId(client.clientId)) await options.documents?.keep(client.clientId);
    if (here || scopesHere.length > 0) await consents.add(user.id, client.clientId, scopesHere);
    for (const identifier of elsewhere) await consents.add(user.id, client.clientId, scopesElsewhere, identifier);
    const places = elsewhere.length === 0 ? {} : { elsewhere };
    const detail = [...scopes, ...elsewhere.map((identifier) => `at ${identifier}`)].join(" ");
    await audit.record({ ...decision, result: "ok", detail });
    log.info({ ...facts, scopes, ...places }, "agreed");
    return finish(step, { consent: {} });
  }

  /** What the person is asked to allow, at our API and elsewhere. */
  function wanted(step: Step, { role }: User) {
    const targets = resources.targetsOf(step.interaction.params.resource);
    const requested = requestedScopes(step).filter((scope) => isScopeOfRole(scope, role));
    const scopesHere = resources.scopesHere(requested, targets);
    const scopesElsewhere = targets.elsewhere.length === 0 ? [] : resources.scopesElsewhere(requested);
    const scopes = requested.filter((scope) => scopesHere.includes(scope) || scopesElsewhere.includes(scope));
    return { ...targets, scopesHere, scopesElsewhere, scopes };
  }

  async function switchPerson(step: Step): Promise<FastifyReply> {
    await endOtherSession(step, null);
    const { deviceCode } = step.interaction;
    if (deviceCode !== undefined) {
      const released = await releaseDeviceCode(provider, store.attempts, deviceCode);
      const query = released.userCode === undefined ? "" : `?user_code=${released.userCode}`;
      return redirect(step.reply, `${mountPath(options.issuer)}${PATHS.code_verification}${query}`);
    }
    return redirect(step.reply, await begin(step.interaction.params));
  }

  /** Hands the browser back to the engine. */
  async function finish({ interaction, reply }: Step, result: InteractionResults): Promise<FastifyReply> {
    interaction.result = "error" in result ? result : { ...interaction.lastSubmission, ...result };
    await interaction.persist();
    return redirect(reply, interaction.returnTo);
  }

  async function personOf({ interaction }: Step): Promise<User | null> {
    const accountId = interaction.session?.accountId;
    return accountId === undefined ? null : findActiveUser(store, accountId);
  }

  function pathOf({ interaction }: Step): string {
    return `${root}/${interaction.uid}`;
  }
}

/** Accounts are chosen by signing in: none is kept in a browser beside the one that is signed in. */
function pageFor({ interaction: { prompt } }: Step): "login" | "consent" {
  return prompt.name === "consent" ? "consent" : "login";
}

/** Where the answer to the client goes; nowhere for a device, which asks for it. */
function formAction({ interaction }: Step): string[] {
  return interaction.deviceCode === undefined ? [String(interaction.params.redirect_uri)] : [];
}

/** What the person is asked about: scopes, and those of claims that the client asks for by their names. */
function requestedScopes({ interaction: { params }, client }: Step): string[] {
  const carriers = carriersIn(params.claims).filter((scope) => allowedScopes(client).includes(scope));
  return [...new Set([...scopesOf(params.scope), ...carriers])];
}

function scopesOf(scope: unknown): string[] {
  return typeof scope === "string" ? scope.split(" ").filter((name) => name !== "") : [];
}

function destination(step: Step): { redirectHost: string | null; loopback: boolean } {
  const [redirectUri] = formAction(step);
  if (redirectUri === undefined) return { redirectHost: null, loopback: false };
  const url = new URL(redirectUri);
  if (url.protocol !== "https:" && url.protocol !== "http:") return { redirectHost: url.protocol, loopback: false };
  return { redirectHost: url.host, loopback: ["127.0.0.1", "[::1]", "localhost"].includes(url.hostname) };
}
