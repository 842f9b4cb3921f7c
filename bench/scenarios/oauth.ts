import { REDIRECT_URI } from "../database.ts";
import { interleave, type Measured, measureServer, type Pace, type Round, ratio } from "../measure.ts";
import { CONNECTIONS, type Scenario } from "../scenario.ts";
import { type Server, startServer } from "../servers.ts";
import { openTokenClient, type TokenClient } from "../token-client.ts";

/** More grants than connections, so that each connection has a refresh token to use at any time. */
const GRANTS = 2 * CONNECTIONS;
/** Few enough that the peer's in-memory adapter, which keeps a thousand entries at least, forgets no session meanwhile. */
const CODES = 200;
/** Batches of codes in one round. */
const BATCHES = 2;

const REQUEST = {
  to: { path: "/token", contentType: "application/x-www-form-urlencoded" },
  answerStart: '{"access_token":',
  connections: CONNECTIONS,
};

export const oauth: Scenario = {
  name: "oauth",
  about: `The token endpoint of a confidential client: refresh tokens used in turn and replaced (${GRANTS} grants), ${CODES} codes at a time, got through the public pages beforehand, and tokens for the client itself. Ours keeps everything on disk (SQLite), oidc-provider in memory.`,
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
      const [first, second] = await Promise.all(clients.map((client) => client.describeAnswers()));
      if (first !== second) throw new Error(`No comparison: the token answers differ.\n${first}\n${second}`);

      const codes = await exchangeCodes(clients, bench.pace);
      const refreshes = await refreshTokens(await open(GRANTS), bench.pace);
      const credentials = await grantCredentials(clients, bench.pace);
      return {
        measured: [...codes, ...refreshes, ...credentials],
        targets: [
          { what: "code exchange: ours / oidc-provider", value: oursTo(codes), unit: "×", atLeast: 0.8 },
          { what: "refresh: ours / oidc-provider", value: oursTo(refreshes), unit: "×", atLeast: 0.8 },
          { what: "client credentials: ours / oidc-provider", value: oursTo(credentials), unit: "×", atLeast: 0.8 },
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

function oursTo([ours, peer]: readonly Measured[]): number {
  return ours === undefined || peer === undefined ? Number.NaN : ratio(ours, peer);
}

async function exchangeCodes(clients: readonly TokenClient[], { rounds }: Pace): Promise<readonly Measured[]> {
  const measured = clients.map(({ server }) => ({ label: `code exchange, ${server.name}`, rounds: [] as Round[] }));
  for (let batch = -BATCHES; batch < rounds * BATCHES; batch++) {
    for (const [index, client] of clients.entries()) {
      const load = { ...REQUEST, bodies: await client.codeBodies(CODES), warmUpSeconds: 0, seconds: 30, once: true };
      const round = await measureServer(client.server, load);
      if (batch >= 0) measured[index]?.rounds.push(round);
    }
  }
  return measured;
}

async function grantCredentials(clients: readonly TokenClient[], pace: Pace): Promise<readonly Measured[]> {
  const contenders = clients.map(({ server, credentialsBody }) => ({
    label: `client credentials, ${server.name}`,
    server,
    bodies: [credentialsBody],
  }));
  return interleave(contenders, pace, CONNECTIONS, REQUEST);
}

async function refreshTokens(clients: readonly TokenClient[], { rounds, seconds }: Pace): Promise<readonly Measured[]> {
  const measured = clients.map(({ server }) => ({ label: `refresh, ${server.name}`, rounds: [] as Round[] }));
  const bodies = await Promise.all(clients.map((client) => client.refreshBodies()));
  for (let number = -1; number < rounds; number++) {
    for (const [index, { server }] of clients.entries()) {
      const time = number < 0 ? { warmUpSeconds: 1.5, seconds: 0.5 } : { warmUpSeconds: 0.3, seconds };
      const round = await measureServer(server, { ...REQUEST, bodies: bodies[index] ?? [], refreshes: true, ...time });
      bodies[index] = round.bodies ?? [];
      if (number >= 0) measured[index]?.rounds.push(round);
    }
  }
  return measured;
}
