import type { NewAuditEvent } from "../../domain/audit.ts";
import type { ClientAdministration } from "../../domain/clients/client-administration.ts";
import { badInput } from "../../domain/errors.ts";
import type { WebhookSecrets } from "../../domain/events/webhook.ts";
import type { CallWebhook } from "../../domain/events/webhook-sending.ts";
import { type Id, parseId } from "../../domain/id.ts";
import type { Once } from "../../domain/idempotency.ts";
import type { PeopleAdministration, UnlockAdministration } from "../../domain/people/people-administration.ts";
import type { PeopleMail } from "../../domain/people/people-mail.ts";
import type { AccessControl } from "../../domain/people/person-access.ts";
import type { User } from "../../domain/people/user.ts";
import type { RenderMarkdown } from "../../domain/posts/rendering.ts";
import { decodeCursor, encodeCursor } from "../../domain/reading/cursor.ts";
import type { KeyControl } from "../../domain/store/signing-key-administration.ts";
import type { Store } from "../../domain/store/store.ts";
import type { Value } from "../plan/object-shape.ts";

/** Parts besides the store that administration needs. */
export interface AdministrationTools {
  readonly webhookSecrets: WebhookSecrets;
  readonly callWebhook: CallWebhook;
  readonly clientCredentials: ClientAdministration["credentials"];
  /** Ids of clients that the program writes itself. */
  readonly builtInClients: ClientAdministration["builtIn"];
  /** Who registers clients: `CLIENTS_BY`. */
  readonly clientsBy: "admins" | "people";
  /** Schemes without a dot that redirect URIs may have: `NATIVE_SCHEMES`. */
  readonly nativeSchemes: readonly string[];
  /** The identifiers of other APIs that tokens may be for: `RESOURCES`. */
  readonly resources: readonly string[];
  readonly hashPassword: PeopleAdministration["hashPassword"];
  readonly mail: PeopleMail;
  readonly access: AccessControl;
  readonly forgetAttempts: UnlockAdministration["forgetAttempts"];
  /** Everything about a person, as the pieces of one JSON document. */
  readonly exportAccount: (user: User) => Promise<AsyncIterable<string>>;
  readonly signingKeys: KeyControl;
  /** The health of this process and of what it uses, checked at most once a second. */
  readonly health: () => Promise<{
    readonly state: string;
    readonly checkedAt: string;
    readonly checks: readonly (Value & { readonly state: string })[];
  }>;
  /** Every setting that this process has, as it is described to administrators. */
  readonly settings: () => readonly (Value & { readonly source: string })[];
  readonly renderMarkdown: RenderMarkdown;
  /** The domain of passkeys that can be used, `PASSKEY_ID`; null where there are none. */
  readonly passkeyId: string | null;
  /** The name of another service that people know, by its id; the id where it is in use no more. */
  readonly upstreamName: (id: string) => string;
  /** Seconds until an account is deleted: `DELETION_DELAY`. */
  readonly deletionDelay: number;
  /** Host names that may be called by plain http: `PRIVATE_HOSTS`. */
  readonly privateHosts: readonly string[];
  /** Unix time in milliseconds. */
  readonly now: () => number;
  /** Writes down what was decided. */
  readonly record: (event: NewAuditEvent) => Promise<void>;
}

/**
 * The context of one root field in an administrator's request, which is the `Administration` of its use-case. `record` adds the
 * administrator, the request and its address.
 */
export interface AdministrationContext extends AdministrationTools {
  readonly store: Store;
  readonly actorId: Id | null;
  readonly once: Once | undefined;
  /** Entries of a page, where the field has `first`. */
  readonly first: number;
  /** Whether the answer has one of these fields, such as `Webhook.waiting`: what takes a query of its own is read only then. */
  readonly selectsAny: (fields: readonly string[]) => boolean;
}

interface EntryPlace {
  readonly key: string;
  readonly id: Id;
}

/** Coerced by the schema, so their types are known. */
export type Arguments = Readonly<Record<string, unknown>>;

export type Query = (
  context: AdministrationContext,
  args: Arguments,
) => Promise<Value | readonly Value[] | string | null>;

export interface Change {
  /** @returns the payload; a secret is in it this once only */
  make(context: AdministrationContext, args: Arguments): Promise<Value>;
  /** The payload of a change that was made for an earlier request with the same Idempotency-Key, as far as it is known. */
  recall(context: AdministrationContext, id: Id): Promise<Value>;
}

/** An invalid identifier names nothing. */
export function idOf(args: Arguments, name = "id"): Id | null {
  return parseId(args[name] as string);
}

/**
 * A page of a list that goes from newest to oldest.
 *
 * @param list by which its cursors are told from others
 * @param read is given the last entry before it, and how many entries are wanted
 * @param keyOf what entries are in the order of, where that is not the id
 * @throws AppError BAD_USER_INPUT for a cursor of another list
 */
export async function newestFirst<Entry extends { readonly id: Id }>(
  list: string,
  { first, after }: { readonly first: number; readonly after: unknown },
  read: (after: EntryPlace | undefined, limit: number) => Promise<readonly Entry[]>,
  toValue: (entry: Entry) => Value,
  keyOf: (entry: Entry) => string = () => "",
): Promise<Value> {
  const found = await read(placeOf(list, after), first + 1);
  const page = found.slice(0, first);
  const edges = page.map((entry) => ({
    cursor: encodeCursor(list, { key: keyOf(entry), id: entry.id }),
    node: toValue(entry),
  }));
  return {
    edges,
    nodes: edges.map(({ node }) => node),
    pageInfo: {
      hasNextPage: found.length > first,
      hasPreviousPage: after != null,
      startCursor: edges[0]?.cursor,
      endCursor: edges.at(-1)?.cursor,
    },
  };
}

function placeOf(list: string, after: unknown): EntryPlace | undefined {
  if (after == null) return undefined;
  const place = decodeCursor(list, after as string);
  const id = parseId(place?.id ?? "");
  if (place === null || id === null) throw badInput("after", "after must be a cursor of this list.");
  return { key: place.key, id };
}

/** As values of the schema's enums: `SIGN_IN` for `sign-in`, and back. */
export function enumName(value: string): string {
  return value.replaceAll(/[-.]/g, "_").toUpperCase();
}

export function enumValue(name: string): string {
  return name.toLowerCase();
}
