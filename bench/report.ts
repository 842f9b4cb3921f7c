import { readFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { type Measured, median, type Pace } from "./measure.ts";
import { CONNECTIONS, isMet, type Outcome, type Scenario, type Target } from "./scenario.ts";

/** The outcome of one scenario as Markdown, which reads well on a terminal, too. */
export function describeOutcome({ name, about }: Scenario, { measured, targets, notes = [] }: Outcome): string {
  const parts = [`## ${name}\n\n${about}`];
  if (measured.length > 0) {
    parts.push(
      table(
        ["server", "requests/s", "lowest–highest", "p50 ms", "p99 ms", "server CPU µs/request", "generator busy"],
        measured.map(row),
      ),
    );
  }
  parts.push(table(["target", "measured", "wanted", ""], targets.map(targetRow)), ...notes);
  return `${parts.join("\n\n")}\n`;
}

function row({ label, rounds }: Measured): readonly string[] {
  const perSecond = rounds.map((round) => round.perSecond);
  return [
    label,
    whole(median(perSecond)),
    `${whole(Math.min(...perSecond))}–${whole(Math.max(...perSecond))}`,
    median(rounds.map(({ p50Ms }) => p50Ms)).toFixed(2),
    median(rounds.map(({ p99Ms }) => p99Ms)).toFixed(2),
    median(rounds.map(({ cpuMicroseconds }) => cpuMicroseconds)).toFixed(1),
    `${whole(100 * median(rounds.map(({ busy }) => busy)))} %`,
  ];
}

function targetRow(target: Target): readonly string[] {
  const { what, value, unit, atLeast, atMost } = target;
  const show = (number: number) =>
    unit === "×" ? `${number.toFixed(2)} ×` : `${number.toFixed(number < 10 && unit !== "requests" ? 2 : 0)} ${unit}`;
  const wanted = atLeast === undefined ? `≤ ${atMost} ${unit}` : `≥ ${atLeast} ${unit}`;
  return [what, show(value), wanted, isMet(target) ? "met" : "**missed**"];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(...[head, ...rows].map((cells) => (cells[column] ?? title).length), 3),
  );
  const line = (cells: readonly string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}

function whole(number: number): string {
  return Math.round(number).toLocaleString("en");
}

/** What the outcomes are to be read with: date, machine, versions, method. */
export function describeRun({ rounds, seconds }: Pace, postgres: string): string {
  const { dependencies } = JSON.parse(readFileSync(join(import.meta.dirname, "peers", "package.json"), "utf8"));
  const versions = [
    ...["mercurius", "@apollo/server", "graphql-yoga", "fastify", "graphql"],
    ...["postgraphile", "pg", "oidc-provider"],
  ].map((name) => `${name} ${dependencies[name]}`);
  return `# Benchmark results

Written by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}; made anew by each full run.

- Machine: ${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GB; ${process.platform} ${process.arch}.
- Node ${process.versions.node}, SQLite ${process.versions.sqlite} for every server, ${postgres} with
  every commit on the disk before it is acknowledged; peers: ${versions.join(", ")}.
- Each server is one process on one core, the load generator is on the other: ${CONNECTIONS} keep-alive connections, one request
  under way on each, unless a section says otherwise. Every server gets the same request bytes, uses the same database
  and has given the same answer bytes for twenty different requests before it was timed.
- PostgreSQL is one server for all, too. It runs on the cores beside those two; where there are none, as on a machine with
  two cores, on these, so that what a server costs PostgreSQL counts as well.
- Ours is \`bin/content-api serve\` as shipped: a token checked in each request, limits on, log level of production.
  The rate limit counts as ever, only set so high (RATE_LIMIT_TOKEN, RATE_LIMIT_ADDRESS) that it is never reached.
  The peers check no token. How each is set up stands in its file in \`peers/\`, for Hydra and Keycloak in \`hydra.ts\` and
  \`keycloak.ts\`. Peers that are not installed are named where they are missing.
- The servers take turns, A B C A B C …, ${rounds} rounds of ${seconds} s each. Columns are medians of the rounds; a ratio is
  the median of the ratios within each round. Machines differ and are noisy: compare ratios, not requests per second.
- "generator busy" is the load generator's share of its core. Where it nears 100 %, the generator was the limit and
  the server could do more; expect that of the static answer only.
`;
}
