// Written by bin/studio-documents.js from the .graphql files of this folder (npm run docs:studio).
import type { StudioDocument } from "../ports.ts";
import type { Refusal } from "./frame.ts";
import type { WorkingCopyInput } from "./inputs.ts";

export interface FactsOfPost {
  readonly id: string;
  readonly status: ("DRAFT" | "PUBLISHED" | "ARCHIVED");
  readonly version: number;
  readonly slug: string;
  readonly url: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly publishedAt: string | null;
  readonly publishAt: string | null;
  readonly publishAtZone: string | null;
  readonly plannedUpdate: {
    readonly publishAt: string;
    readonly publishAtZone: string | null;
    readonly heldBecause: ("POST_CHANGED" | "SLUG_TAKEN") | null;
    readonly workingVersion: number;
    readonly baseVersion: number;
  } | null;
  readonly author: {
    readonly name: string;
  };
}

export interface FindWritingData {
  readonly post: (FactsOfPost & {
    readonly title: string;
    readonly body: string;
    readonly excerpt: string;
    readonly viewerCanUpdate: boolean;
    readonly workingCopy: {
      readonly title: string;
      readonly body: string;
      readonly slug: string | null;
      readonly excerpt: string | null;
      readonly version: number;
      readonly baseVersion: number;
      readonly updatedBy: {
        readonly name: string;
      } | null;
    } | null;
  }) | null;
}

export interface FindWritingVariables {
  readonly id: string;
}

export const FindWriting: StudioDocument<FindWritingData, FindWritingVariables> = {
  text: "fragment FactsOfPost on Post{id status version slug url createdAt updatedAt publishedAt publishAt publishAtZone plannedUpdate{publishAt publishAtZone heldBecause workingVersion baseVersion}author{name}}query FindWriting($id:ID!){post(id:$id){...FactsOfPost title body excerpt viewerCanUpdate workingCopy{title body slug excerpt version baseVersion updatedBy{name}}}}",
  id: "sha256:d24580c0373e26cff0df4ea98d4077dd2e4c073fe7f2bfe9c48d499c90813898",
};

export interface FindOriginData {
  readonly post: {
    readonly version: number;
    readonly revisions: {
      readonly nodes: readonly {
        readonly version: number;
        readonly kind: ("CREATED" | "APPLIED" | "PUBLISHED" | "UNPUBLISHED" | "ARCHIVED" | "SCHEDULED" | "RESTORED" | "MERGED");
        readonly title: string | null;
        readonly body: string | null;
      }[];
    };
  } | null;
}

export interface FindOriginVariables {
  readonly id: string;
}

export const FindOrigin: StudioDocument<FindOriginData, FindOriginVariables> = {
  text: "query FindOrigin($id:ID!){post(id:$id){version revisions(first:20){nodes{version kind title body}}}}",
  id: "sha256:29a61aef64df45ea0c57afcbc8c1b0fa652267217d5f00f2e2241d00f0b61ca7",
};

export interface StartDraftData {
  readonly createPost: (FactsOfPost & {
    readonly excerpt: string;
  });
}

export interface StartDraftVariables {
  readonly title: string;
  readonly body: string;
}

export const StartDraft: StudioDocument<StartDraftData, StartDraftVariables> = {
  text: "fragment FactsOfPost on Post{id status version slug url createdAt updatedAt publishedAt publishAt publishAtZone plannedUpdate{publishAt publishAtZone heldBecause workingVersion baseVersion}author{name}}mutation StartDraft($title:String!$body:String!){createPost(input:{title:$title body:$body status:DRAFT}){...FactsOfPost excerpt}}",
  id: "sha256:f7f19962aa3f8001174f403538e3bc0cbc28b943d551b82933b594ae6422677a",
};

export interface SaveWritingData {
  readonly saveWorkingCopy: {
    readonly post: FactsOfPost | null;
    readonly workingCopy: {
      readonly slug: string | null;
      readonly excerpt: string | null;
      readonly version: number;
      readonly baseVersion: number;
    } | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface SaveWritingVariables {
  readonly id: string;
  readonly input: WorkingCopyInput;
  readonly workingVersion: number;
  readonly baseVersion: number;
}

export const SaveWriting: StudioDocument<SaveWritingData, SaveWritingVariables> = {
  text: "fragment Refusal on UserError{code message field}fragment FactsOfPost on Post{id status version slug url createdAt updatedAt publishedAt publishAt publishAtZone plannedUpdate{publishAt publishAtZone heldBecause workingVersion baseVersion}author{name}}mutation SaveWriting($id:ID!$input:WorkingCopyInput!$workingVersion:Int!$baseVersion:Int!){saveWorkingCopy(id:$id input:$input workingVersion:$workingVersion baseVersion:$baseVersion){post{...FactsOfPost}workingCopy{slug excerpt version baseVersion}errors{...Refusal}}}",
  id: "sha256:431ec3adae7c4f1d8d46f4cccd5383e99e047cd8222775c59bd7274a01da88e5",
};

export interface SetWritingAsideData {
  readonly discardWorkingCopy: {
    readonly post: FactsOfPost | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface SetWritingAsideVariables {
  readonly id: string;
  readonly workingVersion: number;
}

export const SetWritingAside: StudioDocument<SetWritingAsideData, SetWritingAsideVariables> = {
  text: "fragment Refusal on UserError{code message field}fragment FactsOfPost on Post{id status version slug url createdAt updatedAt publishedAt publishAt publishAtZone plannedUpdate{publishAt publishAtZone heldBecause workingVersion baseVersion}author{name}}mutation SetWritingAside($id:ID!$workingVersion:Int!){discardWorkingCopy(id:$id workingVersion:$workingVersion keepInHistory:true keepPlannedUpdate:true){post{...FactsOfPost}errors{...Refusal}}}",
  id: "sha256:ee3659d27b822cd113118df5c0e649c79699173740cfd6808b9a962d997aa25f",
};
