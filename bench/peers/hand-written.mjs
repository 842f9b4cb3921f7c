// The limit: what is left when everything is known beforehand. One prepared statement per document returns the
// finished JSON; no GraphQL, no validation, no token, no limits, no log.
import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";
import { CREATE, LIST, READ, SMALL } from "../queries.ts";
import { database } from "./database.mjs";
import { newPost } from "./post.mjs";

function prepare(sql) {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  return statement;
}

const read = prepare(`
  SELECT '{"data":{"user":' || json_object('id', u.id, 'name', u.name, 'email', u.email, 'posts', (
    SELECT json_group_array(json_object('title', title, 'createdAt', created_at)) FROM (
      SELECT title, created_at FROM posts WHERE status = 'PUBLISHED' AND author_id = u.id ORDER BY created_at DESC, id DESC LIMIT 100
    )
  )) || '}}'
  FROM users AS u WHERE u.id = ?`);
const list = prepare(`
  SELECT '{"data":{"posts":' || json_group_array(
    json_object('id', p.id, 'title', p.title, 'createdAt', p.created_at, 'author', json_object('name', u.name))
  ) || '}}'
  FROM (SELECT id, title, created_at, author_id FROM posts WHERE status = 'PUBLISHED' ORDER BY created_at DESC, id DESC LIMIT 50) AS p
  JOIN users AS u ON u.id = p.author_id`);
const small = prepare(`SELECT '{"data":{"user":' || json_object('name', name) || '}}' FROM users WHERE id = ?`);

// Writes: one durable commit for each request.
const writer = new DatabaseSync(process.env.DATABASE_FILE, { timeout: 5_000 });
writer.exec("PRAGMA synchronous = FULL; PRAGMA cache_size = -16384");
const begin = writer.prepare("BEGIN IMMEDIATE");
const commit = writer.prepare("COMMIT");
const insertPost = writer.prepare(
  `INSERT INTO posts (id, author_id, status, created_at, updated_at, published_at, title, slug, word_count, excerpt, body, body_html)
   VALUES (:id, :authorId, 'PUBLISHED', :createdAt, :createdAt, :createdAt, :title, :slug, :wordCount, :excerpt, :body, :bodyHtml)`,
);
const searchPost = writer.prepare("INSERT INTO posts_search (rowid, title, body) VALUES (?, ?, ?)");
const searched = writer.prepare("DELETE FROM posts_unindexed WHERE number = ?");
const insertEvent = writer.prepare(
  "INSERT INTO outbox (id, type, subject_id, occurred_at, data) VALUES (?, 'post.created', ?, ?, ?)",
);
const created = prepare(`
  SELECT '{"data":{"createPost":' || json_object(
    'id', p.id, 'title', p.title, 'createdAt', p.created_at, 'author', json_object('name', u.name)
  ) || '}}'
  FROM posts AS p JOIN users AS u ON u.id = p.author_id WHERE p.id = ?`);

function create({ input }) {
  const { eventId, data, ...post } = newPost(input);
  const { id, createdAt, title, body } = post;
  begin.run();
  const { lastInsertRowid } = insertPost.run(post);
  searchPost.run(lastInsertRowid, title, body);
  searched.run(lastInsertRowid);
  insertEvent.run(eventId, id, createdAt, data);
  commit.run();
  return created.get(id);
}

const answers = new Map([
  [CREATE, create],
  [READ, ({ id }) => read.get(id)],
  [LIST, () => list.get()],
  [SMALL, ({ id }) => small.get(id)],
]);

createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const { query, variables } = JSON.parse(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
    const text = answers.get(query)(variables)?.[0] ?? '{"data":{"user":null}}';
    response.writeHead(200, {
      "content-type": "application/graphql-response+json; charset=utf-8",
      "content-length": Buffer.byteLength(text),
    });
    response.end(text);
  });
}).listen(Number(process.env.PORT), "127.0.0.1");
