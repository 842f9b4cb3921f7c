/** The ways to measure one request of a client, on several servers in turn. */
import { firstLoad, interleave, type Measured, measureServer, type Pace, type Round, ratio } from "./measure.ts";
import { CONNECTIONS } from "./scenario.ts";
import type { TokenClient } from "./token-client.ts";

/** Codes in one batch: few enough that the engine's in-memory adapter, which keeps a thousand entries, forgets no session. */
const BATCH = 200;
/** Batches in one round. */
const BATCHES = 2;

export const FORM = "application/x-www-form-urlencoded";

/** Where a form with these parameters goes, and what an answer begins with. */
function tokenRequest({ paths }: TokenClient) {
  return { to: { path: paths.token, contentType: FORM }, answerStart: '{"access_token":', connections: CONNECTIONS };
}

const label = (what: string, { server }: TokenClient) => `${what}, ${server.name}`;

/** Ours is the first. */
export function oursTo([ours, ...peers]: readonly Measured[], index = 0): number {
  const peer = peers[index];
  return ours === undefined || peer === undefined ? Number.NaN : ratio(ours, peer);
}

/** What works once: `prepare` makes it anew for each batch, which is not measured. */
export interface OnceOnly {
  readonly what: string;
  /** How many are in one batch, BATCH unless given. */
  readonly count?: number;
  prepare(
    client: TokenClient,
    count: number,
  ): Promise<{
    readonly bodies: readonly string[];
    readonly headersOfEach?: readonly Readonly<Record<string, string>>[];
  }>;
  /** Where other than to the token endpoint. */
  request?(client: TokenClient): { readonly to: { path: string; contentType: string }; readonly answerStart: string };
}

export const codeExchange: OnceOnly = {
  what: "code exchange",
  prepare: async (client, count) => ({ bodies: await client.codeBodies(count) }),
};

export async function measureOnce(
  clients: readonly TokenClient[],
  { rounds }: Pace,
  { what, count = BATCH, prepare, request }: OnceOnly,
): Promise<readonly Measured[]> {
  const measured = clients.map((client) => ({ label: label(what, client), rounds: [] as Round[] }));
  for (let batch = -BATCHES; batch < rounds * BATCHES; batch++) {
    for (const [index, client] of clients.entries()) {
      const load = { ...tokenRequest(client), ...request?.(client), ...(await prepare(client, count)) };
      const round = await measureServer(client.server, { ...load, warmUpSeconds: 0, seconds: 30, once: true });
      if (batch >= 0) measured[index]?.rounds.push(round);
    }
  }
  return measured;
}

export async function grantCredentials(clients: readonly TokenClient[], pace: Pace): Promise<readonly Measured[]> {
  const contenders = clients.map((client) => ({
    label: label("client credentials", client),
    server: client.server,
    bodies: [client.credentialsBody],
    request: tokenRequest(client),
  }));
  return interleave(contenders, pace, CONNECTIONS);
}

export async function refreshTokens(clients: readonly TokenClient[], pace: Pace): Promise<readonly Measured[]> {
  const measured = clients.map((client) => ({ label: label("refresh", client), rounds: [] as Round[] }));
  const bodies = await Promise.all(clients.map((client) => client.refreshBodies()));
  for (let number = -1; number < pace.rounds; number++) {
    for (const [index, client] of clients.entries()) {
      const time = number < 0 ? firstLoad(pace) : { warmUpSeconds: 0.3, seconds: pace.seconds };
      const load = { ...tokenRequest(client), bodies: bodies[index] ?? [], refreshes: true, ...time };
      const round = await measureServer(client.server, load);
      bodies[index] = round.bodies ?? [];
      if (number >= 0) measured[index]?.rounds.push(round);
    }
  }
  return measured;
}

/** Questions about the tokens of people. */
export async function introspect(
  clients: readonly TokenClient[],
  pace: Pace,
  answerStart: (client: TokenClient) => string = () => '{"active":true',
): Promise<readonly Measured[]> {
  const contenders = [];
  for (const client of clients)
    contenders.push({
      label: label("introspection", client),
      server: client.introspection,
      bodies: (await client.accessTokens()).map(client.bodyAbout),
      request: { to: { path: client.paths.introspection, contentType: FORM }, answerStart: answerStart(client) },
    });
  return interleave(contenders, pace, CONNECTIONS);
}
