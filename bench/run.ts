/** `npm run bench` measures everything and writes results.md; `npm run bench -- NAME…` prints some scenarios only. */
import { spawnSync } from "node:child_process";
import { statSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { createDatabase, type Database } from "./database.ts";
import { type Pace, stopLoadGenerator } from "./measure.ts";
import { openPostgres, type PostgresServer } from "./postgres.ts";
import { limitRunTime } from "./processes.ts";
import { describeOutcome, describeRun } from "./report.ts";
import { type Bench, isMet, type Scenario } from "./scenario.ts";
import { agents } from "./scenarios/agents.ts";
import { list, listPostgres } from "./scenarios/list.ts";
import { metrics } from "./scenarios/metrics.ts";
import { mixed } from "./scenarios/mixed.ts";
import { oauth } from "./scenarios/oauth.ts";
import { oauthServers } from "./scenarios/oauth-servers.ts";
import { planMiss } from "./scenarios/plan-miss.ts";
import { read, readPostgres } from "./scenarios/read.ts";
import { scaling } from "./scenarios/scaling.ts";
import { signIn } from "./scenarios/sign-in.ts";
import { small, smallPostgres } from "./scenarios/small.ts";
import { soak, soakPostgres } from "./scenarios/soak.ts";
import { start, startObserved } from "./scenarios/start.ts";
import { studio } from "./scenarios/studio.ts";
import { studioList } from "./scenarios/studio-list.ts";
import { tokenPath } from "./scenarios/token-path.ts";
import { tracing, tracingPostgres } from "./scenarios/tracing.ts";
import { versions } from "./scenarios/versions.ts";
import { workers } from "./scenarios/workers.ts";
import { write } from "./scenarios/write.ts";

const SCENARIOS: readonly Scenario[] = [
  ...[read, list, small],
  ...[readPostgres, listPostgres, smallPostgres],
  ...[write, mixed, workers, oauth, oauthServers, tokenPath, signIn, agents],
  ...[planMiss, scaling, start, startObserved],
  ...[studio, studioList, metrics, tracing, tracingPostgres, versions],
  ...[soak, soakPostgres],
];
const USAGE = `npm run bench -- [NAME…] [--rounds N] [--seconds S] [--minutes M] [--large]

Scenarios: ${SCENARIOS.map(({ name }) => name).join(", ")}. Without a name: all, and the results are written to bench/results.md.
--rounds N   how often each server is measured (default 5)
--seconds S  how long one measurement takes (default 2)
--minutes M  soak: how long each load takes (default 3)
--base FOLDER  versions: another version of this program, with its packages, to compare with
--large      scaling: up to 10,000,000 posts, for which it needs 10 GB of disk and a quarter of an hour more

Peers that npm does not install (a server in Rust, Ory Hydra, Keycloak) are skipped by name where they are missing; HYDRA is the
path of Hydra's program, KEYCLOAK the folder of Keycloak. bench/peer-programs.ts says how to get them.

TEST_DATABASE_URL names a PostgreSQL to use instead of one from npm; its user must be allowed to create databases.`;

function readArguments(): {
  scenarios: readonly Scenario[];
  pace: Pace;
  large: boolean;
  minutes: number;
  base?: string;
} {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: "string", default: "5" },
      seconds: { type: "string", default: "2" },
      minutes: { type: "string", default: "3" },
      large: { type: "boolean", default: false },
      base: { type: "string" },
      help: { type: "boolean" },
    },
  });
  if (values.help) {
    console.log(USAGE);
    process.exit();
  }
  const pace = { rounds: Number(values.rounds), seconds: Number(values.seconds) };
  if (!Number.isInteger(pace.rounds) || pace.rounds < 1 || pace.rounds > 50) throw new Error("--rounds: from 1 to 50.");
  if (!(pace.seconds >= 0.5 && pace.seconds <= 30)) throw new Error("--seconds: from 0.5 to 30.");
  const minutes = Number(values.minutes);
  if (!(minutes >= 0.5 && minutes <= 600)) throw new Error("--minutes: from 0.5 to 600.");
  const unknown = positionals.find((name) => SCENARIOS.every((scenario) => scenario.name !== name));
  if (unknown !== undefined) throw new Error(`There is no scenario ${unknown}.`);
  const scenarios = SCENARIOS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const { large } = values;
  return { scenarios, pace, large, minutes, ...(values.base !== undefined && { base: resolve(values.base) }) };
}

function installPeers(): void {
  const peers = join(import.meta.dirname, "peers");
  const installed = join(peers, "node_modules", ".package-lock.json");
  // npm writes it last, so it is older where the peers have changed since.
  const madeAt = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (madeAt(installed) >= madeAt(join(peers, "package-lock.json"))) return;
  console.error("Installing the peers …");
  const npm = process.env.npm_execpath;
  const [command, args] =
    npm === undefined ? ["npm", ["ci", "--ignore-scripts"]] : [process.execPath, [npm, "ci", "--ignore-scripts"]];
  const { status } = spawnSync(command, args, { cwd: peers, stdio: ["ignore", 2, 2], timeout: 300_000 });
  if (status !== 0) throw new Error("The peers could not be installed: run npm ci in bench/peers to see why.");
}

async function run({ scenarios, pace, large, minutes, base }: ReturnType<typeof readArguments>): Promise<void> {
  if (process.platform !== "linux" || cpus().length < 2) {
    throw new Error("The benchmark needs Linux and two cores: one for the server, one for the load generator.");
  }
  limitRunTime(120 + 2 * minutes);
  installPeers();
  const databases = new Map<string, Database>();
  let postgres: Promise<PostgresServer> | undefined;
  const startPostgres = () => {
    postgres ??= openPostgres();
    return postgres;
  };
  const bench: Bench = {
    pace,
    large,
    minutes,
    base,
    async database(shape) {
      const key = JSON.stringify(shape);
      const database = databases.get(key) ?? (await createDatabase(shape, startPostgres));
      databases.set(key, database);
      return database;
    },
    postgres: startPostgres,
  };
  const report: string[] = [];
  let missed = 0;
  try {
    for (const scenario of scenarios) {
      const outcome = await scenario.run(bench);
      const text = describeOutcome(scenario, outcome);
      console.log(text);
      report.push(text);
      missed += outcome.targets.filter((target) => !isMet(target)).length;
    }
    if (scenarios.length === SCENARIOS.length) {
      report.unshift(describeRun(pace, (await startPostgres()).description));
      writeFileSync(join(import.meta.dirname, "results.md"), report.join("\n"));
    }
  } finally {
    stopLoadGenerator();
    await (await postgres)?.stop();
  }
  console.log(missed === 0 ? "Every target is met." : `${missed} target(s) missed.`);
  process.exitCode = missed === 0 ? 0 : 1;
}

let chosen: ReturnType<typeof readArguments>;
try {
  chosen = readArguments();
} catch (error) {
  console.error(`${(error as Error).message}\n\n${USAGE}`);
  process.exit(2);
}
try {
  await run(chosen);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
