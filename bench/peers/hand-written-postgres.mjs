// The limit on PostgreSQL: one named statement per document, prepared once on each connection, returns the finished JSON
// (joined from texts, which is faster than PostgreSQL's JSON functions). As many connections as ours may open.
import { createServer } from "node:http";
import pg from "pg";
import { CREATE, LIST, READ, SMALL } from "../queries.ts";
import { newPost } from "./post.mjs";

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 16 });

function prepare(name, text, toValues) {
  return async (variables) => {
    const { rows } = await pool.query({ name, text, values: toValues(variables), rowMode: "array" });
    return rows[0]?.[0];
  };
}

const read = prepare(
  "read",
  `SELECT '{"data":{"user":{"id":"' || u.id || '","name":' || to_json(u.name)::text || ',"email":' || to_json(u.email)::text
      || ',"posts":[' || coalesce((
        SELECT string_agg('{"title":' || to_json(p.title)::text || ',"createdAt":"' || p.created_at || '"}', ',') FROM (
          SELECT title, created_at FROM posts WHERE status = 'PUBLISHED' AND author_id = u.id ORDER BY created_at DESC, id DESC LIMIT 100
        ) AS p
      ), '') || ']}}}'
    FROM users AS u WHERE u.id = $1`,
  ({ id }) => [id],
);
const list = prepare(
  "list",
  `SELECT '{"data":{"posts":[' || string_agg(
      '{"id":"' || p.id || '","title":' || to_json(p.title)::text || ',"createdAt":"' || p.created_at
        || '","author":{"name":' || (SELECT to_json(u.name)::text FROM users AS u WHERE u.id = p.author_id) || '}}', ','
    ) || ']}}'
    FROM (SELECT id, title, created_at, author_id FROM posts WHERE status = 'PUBLISHED' ORDER BY created_at DESC, id DESC LIMIT 50) AS p`,
  () => [],
);
const small = prepare(
  "small",
  `SELECT '{"data":{"user":{"name":' || to_json(name)::text || '}}}' FROM users WHERE id = $1`,
  ({ id }) => [id],
);
// One statement is one transaction, and one round trip.
const create = prepare(
  "create",
  `WITH post AS (
      INSERT INTO posts (id, author_id, status, created_at, updated_at, published_at, title, body, slug, word_count, excerpt, body_html)
      VALUES ($1, $2, 'PUBLISHED', $3, $3, $3, $4, $5, $8, $9, $10, $11)
      RETURNING id, author_id, created_at, title
    ), event AS (
      INSERT INTO outbox (id, type, subject_id, occurred_at, data) VALUES ($6, 'post.created', $1, $3, $7)
    )
    SELECT '{"data":{"createPost":{"id":"' || p.id || '","title":' || to_json(p.title)::text || ',"createdAt":"'
      || p.created_at || '","author":{"name":' || to_json(u.name)::text || '}}}}'
    FROM post AS p JOIN users AS u ON u.id = p.author_id`,
  ({ input }) => {
    const { id, authorId, createdAt, title, body, eventId, data, slug, wordCount, excerpt, bodyHtml } = newPost(input);
    return [id, authorId, createdAt, title, body, eventId, data, slug, wordCount, excerpt, bodyHtml];
  },
);

const answers = new Map([
  [READ, read],
  [LIST, list],
  [SMALL, small],
  [CREATE, create],
]);

createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", async () => {
    const { query, variables } = JSON.parse(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
    const text = (await answers.get(query)(variables)) ?? '{"data":{"user":null}}';
    response.writeHead(200, {
      "content-type": "application/graphql-response+json; charset=utf-8",
      "content-length": Buffer.byteLength(text),
    });
    response.end(text);
  });
}).listen(Number(process.env.PORT), "127.0.0.1");
