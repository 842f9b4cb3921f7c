// Written by bin/studio-documents.js from the .graphql files of this folder (npm run docs:studio).
import type { StudioDocument } from "../ports.ts";

export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly field: string | null;
}

export interface StartData {
  readonly viewer: {
    readonly id: string;
    readonly name: string;
  } | null;
  readonly viewerRole: ("MEMBER" | "EDITOR" | "ADMIN") | null;
  readonly serverInfo: {
    readonly operatorName: string;
    readonly maxRequestBytes: number;
    readonly maxTitleLength: number;
    readonly maxBodyLength: number;
    readonly timeZone: string;
    readonly postUrl: string | null;
    readonly revisionDays: number;
    readonly deletedDays: number;
    readonly clientsBy: ("ADMINS" | "PEOPLE");
    readonly build: string;
  };
}

export type StartVariables = Record<string, never>;

export const Start: StudioDocument<StartData, StartVariables> = {
  text: "query Start{viewer{id name}viewerRole serverInfo{operatorName maxRequestBytes maxTitleLength maxBodyLength timeZone postUrl revisionDays deletedDays clientsBy build}}",
  id: "sha256:d73cdef1b0606d2135fed23303b5787d0a17fb8866d986af3df5e6507270cd31",
};

export interface FindData {
  readonly accounts?: {
    readonly nodes: readonly {
      readonly id: string;
      readonly name: string;
      readonly email: string;
    }[];
  };
  readonly clients?: readonly {
    readonly id: string;
    readonly name: string;
  }[];
  readonly postsConnection: {
    readonly edges: readonly {
      readonly highlight: string | null;
      readonly node: {
        readonly id: string;
        readonly title: string;
        readonly status: ("DRAFT" | "PUBLISHED" | "ARCHIVED");
      };
    }[];
  };
}

export interface FindVariables {
  readonly search: string;
  readonly name: string;
  readonly isAdministrator: boolean;
}

export const Find: StudioDocument<FindData, FindVariables> = {
  text: "query Find($search:String!$name:String!$isAdministrator:Boolean!){accounts(first:5 filter:{search:$name})@include(if:$isAdministrator){nodes{id name email}}clients(first:5 filter:{search:$name})@include(if:$isAdministrator){id name}postsConnection(first:8 filter:{search:$search status:[DRAFT PUBLISHED ARCHIVED]}){edges{highlight node{id title status}}}}",
  id: "sha256:7625a67789bf7d173a5bf7ce2290a802789a1bbcdb9271e0ca88a0d0d0e55d10",
};
