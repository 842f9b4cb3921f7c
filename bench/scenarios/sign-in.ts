import { setTimeout as sleep } from "node:timers/promises";
import { SMTPServer } from "smtp-server";
import { type Authenticator, openAuthenticator } from "../../test/security/authenticator.ts";
import { Browser, formOf, type Stop } from "../../test/security/client.ts";
import { optionsOf } from "../../test/security/passkeys.ts";
import { type Database, PERSON } from "../database.ts";
import { type GuardedPerson, guardPeople } from "../guarded-people.ts";
import { cpuSecondsOf, interleave, type Measured, median, type Round, ratio } from "../measure.ts";
import { freePort } from "../processes.ts";
import { READ, requestBody } from "../queries.ts";
import { CONNECTIONS, type Scenario, type Target } from "../scenario.ts";
import { type Server, startServer } from "../servers.ts";
import { openTokenClient, ownDialect, type SignInForm, withPassword } from "../token-client.ts";

/** Browsers that sign in at the same time. */
const BROWSERS = 8;
/** Sign-ins of each browser in one measurement. */
const SIGN_INS = 8;
/** Requests of strangers in a second, half of them for an account and half for a new password. */
const FLOOD = 100;

const TOKEN = {
  to: { path: "/token", contentType: "application/x-www-form-urlencoded" },
  answerStart: '{"access_token":',
};

export const signIn: Scenario = {
  name: "sign-in",
  about: `Whole sign-ins with a password, with a passkey, and with a password and an authenticator app, from the client's request to its code, every page included, in ${BROWSERS} browsers at the same time; and what \`/token\` (client credentials) and the read of the first section cost while strangers ask for ${FLOOD} accounts and passwords a second, each from an address of its own, with a mail server on this machine.`,
  async run(bench) {
    const database = await bench.database({ engine: "sqlite", people: 1_000, postsEach: 20 });
    // Digits count once in 30 seconds, so each of these sign-ins is another person's. The first measurement warms up.
    const guarded = await guardPeople(database, (bench.pace.rounds + 1) * BROWSERS * SIGN_INS);
    const mail = await openMailServer();
    const settings = {
      ...{ SIGN_UP: "open", SMTP_URL: `smtp://127.0.0.1:${mail.port}`, MAIL_FROM: "accounts@example.com" },
      TRUST_PROXY: "127.0.0.1",
    };
    const server = await startServer("ours", database, { settings, hasName: true });
    try {
      const device = await addPasskey(server);
      const [withPasswords, withPasskeys, withApps] = await measureSignIns(server, database, bench.pace.rounds, [
        { label: "sign-in with a password", next: () => withPassword },
        { label: "sign-in with a passkey", next: () => (page) => withPasskey(page, device) },
        { label: "sign-in with a password and an authenticator app", next: () => withApp(guarded.pop()) },
      ]);
      const client = await openTokenClient(server, database, 1);
      const kinds = [
        { name: "read", server, bodies: database.userIds.map((id) => requestBody(READ, { id })), request: {} },
        { name: "client credentials", server: client.server, bodies: [client.credentialsBody], request: TOKEN },
      ];
      const measured = [withPasswords, withPasskeys, withApps];
      const cost = (way: Measured) => ratio(way, withPasswords, ({ cpuMicroseconds }) => cpuMicroseconds);
      const targets: Target[] = [
        { what: "CPU of a passkey / a password", value: cost(withPasskeys), unit: "×", atMost: 0.2 },
        { what: "CPU of a password and an app / a password", value: cost(withApps), unit: "×", atMost: 1.25 },
      ];
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
        targets.push({ what: `${name}: p99 beside the flood`, value, unit: "ms", atMost: 100 });
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

/** Adds a passkey to the person's account, at its page. */
async function addPasskey(server: Server): Promise<Authenticator> {
  const { origin } = server;
  const device = openAuthenticator({ origin, rpId: new URL(origin).hostname });
  const browser = new Browser();
  const { email, password } = PERSON;
  const signIn = await browser.follow(`${origin}/account/passkeys`);
  const page = await browser.submit(signIn, "/account/sign-in", { email, password });
  const answer = device.create(optionsOf(page, "/account/passkeys"));
  const { text } = await browser.submit(page, "/account/passkeys", { answer });
  if (!text.includes("The passkey is added.")) throw new Error(`The passkey was not added: ${text.slice(-500)}`);
  return device;
}

function withPasskey(page: Stop, device: Authenticator): ReturnType<SignInForm> {
  return page.text.includes("data-passkey") ? ["/passkey", { answer: device.get(optionsOf(page, "/passkey")) }] : null;
}

function withApp(person: GuardedPerson | undefined): SignInForm {
  if (person === undefined) throw new Error("Everybody with an authenticator app has signed in already.");
  const { email, digits } = person;
  return ({ text }) => {
    if (text.includes('name="email"')) return ["/sign-in", { email, password: PERSON.password }];
    return text.includes('name="digits"') ? ["/sign-in/second-step", { digits: digits() }] : null;
  };
}

interface Way {
  readonly label: string;
  /** For each sign-in. */
  next(): SignInForm;
}

/** The ways take turns. Each browser is a new one, without cookies. */
async function measureSignIns<const T extends readonly Way[]>(
  server: Server,
  database: Database,
  rounds: number,
  ways: T,
) {
  const measured = ways.map(({ label }) => ({ label, rounds: [] as Round[] }));
  for (let round = -1; round < rounds; round++)
    for (const [index, { next }] of ways.entries()) {
      const one = await measureRound(server, database, next);
      if (round >= 0) measured[index]?.rounds.push(one);
    }
  return measured as { [K in keyof T]: Measured };
}

async function measureRound(server: Server, database: Database, next: Way["next"]): Promise<Round> {
  const times: number[] = [];
  const [before, began] = [cpuSecondsOf(server), performance.now()];
  await Promise.all(
    Array.from({ length: BROWSERS }, async () => {
      for (let i = 0; i < SIGN_INS; i++) {
        const start = performance.now();
        await openTokenClient(server, database, 1, ownDialect(next())); // ends when the client has a code
        times.push(performance.now() - start);
      }
    }),
  );
  const seconds = (performance.now() - began) / 1_000;
  const sorted = times.toSorted((a, b) => a - b);
  return {
    requests: times.length,
    perSecond: times.length / seconds,
    p50Ms: sorted[sorted.length >> 1] ?? Number.NaN,
    p99Ms: sorted.at(-1) ?? Number.NaN,
    busy: 0,
    cpuMicroseconds: (1e6 * (cpuSecondsOf(server) - before)) / times.length,
  };
}

/** Strangers who ask for accounts and passwords, while it is on. */
function openFlood(server: Server) {
  let isOn = false;
  let answered = 0;
  let number = 0;

  async function ask(path: string): Promise<void> {
    const browser = new Browser();
    const url = server.origin + path;
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
