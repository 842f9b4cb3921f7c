import { ApiFailure, type PostFacts } from "../ports.ts";
import type { FactsOfPost } from "./saving.ts";

export function factsOf({ author, ...facts }: FactsOfPost): PostFacts {
  const { id, status, version, slug, url, createdAt, updatedAt, publishedAt, publishAt, publishAtZone } = facts;
  const { plannedUpdate } = facts;
  return {
    ...{ id, status, version, slug, url, createdAt, updatedAt, publishedAt, publishAt, publishAtZone },
    plannedUpdate,
    authorName: author.name,
  };
}

/** The post or copy of a payload, whose errors the client throws. @throws ApiFailure */
export function present<Value>(value: Value | null | undefined): Value {
  if (value == null)
    throw new ApiFailure({ kind: "failed", message: "The server answered with neither a post nor an error." });
  return value;
}
