import { EXIT_CODES } from "../../src/cli/terminal/exit-codes.ts";
import { ERROR_CODES } from "../../src/domain/error-codes.ts";
import { code, codes, head, type Page, table } from "./markdown.ts";
import { OAUTH_ERRORS } from "./openapi/oauth-errors.ts";

const INTRODUCTION = `Every error code, in three families: \`extensions.code\` of GraphQL, \`error\` of the OAuth and OpenID
Connect endpoints, and exit codes of commands. [errors.md](../errors.md) explains the form of each, and
[troubleshooting.md](../troubleshooting.md) the errors that people meet most.`;

export function errorsPage(): Page {
  const graphql = Object.entries(ERROR_CODES).map(([name, { status, when, remedy, extensions = {} }]) =>
    [
      `### ${name}\n`,
      `${when}\n`,
      `- Status: ${status}`,
      `- To do: ${remedy}`,
      ...Object.entries(extensions).map(([field, meaning]) => `- ${code(`extensions.${field}`)}: ${meaning}`),
      "",
    ].join("\n"),
  );
  const oauth = Object.entries(OAUTH_ERRORS).map(([name, { source, statuses, meaning }]) =>
    [`### ${name}\n`, `${meaning}\n`, `- Status: ${statuses}`, `- Source: ${source}`, ""].join("\n"),
  );
  const exits = Object.values(EXIT_CODES).map((exit) => [code(String(exit.code)), exit.meaning]);
  const text = [
    head(
      "Error codes",
      ["src/domain/error-codes.ts", "bin/reference/openapi/oauth-errors.ts", "src/cli/terminal/exit-codes.ts"],
      INTRODUCTION,
    ),
    `## GraphQL\n\nStatuses are those for \`Accept: application/graphql-response+json\`. Codes: ${codes(Object.keys(ERROR_CODES))}.\n`,
    ...graphql,
    "## OAuth and OpenID Connect\n\nThe value of `error`: in JSON, in a redirect to the client, or in `WWW-Authenticate`.\n",
    ...oauth,
    "## Commands\n",
    table(["exit code", "meaning"], exits),
  ].join("\n");
  return { name: "errors", text };
}
