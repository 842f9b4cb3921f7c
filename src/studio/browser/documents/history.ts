// Written by bin/studio-documents.js from the .graphql files of this folder (npm run docs:studio).
import type { StudioDocument } from "../ports.ts";
import type { Refusal } from "./frame.ts";
import type { PublishingCopy, PublishingTexts } from "./publishing.ts";

export interface HistoryEntry {
  readonly id: string;
  readonly version: number;
  readonly kind: ("CREATED" | "APPLIED" | "PUBLISHED" | "UNPUBLISHED" | "ARCHIVED" | "SCHEDULED" | "RESTORED" | "MERGED");
  readonly createdAt: string;
  readonly status: ("DRAFT" | "PUBLISHED" | "ARCHIVED");
  readonly title: string | null;
  readonly name: string | null;
  readonly clientId: string | null;
  readonly person: {
    readonly name: string;
  } | null;
}

export interface HistoryData {
  readonly post: {
    readonly id: string;
    readonly revisions: {
      readonly edges: readonly {
        readonly cursor: string;
        readonly node: HistoryEntry;
      }[];
      readonly pageInfo: {
        readonly hasNextPage: boolean;
        readonly endCursor: string | null;
      };
    };
  } | null;
}

export interface HistoryVariables {
  readonly id: string;
  readonly after?: string | null;
}

export const History: StudioDocument<HistoryData, HistoryVariables> = {
  text: "fragment HistoryEntry on PostRevision{id version kind createdAt status title name clientId person{name}}query History($id:ID!$after:String){post(id:$id){id revisions(first:50 after:$after){edges{cursor node{...HistoryEntry}}pageInfo{hasNextPage endCursor}}}}",
  id: "sha256:f39c9fc3a2d4f9766b17e00462ccb9f5679df67981e2ec52fde3dee6b024ede0",
};

export interface RevisionTextData {
  readonly post: {
    readonly id: string;
    readonly revisions: {
      readonly edges: readonly {
        readonly cursor: string;
        readonly node: {
          readonly id: string;
          readonly title: string | null;
          readonly body: string | null;
          readonly slug: string | null;
          readonly excerpt: string | null;
        };
      }[];
    };
  } | null;
}

export interface RevisionTextVariables {
  readonly id: string;
  readonly after?: string | null;
}

export const RevisionText: StudioDocument<RevisionTextData, RevisionTextVariables> = {
  text: "query RevisionText($id:ID!$after:String){post(id:$id){id revisions(first:1 after:$after){edges{cursor node{id title body slug excerpt}}}}}",
  id: "sha256:e3e6e4f3dd4101e0e07263f74fe5e5686c5296324782647e45af2090b6e18d64",
};

export interface NameRevisionData {
  readonly nameRevision: {
    readonly post: {
      readonly id: string;
    } | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface NameRevisionVariables {
  readonly id: string;
  readonly revision: string;
  readonly name?: string | null;
}

export const NameRevision: StudioDocument<NameRevisionData, NameRevisionVariables> = {
  text: "fragment Refusal on UserError{code message field}mutation NameRevision($id:ID!$revision:ID!$name:String){nameRevision(id:$id revision:$revision name:$name){post{id}errors{...Refusal}}}",
  id: "sha256:dab255ae43f44a036b5aab7a8473cbf6a4c787f40beadaad84f8a330c260803e",
};

export interface RestoreRevisionData {
  readonly restoreRevision: {
    readonly post: PublishingTexts | null;
    readonly workingCopy: PublishingCopy | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface RestoreRevisionVariables {
  readonly id: string;
  readonly revision: string;
  readonly workingVersion: number;
}

export const RestoreRevision: StudioDocument<RestoreRevisionData, RestoreRevisionVariables> = {
  text: "fragment Refusal on UserError{code message field}mutation RestoreRevision($id:ID!$revision:ID!$workingVersion:Int!){restoreRevision(id:$id revision:$revision workingVersion:$workingVersion){post{...PublishingTexts}workingCopy{...PublishingCopy}errors{...Refusal}}}fragment PublishingTexts on Post{...FactsOfPost title body excerpt}fragment PublishingCopy on WorkingCopy{title body slug excerpt version baseVersion}fragment FactsOfPost on Post{id status version slug url createdAt updatedAt publishedAt publishAt publishAtZone plannedUpdate{publishAt publishAtZone heldBecause workingVersion baseVersion}author{name}}",
  id: "sha256:00d984403177dcd29bf9f666d59254b4861df7b144d0668fe37d4dc10e3cba33",
};
