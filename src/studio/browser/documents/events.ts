// Written by bin/studio-documents.js from the .graphql files of this folder (npm run docs:studio).
import type { StudioDocument } from "../ports.ts";

export interface PostEventsData {
  readonly postEvents: {
    readonly id: string;
    readonly type: ("CREATED" | "UPDATED" | "PUBLISHED" | "UNPUBLISHED" | "ARCHIVED" | "DELETED");
    readonly postId: string;
    readonly post: {
      readonly version: number;
    } | null;
  };
}

export interface PostEventsVariables {
  readonly after?: string | null;
}

export const PostEvents: StudioDocument<PostEventsData, PostEventsVariables> = {
  text: "subscription PostEvents($after:ID){postEvents(after:$after){id type postId post{version}}}",
  id: "sha256:cfaabf673188672f1a7bd21f8a15d2a0695c7e9b9d49011aed400f2b92d5064f",
};
