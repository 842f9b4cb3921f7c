import { Posts } from "../../src/studio/browser/documents/posts.ts";
import { EVERYTHING, type ListView, listArguments, ORDERS, TABS } from "../../src/studio/browser/posts/list-address.ts";
import type { Database } from "../database.ts";
import { median } from "../measure.ts";
import { requestBody } from "../queries.ts";
import type { Scenario, Target } from "../scenario.ts";
import { ask, type Server, startServer } from "../servers.ts";

const PAGE = 50;
/** An answer that was given within a moment may come from memory, so no body is sent twice: this number is in each. */
const ROUNDS = 15;

type Asked = Readonly<Record<string, unknown>>;

/** The document of the studio's list, in all its views, where there are a thousand posts and where there are a million. */
export const studioList: Scenario = {
  name: "studio-list",
  about:
    "The document of the studio's list for an editor, in each view and order, with 1,000 posts and with 1,000,000: every page is full in both. One request at a time, from sending to answer, and in turns.",
  async run(bench) {
    const targets: Target[] = [];
    const notes: string[] = [];
    for (const engine of ["sqlite", "postgres"] as const) {
      const databases: Database[] = [];
      for (const people of [50, 50_000])
        databases.push(await bench.database({ engine, people, postsEach: 20, isMixed: true, isEditor: true }));
      const servers: Server[] = [];
      try {
        for (const database of databases) {
          servers.push(await startServer("ours", database));
        }
        const times: { readonly name: string; readonly small: number; readonly large: number }[] = [];
        for (const [name, variables] of views()) {
          const taken: [number[], number[]] = [[], []];
          for (let round = 0; round <= ROUNDS; round++) {
            for (const [i, server] of servers.entries()) {
              const author = databases[i]?.userIds[round % 50] ?? "";
              const started = performance.now();
              await ask(server, requestBody(Posts.text, { ...variables(author), first: PAGE }));
              if (round > 0) taken[i as 0 | 1].push(performance.now() - started);
            }
          }
          times.push({ name, small: median(taken[0]), large: median(taken[1]) });
        }
        const worst = times.toSorted((a, b) => b.large / b.small - a.large / a.small);
        const slowest = times.toSorted((a, b) => b.large - a.large)[0];
        targets.push(
          {
            what: `${engine}: time at 1 M / at 1 k, median of the views`,
            value: median(times.map(({ small, large }) => large / small)),
            unit: "×",
            atMost: 1.2,
          },
          {
            what: `${engine}: the same in the worst view (${worst[0]?.name})`,
            value: (worst[0]?.large ?? 0) / (worst[0]?.small ?? 1),
            unit: "×",
            atMost: 2,
          },
          {
            what: `${engine}: slowest view at 1 M (${slowest?.name})`,
            value: slowest?.large ?? Number.NaN,
            unit: "ms",
            atMost: 50,
          },
        );
        notes.push(
          `${engine}, milliseconds at 1 k and at 1 M: ${times.map(({ name, small, large }) => `${name} ${small.toFixed(1)} and ${large.toFixed(1)}`).join("; ")}.`,
        );
      } finally {
        for (const server of servers) await server.stop();
      }
    }
    return { measured: [], targets, notes };
  },
};

function views(): readonly [name: string, variables: (author: string) => Asked][] {
  const found: [string, (author: string) => Asked][] = [];
  for (const tab of TABS) {
    for (const order of tab === "scheduled" ? (["changed"] as const) : ORDERS) {
      const view: ListView = { ...EVERYTHING, tab, order };
      found.push([`${tab} by ${order}`, () => variablesOf(view)]);
      found.push([`${tab} by ${order}, one author`, (author) => variablesOf({ ...view, author })]);
    }
  }
  const unsaved = { status: ["DRAFT", "PUBLISHED", "ARCHIVED"], hasWorkingCopy: true };
  found.push(["with a working copy", () => ({ ...variablesOf(EVERYTHING), filter: unsaved })]);
  return found;
}

function variablesOf(view: ListView): Asked {
  return { ...listArguments(view), author: view.author ?? "", hasAuthor: view.author !== null };
}
