// What the resolvers of the three GraphQL servers read. They are given every advantage: no column is read that no
// scenario asks for (ours has to be ready for `body`), rows come in one statement per level, never one per object, and
// a batch of one takes a plain statement, which is twice as fast.
import { DatabaseSync } from "node:sqlite";

export const database = new DatabaseSync(process.env.DATABASE_FILE, { readOnly: true });
database.exec("PRAGMA cache_size = -65536"); // as much as ours has

const POST = "id, title, created_at AS createdAt, author_id AS authorId";

const user = database.prepare("SELECT id, name, email FROM users WHERE id = ?");
const users = database.prepare("SELECT id, name, email FROM users WHERE id IN (SELECT value FROM json_each(?))");
const newestPosts = database.prepare(`SELECT ${POST} FROM posts WHERE status = 'PUBLISHED' ORDER BY created_at DESC, id DESC LIMIT ?`);
const postsByAuthor = database.prepare(
  `SELECT ${POST} FROM posts WHERE status = 'PUBLISHED' AND author_id = ? ORDER BY created_at DESC, id DESC LIMIT 100`,
);
const postsByAuthors = database.prepare(`
  SELECT ${POST} FROM (SELECT value AS author FROM json_each(?))
  JOIN posts ON id IN (SELECT id FROM posts WHERE status = 'PUBLISHED' AND author_id = author ORDER BY created_at DESC, id DESC LIMIT 100)
  ORDER BY created_at DESC, id DESC`);

/** People in the order of the ids, null where there is none. */
export function findUsers(ids) {
  if (ids.length === 1) return [user.get(ids[0]) ?? null];
  const found = new Map(users.all(JSON.stringify(ids)).map((user) => [user.id, user]));
  return ids.map((id) => found.get(id) ?? null);
}

export function listPosts(first) {
  return newestPosts.all(first);
}

/** For each author the newest 100 posts, newest first. */
export function listPostsByAuthors(authorIds) {
  if (authorIds.length === 1) return [postsByAuthor.all(authorIds[0])];
  const lists = new Map(authorIds.map((id) => [id, []]));
  for (const post of postsByAuthors.all(JSON.stringify(authorIds))) lists.get(post.authorId).push(post);
  return authorIds.map((id) => lists.get(id));
}
