import { startHydra } from "../hydra.ts";
import { startKeycloak } from "../keycloak.ts";
import type { Measured } from "../measure.ts";
import { type PeerProgram, reasonToSkip } from "../peer-programs.ts";
import { type Bench, CONNECTIONS, type Scenario, type Target } from "../scenario.ts";
import { type Server, startServer } from "../servers.ts";
import { type DescribedAnswer, openTokenClient, type TokenClient } from "../token-client.ts";
import { codeExchange, grantCredentials, introspect, measureOnce, oursTo, refreshTokens } from "../token-loads.ts";

/** As in `oauth`. */
const GRANTS = 2 * CONNECTIONS;
/** Codes in one batch, which the slowest of them can hand out before the first expires. */
const CODES = 100;
/** Seconds in which a server compiles what is run often: on one core, Java needs them. Every server gets as many. */
const WARM_UP = 15;

const PEERS = ["hydra", "keycloak"] as const satisfies readonly PeerProgram[];

type Open = (browsers: number) => Promise<TokenClient>;

export const oauthServers: Scenario = {
  name: "oauth-servers",
  about: `Ours, Ory Hydra and Keycloak, each with a database of its own on the same PostgreSQL: tokens for the client itself, refresh tokens used in turn and replaced (${GRANTS} grants), questions about access tokens, and ${CODES} codes at a time, each with the same request bytes but for ids, secrets and tokens.`,
  async run(bench) {
    const servers: Server[] = [];
    const notes: string[] = [];
    try {
      const opens = await openAll(bench, servers, notes);
      const clients: TokenClient[] = [];
      for (const open of opens) clients.push(await open(CONNECTIONS));
      const [ours, ...peers] = await Promise.all(clients.map(describe));
      for (const [index, peer] of peers.entries())
        if (peer !== ours)
          throw new Error(`No comparison: ${clients[index + 1]?.server.name} answers otherwise.\n${ours}\n${peer}`);

      const pace = { ...bench.pace, warmUp: WARM_UP };
      const credentials = await grantCredentials(clients, pace);
      const introspections = await introspect(clients, pace, ({ server: { name } }) =>
        // Keycloak has other members first; an answer about a token that it does not know begins with `active`.
        name === "keycloak" ? '{"exp":' : '{"active":true',
      );
      const sessions: TokenClient[] = [];
      for (const open of opens) sessions.push(await open(GRANTS));
      const refreshes = await refreshTokens(sessions, pace);
      const codes = await measureOnce(clients, pace, { ...codeExchange, count: CODES });
      const kinds = { "client credentials": credentials, refresh: refreshes, introspection: introspections };
      return {
        measured: [...credentials, ...refreshes, ...introspections, ...codes],
        targets: Object.entries({ ...kinds, "code exchange": codes }).flatMap(targetsOf),
        notes: [
          "Beforehand all had given token answers with these members, scopes, lives and signature algorithm, and other refresh tokens in place of used ones. Keycloak adds members, and its access tokens are JWTs. Hydra answers questions about tokens at its administrative port, where nobody says who asks.",
          ...notes,
        ],
      };
    } finally {
      for (const server of servers) await server.stop();
    }
  },
};

/** Ours first; a peer that is missing leaves a note. */
async function openAll(bench: Bench, servers: Server[], notes: string[]): Promise<readonly Open[]> {
  const database = await bench.database({ engine: "postgres", people: 1_000, postsEach: 20 });
  const ours = await startServer("ours", database);
  servers.push(ours);
  const opens: Open[] = [(browsers) => openTokenClient(ours, database, browsers)];
  for (const name of PEERS) {
    const reason = reasonToSkip(name);
    if (reason !== null) {
      notes.push(reason);
      continue;
    }
    const url = await (await bench.postgres()).createDatabase();
    const { server, openClient } = await { hydra: startHydra, keycloak: startKeycloak }[name](url);
    servers.push(server);
    opens.push(openClient);
  }
  return opens;
}

const MEMBERS = ["access_token", "expires_in", "id_token", "refresh_token", "scope", "token_type"];

/** What the standards have every server answer. Hydra's `offline_access` stands for the refresh token that ours gives without. */
async function describe(client: TokenClient): Promise<string> {
  const answers = await client.describeAnswers();
  return JSON.stringify(
    answers.map(({ members, scope, seconds, algorithm }: DescribedAnswer) => ({
      members: members.filter((member) => MEMBERS.includes(member)),
      scope: scope.filter((name) => name !== "offline_access"),
      minutes: Math.round(seconds / 60), // some count from when they began to answer
      algorithm,
    })),
  );
}

function targetsOf([what, measured]: [string, readonly Measured[]]): Target[] {
  return measured.slice(1).map(({ label }, index) => ({
    what: `${what}: ours / ${label.slice(label.lastIndexOf(" ") + 1)}`,
    value: oursTo(measured, index),
    unit: "×",
    atLeast: 5,
  }));
}
