import type { FastifyReply } from "fastify";
import type { Client as EngineClient } from "oidc-provider";
import { type AgentChoice, agentChoices, LEVEL_SCOPES, markedChoice } from "../../domain/agent-level.ts";
import type { Client } from "../../domain/clients/client.ts";
import type { User } from "../../domain/people/user.ts";
import { isScopeOfRole } from "../../domain/scopes.ts";
import type { Store } from "../../domain/store/store.ts";
import type { Log } from "../../observe/log.ts";
import { hashToken } from "../../secrets/token-hash.ts";
import { isLoopbackOnly } from "../clients/agent-clients.ts";
import type { ClientDocuments } from "../clients/client-documents.ts";
import { allowedScopes, isChecked, isDocumentId, ownerNameOf, shownName } from "../clients/engine-client.ts";
import type { Audit } from "../engine/audit.ts";
import { type AgentSettings, isAgentRequest } from "../grants/agent-request.ts";
import type { ConsentMemory } from "../grants/consent-memory.ts";
import { UNAVAILABLE_SCOPE } from "../grants/request-checks.ts";
import { redirect, sendPage } from "../http/forms.ts";
import { agentConsentPage } from "../pages/agent-consent.ts";
import { consentPage } from "../pages/consent.ts";
import type { ConsentModel } from "../pages/consent-parts.ts";
import { carriersIn } from "../tokens/claims-parameter.ts";
import type { Resources } from "../tokens/resources.ts";
import { finish, formAction, type InteractionStep } from "./interaction-step.ts";

export interface ConsentOptions {
  readonly operator: string;
  readonly settings: AgentSettings;
  readonly store: Pick<Store, "clients">;
  readonly consents: ConsentMemory;
  readonly resources: Resources;
  /** Null if client ids cannot be URLs of documents. */
  readonly documents: ClientDocuments | null;
  readonly log: Log;
  readonly audit: Audit;
}

/** A step of the consent page, of the person who is signed in. */
type ConsentStep = (step: InteractionStep, user: User) => Promise<FastifyReply>;

/** Asks the person whether the client may have what it asks for, and keeps the answer. */
export function openConsent(options: ConsentOptions): { readonly show: ConsentStep; readonly decide: ConsentStep } {
  const { operator, settings, store, consents, resources, documents, log, audit } = options;
  return { show, decide };

  async function show(step: InteractionStep, user: User): Promise<FastifyReply> {
    const { client, reply } = step;
    const question = await questionOf(step, user);
    const { targets, agent } = question;
    const model: ConsentModel = {
      operator,
      action: `${step.path}/consent`,
      switchAction: `${step.path}/switch`,
      csrf: step.csrf,
      question: nameOf(question),
      client: { name: shownName(client), ...destination(step), checked: isChecked(client), owner: ownerNameOf(client) },
      person: { name: user.name, email: user.email },
      elsewhere: targets.elsewhere,
      here: targets.here,
      unavailableScopes: unavailable(step, question),
      offline: client.grantTypeAllowed("refresh_token"),
    };
    const page =
      agent === null
        ? consentPage({ ...model, scopes: question.scopes })
        : agentConsentPage({ ...model, ...describeAgent(model, client, agent, resources) });
    return sendPage(reply, page, { formAction: formAction(step) });
  }

  async function decide(step: InteractionStep, user: User): Promise<FastifyReply> {
    const { client, field, request, interaction } = step;
    const facts = { event: "consent", userId: user.id, clientId: client.clientId, requestId: request.id };
    const decision = { ...facts, event: "consent", address: request.ip } as const;
    if (field("decision") !== "approve") {
      await audit.record({ ...decision, result: "denied" });
      log.info(facts, "denied");
      return finish(step, { error: "access_denied", error_description: "the person did not agree" });
    }
    const question = await questionOf(step, user);
    const { targets, agent } = question;
    const choice = agent === null ? null : chosen(agent, field("level"));
    if (choice === undefined || field("question") !== nameOf(question)) return redirect(step.reply, step.path);
    const scopes = choice?.scopes ?? question.scopes;
    const { here, elsewhere } = targets;
    const places = new Map(elsewhere.map((identifier) => [identifier, resources.scopesElsewhere(scopes, identifier)]));
    const scopesHere = resources.scopesHere(scopes, targets);
    if (isDocumentId(client.clientId)) await documents?.keep(client.clientId);
    if (client.origin === "registration") await store.clients.markUsed(client.clientId);
    const remember = (given: readonly string[], identifier?: string) =>
      choice === null
        ? consents.add(user.id, client.clientId, given, identifier)
        : consents.choose(user.id, client.clientId, { scopes: given, declined: choice.declined }, identifier);
    if (here || scopesHere.length > 0) await remember(scopesHere);
    for (const [identifier, given] of places) await remember(given, identifier);
    const level = choice === null ? {} : { level: choice.level };
    const detail = [...scopes, ...elsewhere.map((identifier) => `at ${identifier}`)].join(" ");
    await audit.record({
      ...decision,
      result: "ok",
      detail: choice === null ? detail : `level ${choice.level}: ${detail}`,
    });
    log.info({ ...facts, ...level, scopes, ...(elsewhere.length === 0 ? {} : { elsewhere }) }, "agreed");
    if (choice !== null) interaction.params = { ...interaction.params, scope: scopeParam(step, choice) };
    return finish(step, { consent: {} });
  }

  /** The scopes that the consent page asks about, where they would be used, and the choices where the client is an agent. */
  async function questionOf(step: InteractionStep, { id, role }: User): Promise<Question> {
    const { client, interaction } = step;
    const targets = resources.targetsOf(interaction.params.resource);
    const requested = requestedScopes(step).filter((scope) => isScopeOfRole(scope, role));
    const usable = new Set([
      ...resources.scopesHere(requested, targets),
      ...targets.elsewhere.flatMap((identifier) => resources.scopesElsewhere(requested, identifier)),
    ]);
    const scopes = requested.filter((scope) => usable.has(scope));
    const { origin, redirectUris = [] } = client as typeof client & Pick<Client, "origin">;
    const choices = isAgentRequest(targets, { origin, redirectUris }, settings) ? agentChoices(scopes) : [];
    if (choices.length === 0) return { targets, scopes, agent: null };
    const door = targets.elsewhere.find((identifier) => resources.doorOf(identifier) === "mcp");
    const marked = markedChoice(choices, await consents.findLevel(id, client.clientId, door));
    return { targets, scopes, agent: { choices, marked } };
  }
}

interface Question {
  readonly targets: ReturnType<Resources["targetsOf"]>;
  /** All that the client asks for and could have. */
  readonly scopes: readonly string[];
  readonly agent: AgentQuestion | null;
}

interface AgentQuestion {
  readonly choices: readonly AgentChoice[];
  readonly marked: AgentChoice;
}

/**
 * Tells questions apart. A client may change itself, its redirects for example, while a person reads the page: what they
 * answered must be what they were asked.
 */
function nameOf({ targets, scopes, agent }: Question): string {
  return hashToken(JSON.stringify([targets, scopes, agent?.choices ?? null]));
}

/** The choice by the name of its level; the marked one without a name, undefined for a level that was not offered. */
function chosen({ choices, marked }: AgentQuestion, level: string): AgentChoice | undefined {
  return level === "" ? marked : choices.find((choice) => choice.level === level);
}

/** The scope of the request after the choice: the code, its tokens and their answers then carry it. */
function scopeParam({ interaction: { params } }: InteractionStep, { scopes }: AgentChoice): string {
  const asked = scopesOf(params.scope);
  return scopes.filter((scope) => asked.includes(scope) || LEVEL_SCOPES.has(scope)).join(" ");
}

/** Scopes that the client asked for and cannot have, whatever the person answers. */
function unavailable(step: InteractionStep, { scopes, agent }: Question): string[] {
  const { params } = step.interaction;
  const possible = agent === null ? scopes : agent.choices.flatMap((choice) => choice.scopes);
  return [
    ...scopesOf(params[UNAVAILABLE_SCOPE]),
    ...requestedScopes(step).filter((scope) => !possible.includes(scope)),
    ...carriersIn(params.claims).filter((scope) => !allowedScopes(step.client).includes(scope)),
  ];
}

function describeAgent(
  { client: shown, elsewhere = [] }: ConsentModel,
  { clientId, clientName = clientId, redirectUris = [], origin }: EngineClient,
  { choices, marked }: AgentQuestion,
  { doorOf }: Resources,
) {
  return {
    client: { ...shown, name: clientName },
    levels: choices.map(({ level }) => level),
    marked: marked.level,
    scopes: marked.scopes.filter((scope) => !LEVEL_SCOPES.has(scope)),
    // The URL of /mcp says nothing to a person.
    elsewhere: elsewhere.filter((identifier) => doorOf(identifier) === null),
    nameOwner: origin === "document" ? new URL(clientId).host : null,
    isLoopbackOnly: isLoopbackOnly(redirectUris),
  };
}

/** Scopes that the consent page asks for, with those of claims that the client asks for by name. */
function requestedScopes({ interaction: { params }, client }: InteractionStep): string[] {
  const carriers = carriersIn(params.claims).filter((scope) => allowedScopes(client).includes(scope));
  return [...new Set([...scopesOf(params.scope), ...carriers])];
}

function scopesOf(scope: unknown): string[] {
  return typeof scope === "string" ? scope.split(" ").filter((name) => name !== "") : [];
}

function destination(step: InteractionStep): { redirectHost: string | null; loopback: boolean } {
  const [redirectUri] = formAction(step);
  if (redirectUri === undefined) return { redirectHost: null, loopback: false };
  const url = new URL(redirectUri);
  if (url.protocol !== "https:" && url.protocol !== "http:") return { redirectHost: url.protocol, loopback: false };
  return { redirectHost: url.host, loopback: ["127.0.0.1", "[::1]", "localhost"].includes(url.hostname) };
}
