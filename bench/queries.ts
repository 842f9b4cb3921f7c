/** The documents that every server is asked, word for word the same. */

export const READ = `query Read($id: ID!) {
  user(id: $id) { id name email posts { title createdAt } }
}`;

export const LIST = `query List {
  posts(first: 50) { id title createdAt author { name } }
}`;

/** From anywhere in the list. */
export const PAGE = `query Page($after: String) {
  posts(first: 10, after: $after) { id title createdAt author { name } }
}`;

export const SMALL = `query Small($id: ID!) {
  user(id: $id) { name }
}`;

export const CREATE = `mutation Create($input: CreatePostInput!) {
  createPost(input: $input) { id title createdAt author { name } }
}`;

/** The body of a POST request. */
export function requestBody(query: string, variables: Record<string, unknown> = {}): string {
  return JSON.stringify({ query, variables });
}

/** READ as nobody has sent it before: another text, and another statement behind it. */
export function firstTimeBody(number: number, id: string): string {
  return requestBody(READ.replace("posts {", `posts${number}: posts {`), { id });
}
