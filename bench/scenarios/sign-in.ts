import { setTimeout as sleep } from "node:timers/promises";
import { SMTPServer } from "smtp-server";
import { Browser, formOf } from "../../test/security/client.ts";
import type { Database } from "../database.ts";
import { cpuSecondsOf, interleave, type Measured, median, type Round } from "../measure.ts";
import { freePort } from "../processes.ts";
import { READ, requestBody } from "../queries.ts";
import { CONNECTIONS, type Scenario } from "../scenario.ts";
import { type Server, startServer } from "../servers.ts";
import { openTokenClient } from "../token-client.ts";

/** Browsers that sign in at the same time. */
const BROWSERS = 8;
/** Requests of strangers in a second, half of them for an account and half for a new password. */
const FLOOD = 100;

const TOKEN = {
  to: { path: "/token", contentType: "application/x-www-form-urlencoded" },
  answerStart: '{"access_token":',
};

export const signIn: Scenario = {
  name: "sign-in",
  about: `Whole sign-ins with a password, from the client's request to its code, every page included, in ${BROWSERS} browsers at the same time; and what \`/token\` (client credentials) and the read of the first section cost while strangers ask for ${FLOOD} accounts and passwords a second, each from an address of its own, with a mail server on this machine.`,
  async run(bench) {
    const database = await bench.database({ engine: "sqlite", people: 1_000, postsEach: 20 });
    const mail = await openMailServer();
    const settings = {
      ...{ SIGN_UP: "open", SMTP_URL: `smtp://127.0.0.1:${mail.port}`, MAIL_FROM: "accounts@example.com" },
      TRUST_PROXY: "127.0.0.1",
    };
    const server = await startServer("ours", database, { settings });
    try {
      const signIns = await measureSignIns(server, database, bench.pace.rounds);
      const client = await openTokenClient(server, database, 1);
      const kinds = [
        { name: "read", server, bodies: database.userIds.map((id) => requestBody(READ, { id })), request: {} },
        { name: "client credentials", server: client.server, bodies: [client.credentialsBody], request: TOKEN },
      ];
      const measured: Measured[] = [signIns];
      const targets = [];
      const flood = openFlood(server);
      for (const { name, request, ...contender } of kinds) {
        const quiet = { label: `${name}, alone`, rounds: [] as Round[] };
        const flooded = { label: `${name}, beside the flood`, rounds: [] as Round[] };
        // In turn, so that whatever slows the machine for a while slows both.
        for (let round = 0; round < bench.pace.rounds; round++)
          for (const { label, rounds } of [quiet, flooded]) {
            flood.set(rounds === flooded.rounds);
            const pace = { ...bench.pace, rounds: 1 };
            const [one] = await interleave([{ label, ...contender }], pace, CONNECTIONS, request);
            rounds.push(...(one?.rounds ?? []));
          }
        flood.set(false);
        measured.push(quiet, flooded);
        // A wait that people begin to notice (Nielsen, Response Times: The 3 Important Limits, 1993).
        const value = median(flooded.rounds.map(({ p99Ms }) => p99Ms));
        targets.push({ what: `${name}: p99 beside the flood`, value, unit: "ms", atMost: 100 } as const);
      }
      return {
        measured,
        targets,
        notes: [`Strangers were answered ${flood.answered()} times, and ${mail.received()} mails were delivered.`],
      };
    } finally {
      await server.stop();
      await mail.close();
    }
  },
};

/** Each browser is a new one, without cookies. */
async function measureSignIns(server: Server, database: Database, rounds: number): Promise<Measured> {
  const measured: Round[] = [];
  for (let round = -1; round < rounds; round++) {
    const times: number[] = [];
    const [before, began] = [cpuSecondsOf(server), performance.now()];
    await Promise.all(
      Array.from({ length: BROWSERS }, async () => {
        for (let i = 0; i < 4; i++) {
          const start = performance.now();
          await (await openTokenClient(server, database, 1)).codeBodies(1);
          times.push(performance.now() - start);
        }
      }),
    );
    const seconds = (performance.now() - began) / 1_000;
    const sorted = times.toSorted((a, b) => a - b);
    if (round >= 0)
      measured.push({
        requests: times.length,
        perSecond: times.length / seconds,
        p50Ms: sorted[sorted.length >> 1] ?? Number.NaN,
        p99Ms: sorted.at(-1) ?? Number.NaN,
        busy: 0,
        cpuMicroseconds: (1e6 * (cpuSecondsOf(server) - before)) / times.length,
      });
  }
  return { label: "sign-in with a password", rounds: measured };
}

/** Strangers who ask for accounts and passwords, while it is on. */
function openFlood(server: Server) {
  let isOn = false;
  let answered = 0;
  let number = 0;

  async function ask(path: string): Promise<void> {
    const browser = new Browser();
    const url = `http://127.0.0.1:${server.port}${path}`;
    const page = await browser.follow(url);
    const form = formOf(page, path);
    while (isOn) {
      const n = number++;
      const body = new URLSearchParams({ ...form.hidden, email: `stranger${n}@example.com` });
      // Each from another network of 48 bits, so that no limit of a network holds it up.
      const from = `2001:db8:${(n & 65_535).toString(16)}::1`;
      const response = await browser.fetch(form.action, { method: "POST", body, headers: { "x-forwarded-for": from } });
      if (response.status >= 400 && response.status !== 503)
        throw new Error(`${path} answered ${response.status}: ${(await response.text()).slice(-300)}`);
      await response.arrayBuffer();
      answered++;
      await sleep(10_000 / FLOOD);
    }
  }

  return {
    set(on: boolean): void {
      if (on === isOn) return;
      isOn = on;
      if (!on) return;
      for (let i = 0; i < 10; i++)
        ask(i % 2 === 0 ? "/sign-up" : "/recover").catch((error: unknown) => {
          console.error(error);
          process.exit(1);
        });
    },
    answered: () => answered,
  };
}

/** Takes every mail. */
async function openMailServer() {
  let received = 0;
  const port = await freePort();
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS", "AUTH"],
    onData(stream, _session, done) {
      stream.resume();
      stream.on("end", () => {
        received++;
        done();
      });
    },
  });
  server.listen(port, "127.0.0.1");
  return {
    port,
    received: () => received,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
