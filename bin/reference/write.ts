// Writes docs/reference, docs/openapi.json and the versions of new names: npm run docs:reference. Tests check that this was done.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadSchema } from "../../src/graphql/documents/schema.ts";
import { startPostgres } from "../../test/postgres.ts";
import { allPages, openApiText, version } from "./pages.ts";
import { namesNow, sinceOf, writeSince } from "./since.ts";

const folder = join(import.meta.dirname, "../../docs/reference");

writeFileSync(join(folder, "../openapi.json"), openApiText());
writeSince(sinceOf(namesNow(loadSchema()), version).file);
const postgres = await startPostgres();
try {
  const pages = await allPages(await postgres.createDatabase());
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  for (const { name, text } of pages) writeFileSync(join(folder, `${name}.md`), text);
} finally {
  await postgres.stop();
}
