import { assertAdministrator } from "../../domain/administration.ts";
import { assertDeveloper } from "../../domain/clients/own-clients.ts";
import { AppError } from "../../domain/errors.ts";
import type { Store } from "../../domain/store/store.ts";
import { userErrors } from "../execution/change.ts";
import type { AdministrationRequest } from "../execution/execute.ts";
import { toJson } from "../plan/object-shape.ts";
import type { AdministrationField } from "../plan/root-field.ts";
import { EXPORT_QUERIES } from "./account-export.ts";
import { AGENT_CHANGES, AGENT_QUERIES } from "./agents.ts";
import { AUDIT_QUERIES } from "./audit.ts";
import { CLIENT_CHANGES, CLIENT_QUERIES } from "./clients.ts";
import type { AdministrationContext, AdministrationTools, Change, Query } from "./field.ts";
import { INSTALLATION_CHANGES, INSTALLATION_QUERIES } from "./installation.ts";
import { INVITATION_CHANGES, INVITATION_QUERIES } from "./invitations.ts";
import { MAIL_CHANGES, MAIL_QUERIES } from "./mails.ts";
import { OWN_CLIENT_CHANGES, OWN_CLIENT_QUERIES } from "./own-clients.ts";
import { PEOPLE_CHANGES, PEOPLE_QUERIES } from "./people.ts";
import { WEBHOOK_CHANGES, WEBHOOK_QUERIES } from "./webhooks.ts";

const QUERIES: Readonly<Record<string, Query>> = {
  ...WEBHOOK_QUERIES,
  ...PEOPLE_QUERIES,
  ...EXPORT_QUERIES,
  ...INVITATION_QUERIES,
  ...MAIL_QUERIES,
  ...CLIENT_QUERIES,
  ...OWN_CLIENT_QUERIES,
  ...AGENT_QUERIES,
  ...AUDIT_QUERIES,
  ...INSTALLATION_QUERIES,
};
const CHANGES: Readonly<Record<string, Change>> = {
  ...WEBHOOK_CHANGES,
  ...PEOPLE_CHANGES,
  ...INVITATION_CHANGES,
  ...MAIL_CHANGES,
  ...CLIENT_CHANGES,
  ...OWN_CLIENT_CHANGES,
  ...AGENT_CHANGES,
  ...INSTALLATION_CHANGES,
};

/**
 * Answers one root field under the scope `admin`, or under `clients:own` for a person. These few fields are answered object by object, unlike content, which is
 * read by one statement.
 *
 * @returns JSON text
 * @throws AppError FORBIDDEN for everybody except administrators, or except people for their own clients, and the errors of the use-case
 */
export async function administer(
  { store, tools }: { readonly store: Store; readonly tools: AdministrationTools },
  field: AdministrationField,
  request: AdministrationRequest,
): Promise<string> {
  const { viewer, args, values, keyed, index, requestId, address } = request;
  const { definition, shape, selected, isOwn } = field;
  const owner = isOwn ? assertDeveloper(viewer, tools.clientsBy) : null;
  if (owner === null) assertAdministrator(viewer);
  const context: AdministrationContext = {
    ...tools,
    store,
    actorId: viewer.userId,
    once: keyed?.once(index),
    first: Number(values[0] ?? 0),
    callWebhook: (webhook, body, callerId) => tools.callWebhook(webhook, body, callerId, requestId),
    selectsAny: (fields) => fields.some((name) => selected.has(name)),
    record: ({ detail, ...event }) =>
      tools.record({
        ...(owner === null ? {} : { userId: owner }),
        ...event,
        detail: `${detail} by ${viewer.userId}`,
        ...{ actorId: viewer.userId, requestId, address },
      }),
  };
  if (!field.isMutation) return toJson(await named(QUERIES, definition.name)(context, args), shape);
  const change = named(CHANGES, definition.name);
  const made = keyed?.changedBefore(index) ?? null;
  if (made !== null) return toJson({ ...(await change.recall(context, made)), errors: [] }, shape);
  try {
    return toJson({ ...(await change.make(context, args)), errors: [] }, shape);
  } catch (error) {
    const errors = userErrors(error);
    if (errors === null) throw error;
    if (keyed !== null) keyed.isWhole = false;
    return toJson({ errors }, shape);
  }
}

function named<T>(all: Readonly<Record<string, T>>, name: string): T {
  const found = all[name];
  if (found === undefined) throw new AppError("INTERNAL", `schema.graphql has ${name}, which nothing does.`);
  return found;
}
