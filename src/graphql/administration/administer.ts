import { assertAdministrator } from "../../domain/administration.ts";
import { AppError } from "../../domain/errors.ts";
import type { Store } from "../../domain/store/store.ts";
import { userErrors } from "../execution/change.ts";
import type { AdministrationRequest } from "../execution/execute.ts";
import { toJson } from "../plan/object-shape.ts";
import type { AdministrationField } from "../plan/root-field.ts";
import { AGENT_CHANGES, AGENT_QUERIES } from "./agents.ts";
import { AUDIT_QUERIES } from "./audit.ts";
import { CLIENT_CHANGES, CLIENT_QUERIES } from "./clients.ts";
import type { AdministrationContext, AdministrationTools, Change, Query } from "./field.ts";
import { INVITATION_CHANGES, INVITATION_QUERIES } from "./invitations.ts";
import { MAIL_CHANGES, MAIL_QUERIES } from "./mails.ts";
import { PEOPLE_CHANGES, PEOPLE_QUERIES } from "./people.ts";
import { WEBHOOK_CHANGES, WEBHOOK_QUERIES } from "./webhooks.ts";

const QUERIES: Readonly<Record<string, Query>> = {
  ...WEBHOOK_QUERIES,
  ...PEOPLE_QUERIES,
  ...INVITATION_QUERIES,
  ...MAIL_QUERIES,
  ...CLIENT_QUERIES,
  ...AGENT_QUERIES,
  ...AUDIT_QUERIES,
};
const CHANGES: Readonly<Record<string, Change>> = {
  ...WEBHOOK_CHANGES,
  ...PEOPLE_CHANGES,
  ...INVITATION_CHANGES,
  ...MAIL_CHANGES,
  ...CLIENT_CHANGES,
  ...AGENT_CHANGES,
};

/**
 * Answers one root field under the scope `admin`. These few fields are answered object by object, unlike content, which is
 * read by one statement.
 *
 * @returns JSON text
 * @throws AppError FORBIDDEN for everybody except administrators, and the errors of the use-case
 */
export async function administer(
  { store, tools }: { readonly store: Store; readonly tools: AdministrationTools },
  field: AdministrationField,
  request: AdministrationRequest,
): Promise<string> {
  const { viewer, args, values, keyed, index, requestId, address } = request;
  assertAdministrator(viewer);
  const { definition, shape } = field;
  const context: AdministrationContext = {
    ...tools,
    store,
    actorId: viewer.userId,
    once: keyed?.once(index),
    first: Number(values[0] ?? 0),
    record: ({ detail, ...event }) =>
      tools.record({ ...event, detail: `${detail} by ${viewer.userId}`, requestId, address }),
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
