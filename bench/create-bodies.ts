import { CREATE, requestBody } from "./queries.ts";

/** Requests for a thousand posts, which differ in their titles. */
export function createBodies(): readonly string[] {
  const body = "A paragraph of text, as long as a short post has it. ".repeat(4);
  return Array.from({ length: 1_000 }, (_, i) => requestBody(CREATE, { input: { title: `Written post ${i}`, body } }));
}
