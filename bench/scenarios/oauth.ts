import { REDIRECT_URI } from "../database.ts";
import type { Measured } from "../measure.ts";
import { CONNECTIONS, type Scenario, type Target } from "../scenario.ts";
import { type Server, startServer } from "../servers.ts";
import { type DescribedAnswer, openTokenClient } from "../token-client.ts";
import { codeExchange, grantCredentials, measureOnce, oursTo, refreshTokens } from "../token-loads.ts";

/** More grants than connections, so that each connection has a refresh token to use at any time. */
const GRANTS = 2 * CONNECTIONS;

export const oauth: Scenario = {
  name: "oauth",
  about: `The token endpoint of a confidential client: refresh tokens used in turn and replaced (${GRANTS} grants), 200 codes at a time, got through the public pages beforehand, and tokens for the client itself. Ours keeps everything on disk (SQLite), oidc-provider in memory.`,
  async run(bench) {
    const database = await bench.database({ engine: "sqlite", people: 1_000, postsEach: 20 });
    const { id, secret } = database.client;
    const settings = { CLIENT_ID: id, CLIENT_SECRET: secret, REDIRECT_URI };
    const servers: Server[] = [];
    try {
      servers.push(await startServer("ours", database), await startServer("oidc-provider", database, { settings }));
      const open = (browsers: number) =>
        Promise.all(servers.map((server) => openTokenClient(server, database, browsers)));
      const clients = await open(CONNECTIONS);
      const [first, second] = (await Promise.all(clients.map((client) => client.describeAnswers()))).map(text);
      if (first !== second) throw new Error(`No comparison: the token answers differ.\n${first}\n${second}`);

      const codes = await measureOnce(clients, bench.pace, codeExchange);
      const refreshes = await refreshTokens(await open(GRANTS), bench.pace);
      const credentials = await grantCredentials(clients, bench.pace);
      return {
        measured: [...codes, ...refreshes, ...credentials],
        targets: [
          target("code exchange", codes),
          target("refresh", refreshes),
          target("client credentials", credentials),
        ],
        notes: [
          "Beforehand both had given token answers with the same members, scopes, lives and signature algorithm, and other refresh tokens in place of used ones.",
        ],
      };
    } finally {
      for (const server of servers) await server.stop();
    }
  },
};

const text = (answers: readonly DescribedAnswer[]) => JSON.stringify(answers);

function target(what: string, measured: readonly Measured[]): Target {
  return { what: `${what}: ours / oidc-provider`, value: oursTo(measured), unit: "×", atLeast: 0.8 };
}
