import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { freePort } from "../port.ts";
import { openPostgres } from "../postgres.ts";
import { authorize, exchange, getTokens, requestToken, signIn } from "../security/client.ts";
import { count } from "./counts.ts";
import { addGrace } from "./grace.ts";
import { install } from "./installation.ts";

const postgres = await openPostgres();

describe("two nodes on one PostgreSQL", () => {
  test("F11 A21 they race for one code: one success", async (t) => {
    const rounds = count(200, 10);
    const { options, nodes } = await openNodes(t);
    for (let round = 0; round < rounds; round++) {
      const { code, verifier } = await authorize(options);
      const answers = await race(nodes, exchange(options, code, verifier));
      assert.deepEqual(answers, ["200", "400 invalid_grant", "400 invalid_grant", "400 invalid_grant"]);
    }
    t.diagnostic(`F11 ${rounds} races for a code: one success each`);
  });

  test("F11 A28 they race for one refresh token: one success", async (t) => {
    const rounds = count(200, 10);
    const { options, nodes } = await openNodes(t);
    for (let round = 0; round < rounds; round++) {
      const { refresh_token } = await getTokens(options);
      const params = { grant_type: "refresh_token", refresh_token, client_id: options.clientId };
      const answers = await race(nodes, params);
      assert.deepEqual(answers, ["200", "400 invalid_grant", "400 invalid_grant", "400 invalid_grant"]);
    }
    t.diagnostic(`F11 ${rounds} races for a refresh token: one success each`);
  });

  test("F11 a refresh at one races a revocation at the other: nothing stays alive", async (t) => {
    const rounds = count(100, 5);
    const { options, nodes, api } = await openNodes(t);
    const [a = "", b = ""] = nodes;
    let wins = 0;
    for (let round = 0; round < rounds; round++) {
      const { refresh_token, access_token } = await getTokens(options);
      const params = { grant_type: "refresh_token", refresh_token, client_id: options.clientId };
      const revoke = new URLSearchParams({ token: refresh_token, client_id: options.clientId });
      const [refreshed] = await Promise.all([
        requestToken(a, params),
        fetch(`${b}/revoke`, { method: "POST", body: revoke }),
      ]);
      const alive = [access_token];
      if (refreshed.status === 200) {
        wins++;
        alive.push(refreshed.body.access_token);
        const next = { ...params, refresh_token: refreshed.body.refresh_token };
        assert.equal((await requestToken(b, next)).body.error, "invalid_grant", "the new refresh token lives");
      }
      for (const node of nodes) for (const token of alive) assert.equal(await api(node, token), 401);
    }
    t.diagnostic(`F11 ${rounds} races of refresh and revocation (${wins} refreshed first): nothing lived on`);
  });
});

/** Two processes, of which the first is the issuer; and a browser in which Grace is signed in. */
async function openNodes(t: TestContext) {
  const installation = await install(t, { url: await postgres.createDatabase() });
  const issuer = installation.url;
  const settings = { ...installation.environment, BASE_URL: issuer, AUTH_URL: issuer };
  const port = await freePort();
  await installation.start(settings);
  await installation.start({ ...settings, PORT: String(port) });
  const options = await addGrace(issuer, settings);
  const browser = await signIn(options);
  return {
    options: { ...options, browser },
    nodes: [issuer, `http://localhost:${port}`],
    /** The status with which a node answers the bearer of a token. */
    async api(node: string, token: string): Promise<number> {
      const response = await fetch(`${node}/graphql`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
        body: JSON.stringify({ query: "{ posts(first: 1) { id } }" }),
      });
      await response.arrayBuffer();
      return response.status;
    },
  };
}

/** Two requests to each node at once. @returns what they answered, in order of the status */
async function race(nodes: readonly string[], params: Record<string, string>): Promise<string[]> {
  const answers = await Promise.all([...nodes, ...nodes].map((node) => requestToken(node, params)));
  return answers.map(({ status, body }) => (body.error ? `${status} ${body.error}` : `${status}`)).toSorted();
}
