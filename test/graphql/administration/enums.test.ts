import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type GraphQLEnumType, isEnumType, isIntrospectionType } from "graphql";
import type { WayBack } from "../../../src/domain/agents/way-back.ts";
import { AUDIT_EVENTS, type AuditResult } from "../../../src/domain/audit.ts";
import { SUBJECT_KINDS } from "../../../src/domain/clients/certificate-subject.ts";
import {
  ASSERTION_ALGORITHMS,
  type Client,
  DEVICE_GRANT,
  GRANT_TYPES,
  SIGNING_ALGORITHMS,
} from "../../../src/domain/clients/client.ts";
import { EVENT_TYPES, isOfPost } from "../../../src/domain/events/event.ts";
import type { Webhook } from "../../../src/domain/events/webhook.ts";
import { DELIVERY_STATES } from "../../../src/domain/events/webhook-delivery.ts";
import { ACCOUNT_STATES } from "../../../src/domain/people/account-search.ts";
import type { AccountState } from "../../../src/domain/people/account-state.ts";
import { DELETION_POSTS } from "../../../src/domain/people/deletion.ts";
import type { InvitationState } from "../../../src/domain/people/invitation.ts";
import { MAIL_KINDS, MAIL_STATES } from "../../../src/domain/people/mail.ts";
import { POST_STATUSES } from "../../../src/domain/post-status.ts";
import type { HeldBecause } from "../../../src/domain/posts/planned-update.ts";
import type { RevisionKind } from "../../../src/domain/posts/revisions.ts";
import { KEY_STATES } from "../../../src/domain/store/signing-key-administration.ts";
import { ROLES } from "../../../src/domain/viewer.ts";
import { enumName } from "../../../src/graphql/administration/field.ts";
import { loadSchema } from "../../../src/graphql/documents/schema.ts";

/** All members of a union, which the type check compares with the union itself. */
function membersOf<Union extends string>(members: Record<Union, true>): string[] {
  return Object.keys(members);
}

/** The values of our own that each enum of the schema stands for. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  AccountState: ACCOUNT_STATES,
  AddressState: membersOf<AccountState["mailState"]>({ ok: true, failing: true }),
  AuditEvent: AUDIT_EVENTS,
  AuditResult: membersOf<AuditResult>({
    ...{ ok: true, refused: true, denied: true },
    ...{ limited: true, reuse: true, failed: true },
  }),
  CertificateSubjectKind: SUBJECT_KINDS,
  ClientOrigin: membersOf<Client["origin"]>({ operator: true, person: true, registration: true, document: true }),
  DeletionPosts: DELETION_POSTS,
  GrantType: GRANT_TYPES.map((grant) => (grant === DEVICE_GRANT ? "device_code" : grant)),
  HealthState: ["ok", "warning", "failing"],
  InvitationState: membersOf<InvitationState>({ open: true, accepted: true, withdrawn: true, expired: true }),
  MailKind: MAIL_KINDS,
  MailState: MAIL_STATES,
  PostReversal: membersOf<WayBack["as"]>({ deleted: true, restored: true, "created-again": true }),
  PostEventType: EVENT_TYPES.filter(isOfPost).map((type) => type.slice("post.".length)),
  PostStatus: POST_STATUSES,
  Role: ROLES,
  SettingSource: ["environment", "file", "default"],
  SigningKeyState: KEY_STATES,
  WebhookDeliveryState: DELIVERY_STATES,
  WebhookDisabler: membersOf<NonNullable<Webhook["disabledBy"]>>({ administrator: true, receiver: true }),
  WebhookEvent: EVENT_TYPES,
};

/** Names that are written as in the schema: those of RFC 7518, kinds of revisions, reasons to hold an update back. */
const VERBATIM: Readonly<Record<string, readonly string[]>> = {
  AssertionAlgorithm: ASSERTION_ALGORITHMS,
  PlannedUpdateHold: membersOf<HeldBecause>({ POST_CHANGED: true, SLUG_TAKEN: true }),
  PostRevisionKind: membersOf<RevisionKind>({
    ...{ CREATED: true, APPLIED: true, PUBLISHED: true, UNPUBLISHED: true },
    ...{ ARCHIVED: true, SCHEDULED: true, RESTORED: true, MERGED: true },
  }),
  SigningAlgorithm: SIGNING_ALGORITHMS,
};

/** Enums that stand for no values of ours: they order lists, or say what a field of ours comes to. */
const OF_THE_SCHEMA_ALONE = [
  "AfterApply",
  "ClientState",
  "ClientType",
  "ClientsBy",
  "OrderDirection",
  "PostOrderField",
  "SignInMethod",
  "UserOrderField",
];

describe("enums of the schema", () => {
  const enums = new Map(
    Object.values(loadSchema().getTypeMap())
      .filter((type): type is GraphQLEnumType => isEnumType(type) && !isIntrospectionType(type))
      .map((type) => [type.name, type.getValues().map(({ name }) => name)]),
  );
  const expected = new Map([
    ...Object.entries(VALUES).map(([name, values]) => [name, values.map(enumName)] as const),
    ...Object.entries(VERBATIM),
  ]);

  for (const [name, values] of expected)
    test(`${name} has the values that there are, and no others`, () => {
      assert.deepEqual(enums.get(name)?.toSorted(), values.toSorted());
    });

  test("no enum is left out", () => {
    assert.deepEqual([...enums.keys()].sort(), [...expected.keys(), ...OF_THE_SCHEMA_ALONE].sort());
  });
});
