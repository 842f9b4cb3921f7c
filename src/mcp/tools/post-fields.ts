import type { Json, JsonObject } from "../protocol/service.ts";
import { INTEGER, PERSON, POST_STATUSES, STRING } from "./schemas.ts";

/** Everything of a post but its text. */
export interface PostFacts {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly publishedAt: string | null;
  readonly publishAt: string | null;
  /** Missing where the caller may not see people. */
  readonly author?: { readonly id: string; readonly name: string };
}

export type WholePost = PostFacts & { readonly body: string };

const FACTS =
  "id title status version createdAt updatedAt publishedAt publishAt author @include(if: $author) { id name }";

export const POST = `query ($id: ID!, $author: Boolean!) { post(id: $id) { body ${FACTS} } }`;

export const POSTS = `
  query ($first: Int!, $after: String, $filter: PostFilter!, $author: Boolean!) {
    postsConnection(first: $first, after: $after, filter: $filter) {
      edges { cursor node { ${FACTS} } } pageInfo { hasNextPage }
    }
  }`;

/** The address by which tools and resources name a post. Posts have no page of their own here. */
export function postUrl(id: string): string {
  return `post://${id}`;
}

export function personUrl(id: string): string {
  return `user://${id}`;
}

/** In results: without what is null. */
export function shownFacts(post: PostFacts): JsonObject {
  const { id, title, status, version, createdAt, updatedAt, publishedAt, publishAt, author } = post;
  const shown: Record<string, Json> = { id, title, url: postUrl(id), status, version, createdAt, updatedAt };
  if (publishedAt !== null) shown.publishedAt = publishedAt;
  if (publishAt !== null) shown.publishAt = publishAt;
  if (author !== undefined) shown.author = author;
  return shown;
}

export const FACT_SCHEMAS: JsonObject = {
  ...{ id: STRING, title: STRING, url: STRING, status: { enum: POST_STATUSES }, version: INTEGER, author: PERSON },
  ...{ createdAt: STRING, updatedAt: STRING, publishedAt: STRING, publishAt: STRING },
};
