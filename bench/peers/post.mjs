// What the hand-written servers have to make up for a post. Its event is written with it, as ours does.
import { randomBytes } from "node:crypto";

const authorId = process.env.AUTHOR_ID;

export function newPost({ title, body }) {
  const now = Date.now();
  const [id, createdAt] = [uuid(now), new Date(now).toISOString()];
  return { id, authorId, createdAt, title, body, eventId: uuid(now), data: JSON.stringify({ id, authorId, title, createdAt }) };
}

/** A UUIDv7. */
function uuid(now) {
  const time = now.toString(16).padStart(12, "0");
  const random = randomBytes(10).toString("hex");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(1, 4)}-8${random.slice(5, 8)}-${random.slice(8)}`;
}
