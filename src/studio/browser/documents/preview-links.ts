// Written by bin/studio-documents.js from the .graphql files of this folder (npm run docs:studio).
import type { StudioDocument } from "../ports.ts";
import type { Refusal } from "./frame.ts";

export interface LinkOfPost {
  readonly id: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly lastUsedAt: string | null;
  readonly revision: string | null;
  readonly createdBy: {
    readonly name: string;
  } | null;
}

export interface PreviewLinksData {
  readonly post: {
    readonly id: string;
    readonly previewLinks: readonly LinkOfPost[];
  } | null;
}

export interface PreviewLinksVariables {
  readonly id: string;
}

export const PreviewLinks: StudioDocument<PreviewLinksData, PreviewLinksVariables> = {
  text: "fragment LinkOfPost on PreviewLink{id createdAt expiresAt lastUsedAt revision createdBy{name}}query PreviewLinks($id:ID!){post(id:$id){id previewLinks{...LinkOfPost}}}",
  id: "sha256:ecd59ac839cc61646e58fdbfc8a5427e62aaceca56b31bdce594deec01634550",
};

export interface CreatePreviewLinkData {
  readonly createPreviewLink: {
    readonly url: string | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface CreatePreviewLinkVariables {
  readonly id: string;
  readonly expiresAt: string;
  readonly revision?: string | null;
}

export const CreatePreviewLink: StudioDocument<CreatePreviewLinkData, CreatePreviewLinkVariables> = {
  text: "fragment Refusal on UserError{code message field}mutation CreatePreviewLink($id:ID!$expiresAt:String!$revision:ID){createPreviewLink(id:$id expiresAt:$expiresAt revision:$revision){url errors{...Refusal}}}",
  id: "sha256:301728d266af164b29a129844e85c6fd789834a8809c38bed7d7975485afbec1",
};

export interface RevokePreviewLinkData {
  readonly revokePreviewLink: {
    readonly link: {
      readonly id: string;
    } | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface RevokePreviewLinkVariables {
  readonly id: string;
}

export const RevokePreviewLink: StudioDocument<RevokePreviewLinkData, RevokePreviewLinkVariables> = {
  text: "fragment Refusal on UserError{code message field}mutation RevokePreviewLink($id:ID!){revokePreviewLink(id:$id){link{id}errors{...Refusal}}}",
  id: "sha256:39e9d3b52d9327951d98b84d8b978e94ceb85c607a3c458b1b0d6b1777041fcd",
};
