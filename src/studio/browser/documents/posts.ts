// Written by bin/studio-documents.js from the .graphql files of this folder (npm run docs:studio).
import type { StudioDocument } from "../ports.ts";
import type { PostFilter, PostOrder } from "./inputs.ts";

export interface PostsData {
  readonly postsConnection: {
    readonly edges: readonly {
      readonly highlight: string | null;
      readonly node: PostRow;
    }[];
    readonly pageInfo: {
      readonly hasNextPage: boolean;
      readonly endCursor: string | null;
    };
  };
  readonly author?: {
    readonly name: string;
  } | null;
}

export interface PostsVariables {
  readonly first: number;
  readonly after?: string | null;
  readonly filter: PostFilter;
  readonly orderBy?: PostOrder | null;
  readonly author: string;
  readonly hasAuthor: boolean;
}

export const Posts: StudioDocument<PostsData, PostsVariables> = {
  text: "query Posts($first:Int!$after:String$filter:PostFilter!$orderBy:PostOrder$author:ID!$hasAuthor:Boolean!){postsConnection(first:$first after:$after filter:$filter orderBy:$orderBy){edges{highlight node{...PostRow}}pageInfo{hasNextPage endCursor}}author:user(id:$author)@include(if:$hasAuthor){name}}fragment PostRow on Post{id title status version wordCount createdAt updatedAt publishedAt publishAt publishAtZone plannedUpdate{publishAt heldBecause}viewerCanUpdate workingCopy{title version updatedAt}author{id name}}",
  id: "sha256:769576477711f50686bb6cf9f4844c902ba0f697403467ebc387b7d5a554ccfb",
};

export interface PostRow {
  readonly id: string;
  readonly title: string;
  readonly status: ("DRAFT" | "PUBLISHED" | "ARCHIVED");
  readonly version: number;
  readonly wordCount: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly publishedAt: string | null;
  readonly publishAt: string | null;
  readonly publishAtZone: string | null;
  readonly plannedUpdate: {
    readonly publishAt: string;
    readonly heldBecause: ("POST_CHANGED" | "SLUG_TAKEN") | null;
  } | null;
  readonly viewerCanUpdate: boolean;
  readonly workingCopy: {
    readonly title: string;
    readonly version: number;
    readonly updatedAt: string;
  } | null;
  readonly author: {
    readonly id: string;
    readonly name: string;
  };
}
