// Written by bin/studio-documents.js from the .graphql files of this folder (npm run docs:studio).
import type { StudioDocument } from "../ports.ts";
import type { AuditFilter } from "./inputs.ts";

export interface AuditRow {
  readonly id: string;
  readonly at: string;
  readonly event: ("SIGN_IN" | "CONSENT" | "AUTHORIZATION" | "TOKEN" | "REVOCATION" | "INTROSPECTION" | "USERINFO" | "SIGN_OUT" | "SESSION" | "PASSWORD" | "PASSKEY" | "PERSON" | "CLIENT" | "WEBHOOK" | "KEYS" | "SET_UP" | "SIGN_UP" | "RECOVERY" | "INVITATION" | "EMAIL" | "MAIL" | "EXPORT" | "DELETION" | "STEP_UP" | "SECOND_STEP" | "RECOVERY_CODE" | "SCIM" | "UPSTREAM" | "LINK" | "AGENT" | "AUDIT");
  readonly result: ("OK" | "REFUSED" | "DENIED" | "LIMITED" | "REUSE" | "FAILED");
  readonly personId: string | null;
  readonly clientId: string | null;
  readonly address: string | null;
  readonly actorId: string | null;
  readonly requestId: string | null;
  readonly detail: string | null;
  readonly actor: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
  } | null;
  readonly person: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
  } | null;
  readonly client: {
    readonly id: string;
    readonly name: string;
  } | null;
}

export interface AuditRowsData {
  readonly auditEntries: {
    readonly nodes: readonly AuditRow[];
    readonly pageInfo: {
      readonly hasNextPage: boolean;
      readonly endCursor: string | null;
    };
  };
}

export interface AuditRowsVariables {
  readonly first: number;
  readonly after?: string | null;
  readonly filter?: AuditFilter | null;
}

export const AuditRows: StudioDocument<AuditRowsData, AuditRowsVariables> = {
  text: "fragment AuditRow on AuditEntry{id at event result personId clientId address actorId requestId detail actor{id name email}person{id name email}client{id name}}query AuditRows($first:Int!$after:String$filter:AuditFilter){auditEntries(first:$first after:$after filter:$filter){nodes{...AuditRow}pageInfo{hasNextPage endCursor}}}",
  id: "sha256:d2c976c03bf161881740b6a4d9a519fabdaf1b49732a45081aaa335c8c1703fb",
};

export interface PersonIdByEmailData {
  readonly accountBy: {
    readonly id: string;
  } | null;
}

export interface PersonIdByEmailVariables {
  readonly email: string;
}

export const PersonIdByEmail: StudioDocument<PersonIdByEmailData, PersonIdByEmailVariables> = {
  text: "query PersonIdByEmail($email:String!){accountBy(by:{email:$email}){id}}",
  id: "sha256:12921dab543a7ad95d5479aa1109f78a57e551f2039f7fbd21ea3b2b41213cf4",
};
