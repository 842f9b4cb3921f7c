// Serves this folder and tells the page where the API is. ISSUER, API, CLIENT_ID and PORT are environment variables.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const { ISSUER = "http://localhost:4000", API = ISSUER, CLIENT_ID, PORT = "5173" } = process.env;
if (!CLIENT_ID) {
  console.error("CLIENT_ID is missing. README.md says how to get one.");
  process.exit(2);
}

const library = dirname(createRequire(import.meta.url).resolve("oidc-client-ts/package.json"));
const FILES = {
  "/": ["text/html", join(import.meta.dirname, "index.html")],
  "/main.js": ["text/javascript", join(import.meta.dirname, "main.js")],
  "/oidc-client-ts.js": ["text/javascript", join(library, "dist/browser/oidc-client-ts.min.js")],
};
const settings = JSON.stringify({ issuer: ISSUER, api: API, clientId: CLIENT_ID });

const server = createServer(async (request, response) => {
  const path = new URL(request.url, "http://localhost").pathname;
  const [type, file] = Object.hasOwn(FILES, path) ? FILES[path] : [];
  if (path === "/settings.json") send(response, 200, "application/json", settings);
  else if (file === undefined) send(response, 404, "text/plain", "Not found");
  else send(response, 200, type, await readFile(file));
});
server.listen(Number(PORT), "localhost", () => console.log(`http://localhost:${server.address().port}/`));

function send(response, status, type, body) {
  response.writeHead(status, {
    "content-type": `${type}; charset=utf-8`,
    "content-security-policy": `default-src 'self'; connect-src 'self' ${new URL(ISSUER).origin} ${new URL(API).origin}; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'`,
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
  });
  response.end(body);
}
