import { clientPage } from "./clients.ts";
import { errorPage } from "./errors.ts";
import { page, STYLE_PATH } from "./frame.ts";
import type { Installation } from "./installation.ts";
import { schemaPage } from "./schema.ts";
import { settingPage } from "./settings.ts";
import { STYLESHEET } from "./stylesheet.ts";

/** A page or the style sheet, as it is sent. */
export interface Document {
  readonly type: string;
  readonly body: string;
}

/** Every document of this room by its path, each made when somebody first asks for it. */
export function openPages(installation: Installation): ReadonlyMap<string, () => Document> {
  const { operator } = installation;
  const html = (path: string, title: string, body: () => string): [string, () => Document] => [
    path,
    () => ({ type: "text/html; charset=utf-8", body: page({ operator, path, title }, body()) }),
  ];
  return new Map([
    html("/docs", "Clients of this server", () => clientPage(installation)),
    html("/docs/schema", "Schema", () => schemaPage(installation)),
    html("/docs/settings", "Limits, scopes and grants", () => settingPage(installation)),
    html("/docs/errors", "Errors", errorPage),
    [STYLE_PATH, () => ({ type: "text/css; charset=utf-8", body: STYLESHEET })],
  ]);
}
