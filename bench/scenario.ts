import type { Database, Shape } from "./database.ts";
import { type Contender, interleave, type Measured, type Pace, ratio } from "./measure.ts";
import { reasonToSkip } from "./peer-programs.ts";
import type { PostgresServer } from "./postgres.ts";
import { ask, type Peer, type Server, type ServerName, startServer } from "./servers.ts";

export interface Scenario {
  readonly name: string;
  /** One sentence for the results. */
  readonly about: string;
  run(bench: Bench): Promise<Outcome>;
}

/** What a scenario works with. */
export interface Bench {
  readonly pace: Pace;
  /** Whether what takes many minutes is measured as well. */
  readonly large: boolean;
  /** Length of the soak. */
  readonly minutes: number;
  /** Folder of another version of our program. */
  readonly base: string | undefined;
  /** A database of this shape; made once per run. */
  database(shape: Shape): Promise<Database>;
  /** The PostgreSQL of this run, for databases that are not ours. */
  postgres(): Promise<PostgresServer>;
}

export interface Outcome {
  /** Empty for scenarios that are no comparison of requests per second. */
  readonly measured: readonly Measured[];
  readonly targets: readonly Target[];
  /** What must be known to read them; a sentence each. */
  readonly notes?: readonly string[];
}

export interface Target {
  readonly what: string;
  readonly value: number;
  readonly unit: "×" | "ms" | "MB" | "kB" | "%" | "requests";
  readonly atLeast?: number;
  readonly atMost?: number;
}

export function isMet({
  value,
  atLeast = Number.NEGATIVE_INFINITY,
  atMost = Number.POSITIVE_INFINITY,
}: Target): boolean {
  return value >= atLeast && value <= atMost;
}

export const CONNECTIONS = 32;

export interface CompareOptions {
  readonly connections?: number;
  /** Takes out of an answer what cannot be the same. */
  readonly normalize?: (answer: string) => string;
  /** See `Contender.check`. */
  readonly check?: Contender["check"];
}

/**
 * Ours against peers: the same requests to each, after each has given the same bytes. `atLeast` says how many times as
 * many requests ours must answer as that peer; peers without are there for orientation.
 */
export async function compare(
  bench: Bench,
  database: Database,
  bodies: readonly string[],
  peers: readonly { readonly name: Peer; readonly atLeast?: number }[],
  { connections = CONNECTIONS, normalize = (answer) => answer, check = async () => {} }: CompareOptions = {},
): Promise<Outcome> {
  const servers: Server[] = [];
  const notes: string[] = [];
  const present = peers.filter(({ name }) => {
    const reason = name === "rust" ? reasonToSkip(name) : null;
    if (reason !== null) notes.push(reason);
    return reason === null;
  });
  try {
    const ours = await startServer("ours", database);
    servers.push(ours);
    const answer = await ask(ours, bodies[0] ?? "");
    for (const { name } of present) servers.push(await startServer(name, database, { answer }));
    for (const server of servers) await assertSameAnswers(ours, server, bodies, normalize);

    const contenders: Contender[] = servers.map((server) => ({ label: server.name, server, bodies, check }));
    const measured = await interleave(contenders, bench.pace, connections);
    const of = (name: ServerName) => measured.find(({ label }) => label === name) as Measured;
    const targets = present.flatMap(({ name, atLeast }): Target[] =>
      atLeast === undefined ? [] : [{ what: `ours / ${name}`, value: ratio(of("ours"), of(name)), unit: "×", atLeast }],
    );
    return { measured, targets, notes };
  } finally {
    for (const server of servers) await server.stop();
  }
}

/** Asks twenty of the bodies, spread evenly. The static server knows the first answer only. */
async function assertSameAnswers(
  ours: Server,
  peer: Server,
  bodies: readonly string[],
  normalize: (answer: string) => string,
): Promise<void> {
  const step = Math.max(1, Math.floor(bodies.length / 20));
  const samples = bodies.filter((_, index) => index % step === 0);
  for (const body of peer.name === "static" ? samples.slice(0, 1) : samples) {
    const [expected, got] = [normalize(await ask(ours, body)), normalize(await ask(peer, body))];
    if (!expected.startsWith('{"data":{')) throw new Error(`Not an answer to measure: ${expected.slice(0, 500)}`);
    if (got !== expected) {
      throw new Error(`No comparison: ${peer.name} does not give the same bytes for ${body}\n${expected}\n${got}`);
    }
  }
}
