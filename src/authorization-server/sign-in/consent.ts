import type { FastifyReply } from "fastify";
import type { User } from "../../domain/people/user.ts";
import { isScopeOfRole } from "../../domain/scopes.ts";
import type { Log } from "../../observe/log.ts";
import type { ClientDocuments } from "../clients/client-documents.ts";
import { allowedScopes, isChecked, isDocumentId, shownName } from "../clients/engine-client.ts";
import type { Audit } from "../engine/audit.ts";
import type { ConsentMemory } from "../grants/consent-memory.ts";
import { UNAVAILABLE_SCOPE } from "../grants/request-checks.ts";
import { sendPage } from "../http/forms.ts";
import { consentPage } from "../pages/consent.ts";
import { carriersIn } from "../tokens/claims-parameter.ts";
import type { Resources } from "../tokens/resources.ts";
import { finish, formAction, type InteractionStep } from "./interaction-step.ts";

export interface ConsentOptions {
  readonly operator: string;
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
export function openConsent({ operator, consents, resources, documents, log, audit }: ConsentOptions): {
  readonly show: ConsentStep;
  readonly decide: ConsentStep;
} {
  return { show, decide };

  async function show(step: InteractionStep, user: User): Promise<FastifyReply> {
    const { interaction, client, reply } = step;
    const requested = requestedScopes(step);
    const { here, elsewhere, scopes } = wanted(step, user);
    const page = consentPage({
      operator,
      action: `${step.path}/consent`,
      switchAction: `${step.path}/switch`,
      csrf: step.csrf,
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

  async function decide(step: InteractionStep, user: User): Promise<FastifyReply> {
    const { client, field, request } = step;
    const facts = { event: "consent", userId: user.id, clientId: client.clientId, requestId: request.id };
    const decision = { ...facts, event: "consent", address: request.ip } as const;
    if (field("decision") !== "approve") {
      await audit.record({ ...decision, result: "denied" });
      log.info(facts, "denied");
      return finish(step, { error: "access_denied", error_description: "the person did not agree" });
    }
    const { here, elsewhere, scopesHere, scopesElsewhere, scopes } = wanted(step, user);
    if (isDocumentId(client.clientId)) await documents?.keep(client.clientId);
    if (here || scopesHere.length > 0) await consents.add(user.id, client.clientId, scopesHere);
    for (const identifier of elsewhere)
      await consents.add(user.id, client.clientId, resources.scopesElsewhere(scopesElsewhere, identifier), identifier);
    const places = elsewhere.length === 0 ? {} : { elsewhere };
    const detail = [...scopes, ...elsewhere.map((identifier) => `at ${identifier}`)].join(" ");
    await audit.record({ ...decision, result: "ok", detail });
    log.info({ ...facts, scopes, ...places }, "agreed");
    return finish(step, { consent: {} });
  }

  /** Scopes that the consent page asks for, at our API and elsewhere. */
  function wanted(step: InteractionStep, { role }: User) {
    const targets = resources.targetsOf(step.interaction.params.resource);
    const requested = requestedScopes(step).filter((scope) => isScopeOfRole(scope, role));
    const scopesHere = resources.scopesHere(requested, targets);
    const scopesElsewhere = targets.elsewhere.flatMap((place) => resources.scopesElsewhere(requested, place));
    const scopes = requested.filter((scope) => scopesHere.includes(scope) || scopesElsewhere.includes(scope));
    return { ...targets, scopesHere, scopesElsewhere, scopes };
  }
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
