import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "./blocks.ts";
import { connectAgents, installedAt, runSql } from "./languages.ts";
import type { Place, ReaderOptions } from "./reader.ts";

const SECRET = "qBvZkq0uYxq3m1g8zq5cE0l6mA2tq7rTn4h9s1d3f5Y";

/** A post of the reader, and the reader's id as USER_ID. */
const ONE_POST = `TOKEN=$(bin/content-api token create)
curl http://localhost:4000/graphql -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"query":"mutation { createPost(input: { title: \\"Hello\\", body: \\"First post\\" }) { post_id: id author { user_id: id } } }"}'
`;

/** A site that answers every webhook, at PORT of the place. */
const RECEIVER = (port: string) =>
  `node -e 'require("http").createServer((q, a) => q.resume().on("end", () => a.end())).listen(${port}, "localhost")' &\n`;

/** The post is deleted, and that is delivered to the webhook. */
const DELIVERED = `curl http://localhost:4000/graphql -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"query":"mutation { deletePost(id: \\"POST_ID\\") { errors { message } } }"}'
for i in $(seq 50); do if bin/content-api webhook deliveries ID | grep DELIVERED; then break; fi; sleep 0.2; done
bin/content-api webhook deliveries ID
`;

/** Locked packages of other languages. */
const CLIENTS = { go: join(ROOT, "test/clients/go"), python: join(ROOT, "test/clients/python") };

/** @returns why a document cannot be followed on this machine: the language or its registry is missing */
function lacks(command: string, words: readonly string[]): string | null {
  return spawnSync(command, words, { timeout: 120_000 }).status === 0 ? null : `${command} or its packages are missing`;
}

/** An example on another port, which runs on while the next commands look at its page. */
function exampleAt({ baseUrl, port }: Place, usual: string, file: string): Record<string, string> {
  const url = `http://localhost:${port}/`;
  return {
    [`node ${file}`]: `ISSUER=${baseUrl} PORT=${port} node ${file} &
for i in $(seq 50); do if curl ${url}; then break; fi; sleep 0.2; done
curl ${url} | grep "Sign in"`,
    [usual]: String(port),
  };
}

/** Preconditions of each document. A document that is missing here needs a server with its defaults only. */
export const ASSUMED: Readonly<Record<string, ReaderOptions>> = {
  "docs/clients/curl.md": { values: ({ port }) => ({ 8080: String(port) }) },
  "docs/clients/go.md": {
    lacks: () => lacks("go", ["-C", CLIENTS.go, "mod", "download"]),
    values: ({ port }) => ({ "go mod init example.com/client": `cp ${CLIENTS.go}/go.* .`, 8766: String(port) }),
  },
  "docs/clients/python.md": {
    lacks: () => lacks("python3", ["-m", "pip", "install", "--dry-run", "-qIr", `${CLIENTS.python}/requirements.txt`]),
    values: ({ port }) => ({ "Authlib httpx2": `-r ${CLIENTS.python}/requirements.txt`, 8765: String(port) }),
    terminal: { BROWSER: "true" },
  },
  "docs/clients/script.md": { before: ONE_POST },
  "docs/start.md": { values: (place) => exampleAt(place, "5173", "serve.js") },
  "docs/tasks/backup.md": { before: ONE_POST, stopsAt: /--replace/ },
  "docs/tasks/upgrade.md": { stopsAt: /npm start|--replace/ },
  "docs/tasks/webhooks.md": {
    values: ({ port }) => ({
      "node receiver.mjs > received.log &": `node receiver.mjs > received.log &
for i in $(seq 50); do if curl http://localhost:${port}; then break; fi; sleep 0.1; done 2>&1 | grep -m1 400`,
      9000: String(port),
    }),
  },
  "docs/accounts.md": {
    values: ({ folder }) => ({ "/etc/content-api/upstreams.json": `${folder}/upstreams.json` }),
    after: "UPSTREAMS=upstreams.json ACME_CLIENT_SECRET=one GITHUB_CLIENT_SECRET=two bin/content-api doctor\n",
  },
  "docs/agents.md": {
    values: ({ baseUrl, folder }) => ({ "https://api.example.com": baseUrl, ...installedAt(folder) }),
    languages: { json: connectAgents },
  },
  "docs/events.md": {
    settings: { PRIVATE_HOSTS: "localhost" },
    before: `${ONE_POST}${RECEIVER("RECEIVER_PORT")}`,
    values: ({ baseUrl, port }) => ({
      "https://api.example.com": baseUrl,
      "https://app.example.com": `http://localhost:${port}`,
      RECEIVER_PORT: String(port),
    }),
    meanwhile: [[/webhook test ID/, DELIVERED]],
  },
  "docs/graphql.md": { before: ONE_POST },
  "docs/oauth.md": { settings: { REGISTRATION: "open" } },
  "docs/deployment.md": { before: "bin/content-api client create --name Job --grant client_credentials\n" },
  "docs/operations.md": {
    // Its id is the ID of the last block.
    meanwhile: [[/keys rotate --at-once/, "bin/content-api webhook create --url https://app.example.com/hooks\n"]],
    stopsAt: /restore copy\.db --replace/,
    languages: { sql: runSql },
  },
  "examples/server/README.md": { values: (place) => exampleAt(place, "5174", "server.js") },
  "examples/spa/README.md": { values: (place) => exampleAt(place, "5173", "serve.js") },
  "docs/production.md": { values: () => ({ "SECRET_KEY=…": `SECRET_KEY=${SECRET}`, "PASSWORD=…": "PASSWORD=one" }) },
};
