import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { answersLikeGraphQL, RUNS } from "./oracle.ts";

const folder = await mkdtemp(join(tmpdir(), "oracle-"));
after(() => rm(folder, { recursive: true }));
let files = 0;

answersLikeGraphQL("SQLite", RUNS, async () => `sqlite:${join(folder, `${files++}.db`)}`);
