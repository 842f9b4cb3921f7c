import { createSigner, REDIRECT_URI } from "../database.ts";
import { interleave, type Measured, type Pace } from "../measure.ts";
import { CONNECTIONS, type Scenario, type Target } from "../scenario.ts";
import { type Server, startServer } from "../servers.ts";
import { openSigner } from "../signer.ts";
import { openTokenClient, type TokenClient } from "../token-client.ts";
import { FORM, introspect, measureOnce, type OnceOnly, oursTo } from "../token-loads.ts";

/** Signed requests in one batch. */
const SIGNED = 800;
/** The engine's in-memory adapter keeps a thousand entries: of so many tokens it forgets none before it is revoked. */
const REVOKED = 400;

export const tokenPath: Scenario = {
  name: "token-path",
  about:
    "What clients ask for besides the grants of `oauth`, and what a person who is signed in asks for: questions about access tokens (`/introspect`), `/userinfo`, codes (`/authorize` with a session), revocation of access tokens, and client credentials with an assertion (`private_key_jwt`) and with a DPoP proof, every one signed beforehand with ES256 and used once. Ours keeps everything on disk (SQLite), oidc-provider in memory.",
  async run(bench) {
    const database = await bench.database({ engine: "sqlite", people: 1_000, postsEach: 20 });
    const signer = openSigner();
    const signerId = createSigner(database, signer.publicKey);
    const { id, secret } = database.client;
    const settings = {
      ...{ CLIENT_ID: id, CLIENT_SECRET: secret, REDIRECT_URI, SIGNER_ID: signerId },
      SIGNER_KEYS: JSON.stringify({ keys: [signer.publicKey] }),
    };
    const servers: Server[] = [];
    try {
      servers.push(await startServer("ours", database), await startServer("oidc-provider", database, { settings }));
      const clients = await Promise.all(servers.map((server) => openTokenClient(server, database, CONNECTIONS)));
      const assertions: OnceOnly = {
        what: "client credentials with private_key_jwt",
        count: SIGNED,
        prepare: async ({ server }, count) => ({
          bodies: await several(count, () => signer.credentials(signerId, server.origin)),
        }),
      };
      const proofs: OnceOnly = {
        what: "client credentials with DPoP",
        count: SIGNED,
        async prepare({ server, paths, credentialsBody }, count) {
          const url = server.origin + paths.token;
          const headersOfEach = await several(count, async () => ({ dpop: await signer.proof(url) }));
          return { bodies: headersOfEach.map(() => credentialsBody), headersOfEach };
        },
      };
      const kinds: Record<string, readonly Measured[]> = {
        introspection: await introspect(clients, bench.pace),
        userinfo: await askUserinfo(clients, bench.pace),
        code: await askCodes(clients, bench.pace),
        revocation: await measureOnce(clients, bench.pace, revocation),
        private_key_jwt: await measureOnce(clients, bench.pace, assertions),
        DPoP: await measureOnce(clients, bench.pace, proofs),
      };
      return {
        measured: Object.values(kinds).flat(),
        targets: Object.entries(kinds).map(
          ([what, measured]): Target => ({
            what: `${what}: ours / oidc-provider`,
            value: oursTo(measured),
            unit: "×",
            atLeast: 0.8,
          }),
        ),
      };
    } finally {
      for (const server of servers) await server.stop();
    }
  },
};

const revocation: OnceOnly = {
  what: "revocation",
  count: REVOKED,
  prepare: async (client, count) => ({ bodies: (await client.ownTokens(count)).map(client.bodyAbout) }),
  request: () => ({ to: { path: "/revoke", contentType: FORM }, answerStart: "" }),
};

async function askUserinfo(clients: readonly TokenClient[], pace: Pace): Promise<readonly Measured[]> {
  const contenders = [];
  for (const client of clients) {
    const tokens = await client.accessTokens();
    contenders.push({
      label: `userinfo, ${client.server.name}`,
      server: client.server,
      bodies: tokens,
      request: {
        to: { path: "/userinfo", contentType: FORM, method: "GET" as const },
        headersOfEach: tokens.map((token) => ({ authorization: `Bearer ${token}` })),
        answerStart: '{"sub":',
      },
    });
  }
  return interleave(contenders, pace, CONNECTIONS);
}

/** Authorization requests of people who are signed in and have agreed: each gets a code. */
async function askCodes(clients: readonly TokenClient[], pace: Pace): Promise<readonly Measured[]> {
  const contenders = clients.map((client) => {
    const { path, cookies } = client.authorizationRequest();
    const { origin, name } = client.server;
    return {
      label: `code for a session, ${name}`,
      server: client.server,
      bodies: cookies,
      request: {
        to: { path, contentType: FORM, method: "GET" as const, status: 303 },
        headersOfEach: cookies.map((cookie) => ({ cookie })),
        answerStart: "",
      },
      // A page to sign in is behind the same status.
      async check() {
        for (const cookie of cookies) {
          const { headers } = await fetch(origin + path, { headers: { cookie }, redirect: "manual" });
          const location = headers.get("location") ?? "";
          if (URL.parse(location)?.searchParams.has("code") !== true)
            throw new Error(`${name} gives somebody who is signed in no code: ${location}`);
        }
      },
    };
  });
  return interleave(contenders, pace, CONNECTIONS);
}

async function several<T>(count: number, make: () => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  for (let i = 0; i < count; i++) all.push(await make());
  return all;
}
