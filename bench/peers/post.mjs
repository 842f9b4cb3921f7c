// What the hand-written servers have to make up for a post. Its event is written with it, as ours does. What ours derives from
// title and body is the cheapest that could pass for it: no Markdown is rendered.
import { randomBytes } from "node:crypto";

const authorId = process.env.AUTHOR_ID;

export function newPost({ title, body }) {
  const now = Date.now();
  const [id, createdAt] = [uuid(now), new Date(now).toISOString()];
  const data = JSON.stringify({ id, authorId, title, createdAt, status: "PUBLISHED" });
  const derived = { slug: id, wordCount: body.split(" ").length, excerpt: body.slice(0, 200), bodyHtml: `<p>${body}</p>\n` };
  return { id, authorId, createdAt, title, body, eventId: uuid(now), data, ...derived };
}

/** A UUIDv7. */
function uuid(now) {
  const time = now.toString(16).padStart(12, "0");
  const random = randomBytes(10).toString("hex");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(1, 4)}-8${random.slice(5, 8)}-${random.slice(8)}`;
}
