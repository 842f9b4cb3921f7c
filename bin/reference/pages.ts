import { createRequire } from "node:module";
import { loadSchema } from "../../src/graphql/documents/schema.ts";
import { auditPage } from "./audit.ts";
import { commandsPage } from "./commands.ts";
import { errorsPage } from "./errors.ts";
import type { Page } from "./markdown.ts";
import { metricsPage } from "./metrics.ts";
import { openApiDocument } from "./openapi/document.ts";
import { readRecorded } from "./recorded.ts";
import { schemaPages } from "./schema/pages.ts";
import { settingsPage } from "./settings.ts";
import { namesNow, sinceOf } from "./since.ts";
import { tablesPage } from "./tables.ts";
import { toolsPage } from "./tools.ts";

export const version: string = createRequire(import.meta.url)("../../package.json").version;

/** Pages of docs/reference that need no database. Names that are new count as those of this version. */
export function referencePages(): Page[] {
  const schema = loadSchema();
  const { since } = sinceOf(namesNow(schema), version);
  const { fieldErrors, audit } = readRecorded();
  return [
    ...schemaPages(schema, since, fieldErrors),
    settingsPage(since),
    commandsPage(since),
    metricsPage(),
    auditPage(schema, since, audit),
    errorsPage(),
    toolsPage(),
  ];
}

/** Every page. @param postgresUrl an empty database, for the page about tables */
export async function allPages(postgresUrl: string): Promise<Page[]> {
  return [...referencePages(), await tablesPage(postgresUrl)];
}

/** docs/openapi.json. */
export function openApiText(): string {
  return `${JSON.stringify(openApiDocument(version), null, 2)}\n`;
}
