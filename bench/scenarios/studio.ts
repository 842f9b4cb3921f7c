import { median } from "../measure.ts";
import { requestBody } from "../queries.ts";
import type { Bench, Outcome, Scenario, Target } from "../scenario.ts";
import { ask, type Server, startServer } from "../servers.ts";
import { openStudioBrowser, type StudioBrowser } from "../studio-browser.ts";
import { studioSizes } from "../studio-sizes.ts";

const KEYS = 200;
const CHANGES = 1_000;

export const studio: Scenario = {
  name: "studio",
  about:
    "The studio in Chromium, with 1,000 posts. “Slow” is a processor at a quarter of its speed and a line of 10 Mbit/s with 40 ms for each answer. Sizes are after gzip.",
  async run(bench) {
    const database = await bench.database({
      engine: "sqlite",
      people: 50,
      postsEach: 20,
      isMixed: true,
      isEditor: true,
    });
    const server = await startServer("ours", database);
    const targets = await sizeTargets();
    try {
      const long = await createPost(server, 100_000);
      const longest = await createPost(server, 1_000_000);
      for (let i = 0; i < 5; i++) await createPost(server, 2_000);
      const browser = await openStudioBrowser(server);
      try {
        const visits = await measureVisits(browser, bench);
        const keys: Target[] = [];
        for (const [name, id, atMost] of [
          ["100 kB", long, 16],
          ["1 MB", longest, 50],
        ] as const) {
          const times = await browser.type(id, KEYS);
          keys.push({ what: `key to paint in ${name}, p95`, value: percentile(times, 95), unit: "ms", atMost });
        }
        const short = await createPost(server, 2_000);
        const { targets: walk, notes } = await measureWalk(browser, short);
        return {
          measured: [],
          targets: [...targets, ...visits.targets, ...keys, ...walk],
          notes: [...visits.notes, ...notes],
        };
      } finally {
        await browser.close();
      }
    } finally {
      await server.stop();
    }
  },
};

async function sizeTargets(): Promise<Target[]> {
  const { first, page, editor, styles } = await studioSizes();
  return [
    { what: "scripts of the first load", value: first, unit: "kB", atMost: 75 },
    { what: "scripts of the page of a post, without the editor", value: first + page, unit: "kB", atMost: 125 },
    { what: "scripts of the editor", value: editor, unit: "kB", atMost: 125 },
    { what: "style sheet", value: styles, unit: "kB", atMost: 12 },
  ];
}

async function measureVisits(
  browser: StudioBrowser,
  { pace }: Bench,
): Promise<Pick<Outcome, "targets"> & { notes: string[] }> {
  const of = async (...visit: Parameters<StudioBrowser["visit"]>) => {
    const shown = [];
    for (let round = 0; round < pace.rounds; round++) {
      // A visit that is no first one needs one before it.
      shown.push(await browser.visit(...visit));
    }
    return { page: median(shown.map(({ page }) => page)), rows: median(shown.map(({ rows }) => rows)) };
  };
  const first = await of("first", "slow");
  const second = await of("second", "full");
  const slowSecond = await of("second", "slow");
  return {
    targets: [
      { what: "first visit, slow: until the page can be used", value: first.page, unit: "ms", atMost: 1_000 },
      { what: "second visit: until the page can be used", value: second.page, unit: "ms", atMost: 300 },
    ],
    notes: [
      `Until posts are shown, which come from the API each time: ${whole(first.rows)} ms at the first visit (slow), ${whole(second.rows)} ms at the second. At the second visit, slow, the page can be used after ${whole(slowSecond.page)} ms, and shows posts after ${whole(slowSecond.rows)} ms.`,
    ],
  };
}

async function measureWalk(browser: StudioBrowser, postId: string): Promise<{ targets: Target[]; notes: string[] }> {
  const { early, late, times } = await browser.walk(postId, CHANGES);
  return {
    targets: [
      { what: "page change, median", value: median(times), unit: "ms", atMost: 100 },
      {
        what: `heap after ${CHANGES.toLocaleString("en")} page changes / before`,
        value: late.heap / early.heap,
        unit: "×",
        atMost: 1.1,
      },
      {
        what: `nodes after ${CHANGES.toLocaleString("en")} page changes / before`,
        value: late.nodes / early.nodes,
        unit: "×",
        atMost: 1.1,
      },
    ],
    notes: [
      `The heap had ${(early.heap / 1e6).toFixed(1)} MB after ${CHANGES / 5} page changes and ${(late.heap / 1e6).toFixed(1)} MB after ${CHANGES} more, through the list, a draft in the editor and the texts on this device.`,
    ],
  };
}

async function createPost(server: Server, length: number): Promise<string> {
  const paragraph = "A paragraph with *emphasis*, [a link](https://example.com) and some words more, as people write. ";
  const section = `## Heading\n\n${paragraph.repeat(5)}\n\n- one\n- two\n\n`;
  const body = section.repeat(Math.ceil(length / section.length)).slice(0, length);
  const query = "mutation ($input: CreatePostInput!) { createPost(input: $input) { id } }";
  const answer = JSON.parse(
    await ask(server, requestBody(query, { input: { title: `${length} characters`, body, status: "DRAFT" } })),
  );
  if (answer.data?.createPost === undefined) throw new Error(JSON.stringify(answer));
  return answer.data.createPost.id;
}

function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil((percent / 100) * sorted.length) - 1] ?? Number.NaN;
}

function whole(number: number): string {
  return Math.round(number).toLocaleString("en");
}
