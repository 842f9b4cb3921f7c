// Written by bin/studio-documents.js from the .graphql files of this folder (npm run docs:studio).
import type { StudioDocument } from "../ports.ts";
import type { Refusal } from "./frame.ts";
import type { FactsOfPost } from "./saving.ts";

export type PublishingTexts = (FactsOfPost & {
  readonly title: string;
  readonly body: string;
  readonly excerpt: string;
});

export interface PublishingCopy {
  readonly title: string;
  readonly body: string;
  readonly slug: string | null;
  readonly excerpt: string | null;
  readonly version: number;
  readonly baseVersion: number;
}

export type PostWithCopy = (PublishingTexts & {
  readonly workingCopy: PublishingCopy | null;
});

export interface PublishedText {
  readonly post: PostWithCopy | null;
  readonly errors: readonly Refusal[];
}

export interface PostNowData {
  readonly post: PostWithCopy | null;
}

export interface PostNowVariables {
  readonly id: string;
}

export const PostNow: StudioDocument<PostNowData, PostNowVariables> = {
  text: "fragment PublishingTexts on Post{...FactsOfPost title body excerpt}fragment PublishingCopy on WorkingCopy{title body slug excerpt version baseVersion}fragment PostWithCopy on Post{...PublishingTexts workingCopy{...PublishingCopy}}query PostNow($id:ID!){post(id:$id){...PostWithCopy}}fragment FactsOfPost on Post{id status version slug url createdAt updatedAt publishedAt publishAt publishAtZone plannedUpdate{publishAt publishAtZone heldBecause workingVersion baseVersion}author{name}}",
  id: "sha256:b131dce5601baf9ab5c65b310fb74a3d5586066eab6395c5c157f66cc73c0b2f",
};

export interface SlugOwnerData {
  readonly postBySlug: {
    readonly id: string;
    readonly title: string;
    readonly slug: string;
  } | null;
}

export interface SlugOwnerVariables {
  readonly slug: string;
}

export const SlugOwner: StudioDocument<SlugOwnerData, SlugOwnerVariables> = {
  text: "query SlugOwner($slug:String!){postBySlug(slug:$slug){id title slug}}",
  id: "sha256:b34c89da06764af940e6d246424ac2477d6408edfe0297db572feb735efd0633",
};

export interface RenderedData {
  readonly renderMarkdown: {
    readonly bodyHtml: string;
    readonly excerpt: string;
    readonly wordCount: number;
    readonly slug: string | null;
  };
}

export interface RenderedVariables {
  readonly markdown: string;
  readonly title?: string | null;
}

export const Rendered: StudioDocument<RenderedData, RenderedVariables> = {
  text: "query Rendered($markdown:String!$title:String){renderMarkdown(markdown:$markdown title:$title){bodyHtml excerpt wordCount slug}}",
  id: "sha256:563f627ae82f75bb267470722b74057408d3cd3cbc1af2444a5dbfe2ec64cf71",
};

export interface ApplyTextData {
  readonly applyWorkingCopy: PublishedText | null;
}

export interface ApplyTextVariables {
  readonly id: string;
  readonly workingVersion: number;
  readonly expectedVersion: number;
  readonly then: ("STAY" | "PUBLISH");
  readonly publishAt?: string | null;
  readonly publishAtZone?: string | null;
}

export const ApplyText: StudioDocument<ApplyTextData, ApplyTextVariables> = {
  text: "fragment Refusal on UserError{code message field}fragment PublishingTexts on Post{...FactsOfPost title body excerpt}fragment PublishingCopy on WorkingCopy{title body slug excerpt version baseVersion}fragment PostWithCopy on Post{...PublishingTexts workingCopy{...PublishingCopy}}fragment PublishedText on PostPayload{post{...PostWithCopy}errors{...Refusal}}mutation ApplyText($id:ID!$workingVersion:Int!$expectedVersion:Int!$then:AfterApply!$publishAt:String$publishAtZone:String){applyWorkingCopy(id:$id workingVersion:$workingVersion expectedVersion:$expectedVersion then:$then publishAt:$publishAt publishAtZone:$publishAtZone){...PublishedText}}fragment FactsOfPost on Post{id status version slug url createdAt updatedAt publishedAt publishAt publishAtZone plannedUpdate{publishAt publishAtZone heldBecause workingVersion baseVersion}author{name}}",
  id: "sha256:348155d66a0563cfab61c71690d8713bf9e03775a9dc7408942743c48529e040",
};

export interface DiscardTextData {
  readonly discardWorkingCopy: {
    readonly post: PublishingTexts | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface DiscardTextVariables {
  readonly id: string;
  readonly workingVersion: number;
}

export const DiscardText: StudioDocument<DiscardTextData, DiscardTextVariables> = {
  text: "fragment Refusal on UserError{code message field}fragment PublishingTexts on Post{...FactsOfPost title body excerpt}mutation DiscardText($id:ID!$workingVersion:Int!){discardWorkingCopy(id:$id workingVersion:$workingVersion keepInHistory:true){post{...PublishingTexts}errors{...Refusal}}}fragment FactsOfPost on Post{id status version slug url createdAt updatedAt publishedAt publishAt publishAtZone plannedUpdate{publishAt publishAtZone heldBecause workingVersion baseVersion}author{name}}",
  id: "sha256:79065bc46e363309752696e223ceac341136e20316968645ab054287ee69f5f6",
};

export interface UnscheduleData {
  readonly updatePost: PublishedText | null;
}

export interface UnscheduleVariables {
  readonly id: string;
  readonly expectedVersion: number;
}

export const Unschedule: StudioDocument<UnscheduleData, UnscheduleVariables> = {
  text: "fragment Refusal on UserError{code message field}fragment PublishingTexts on Post{...FactsOfPost title body excerpt}fragment PublishingCopy on WorkingCopy{title body slug excerpt version baseVersion}fragment PostWithCopy on Post{...PublishingTexts workingCopy{...PublishingCopy}}fragment PublishedText on PostPayload{post{...PostWithCopy}errors{...Refusal}}mutation Unschedule($id:ID!$expectedVersion:Int!){updatePost(id:$id input:{publishAt:null}expectedVersion:$expectedVersion){...PublishedText}}fragment FactsOfPost on Post{id status version slug url createdAt updatedAt publishedAt publishAt publishAtZone plannedUpdate{publishAt publishAtZone heldBecause workingVersion baseVersion}author{name}}",
  id: "sha256:e64a96e81aabdd0d20113d483f27c8e9126bf05af376d03274c616439ee6a866",
};

export interface PlannedTextData {
  readonly post: {
    readonly plannedUpdate: {
      readonly title: string;
      readonly body: string;
      readonly slug: string | null;
      readonly excerpt: string | null;
    } | null;
  } | null;
}

export interface PlannedTextVariables {
  readonly id: string;
}

export const PlannedText: StudioDocument<PlannedTextData, PlannedTextVariables> = {
  text: "query PlannedText($id:ID!){post(id:$id){plannedUpdate{title body slug excerpt}}}",
  id: "sha256:6bb46cfaba565d1c2cc323a6d3dc8cefc2151017f3c751dd7d7a04ed96c22cf9",
};

export interface CancelUpdateData {
  readonly cancelPlannedUpdate: {
    readonly post: (PublishingTexts & {
      readonly workingCopy: PublishingCopy | null;
    }) | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface CancelUpdateVariables {
  readonly id: string;
  readonly expectedVersion: number;
}

export const CancelUpdate: StudioDocument<CancelUpdateData, CancelUpdateVariables> = {
  text: "fragment Refusal on UserError{code message field}fragment PublishingTexts on Post{...FactsOfPost title body excerpt}fragment PublishingCopy on WorkingCopy{title body slug excerpt version baseVersion}mutation CancelUpdate($id:ID!$expectedVersion:Int!){cancelPlannedUpdate(id:$id expectedVersion:$expectedVersion){post{...PublishingTexts workingCopy{...PublishingCopy}}errors{...Refusal}}}fragment FactsOfPost on Post{id status version slug url createdAt updatedAt publishedAt publishAt publishAtZone plannedUpdate{publishAt publishAtZone heldBecause workingVersion baseVersion}author{name}}",
  id: "sha256:872e98fb013a3f9b7a4f8c7b2eda8706572805567f0e252e88c38f297dccd32d",
};

export interface UnpublishData {
  readonly unpublishPost: PublishedText | null;
}

export interface UnpublishVariables {
  readonly id: string;
  readonly expectedVersion: number;
}

export const Unpublish: StudioDocument<UnpublishData, UnpublishVariables> = {
  text: "fragment Refusal on UserError{code message field}fragment PublishingTexts on Post{...FactsOfPost title body excerpt}fragment PublishingCopy on WorkingCopy{title body slug excerpt version baseVersion}fragment PostWithCopy on Post{...PublishingTexts workingCopy{...PublishingCopy}}fragment PublishedText on PostPayload{post{...PostWithCopy}errors{...Refusal}}mutation Unpublish($id:ID!$expectedVersion:Int!){unpublishPost(id:$id expectedVersion:$expectedVersion){...PublishedText}}fragment FactsOfPost on Post{id status version slug url createdAt updatedAt publishedAt publishAt publishAtZone plannedUpdate{publishAt publishAtZone heldBecause workingVersion baseVersion}author{name}}",
  id: "sha256:ace1205075630de5182e9cefb9c39d9084b091e54cefc1ce38876b1dce866f2d",
};

export interface ArchiveData {
  readonly archivePost: PublishedText | null;
}

export interface ArchiveVariables {
  readonly id: string;
  readonly expectedVersion: number;
}

export const Archive: StudioDocument<ArchiveData, ArchiveVariables> = {
  text: "fragment Refusal on UserError{code message field}fragment PublishingTexts on Post{...FactsOfPost title body excerpt}fragment PublishingCopy on WorkingCopy{title body slug excerpt version baseVersion}fragment PostWithCopy on Post{...PublishingTexts workingCopy{...PublishingCopy}}fragment PublishedText on PostPayload{post{...PostWithCopy}errors{...Refusal}}mutation Archive($id:ID!$expectedVersion:Int!){archivePost(id:$id expectedVersion:$expectedVersion){...PublishedText}}fragment FactsOfPost on Post{id status version slug url createdAt updatedAt publishedAt publishAt publishAtZone plannedUpdate{publishAt publishAtZone heldBecause workingVersion baseVersion}author{name}}",
  id: "sha256:6752900c21ec7980823a68b5e67cfc9af3e04ed58522c91013773954dbeb8dea",
};

export interface DeletePostData {
  readonly deletePost: {
    readonly deletedId: string | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface DeletePostVariables {
  readonly id: string;
  readonly expectedVersion: number;
}

export const DeletePost: StudioDocument<DeletePostData, DeletePostVariables> = {
  text: "fragment Refusal on UserError{code message field}mutation DeletePost($id:ID!$expectedVersion:Int!){deletePost(id:$id expectedVersion:$expectedVersion){deletedId errors{...Refusal}}}",
  id: "sha256:4848aec3daf2e67667ce66df4cf1df0821a4d246bdd794b03bbdca4a2f724efd",
};
