/** A receiver for Node without packages, which checks signatures. It runs as it stands. */
export const RECEIVER_CODE = `// Receives events, and checks that this server sent them.
// Run it: node --env-file=.env receiver.mjs
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";

const key = Buffer.from(process.env.WEBHOOK_SECRET.replace("whsec_", ""), "base64");

function isGenuine(headers, body) {
  const { "webhook-id": id, "webhook-timestamp": at, "webhook-signature": signatures = "" } = headers;
  if (!(Math.abs(Date.now() / 1000 - at) < 300)) return false; // an old call, sent again by somebody else
  const mine = createHmac("sha256", key).update(\`\${id}.\${at}.\`).update(body).digest();
  return signatures.split(" ").some((signature) => {
    const theirs = Buffer.from(signature.replace("v1,", ""), "base64");
    return theirs.length === mine.length && timingSafeEqual(theirs, mine);
  });
}

createServer(async (request, response) => {
  const body = await buffer(request);
  if (!isGenuine(request.headers, body)) return response.writeHead(401).end("wrong signature");
  const { type, data } = JSON.parse(body);
  console.log(type, data); // Your work. An event can come twice, with the same webhook-id.
  response.writeHead(204).end();
}).listen(process.env.PORT ?? 3000);
`;

/** Text of the file \`.env\` for the receiver. */
export function envFile(secret: string): string {
  return `WEBHOOK_SECRET=${secret}\n`;
}
