import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import {
  buildSchema,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  parse,
  typeFromAST,
} from "graphql";
import { SCOPES } from "../../src/studio/client.ts";
import { openTestApp, type TestApp } from "../app.ts";
import { runJson } from "../command.ts";
import { buildStudioFiles } from "../studio-files.ts";

const schema = buildSchema(readFileSync(join(import.meta.dirname, "../../schema.graphql"), "utf8"));
const ADA = { email: "ada@example.com", name: "Ada", password: "nine quiet herons over a mill" };

/** Codes of answers that say something about the values of the variables alone. */
const ABOUT_VALUES = new Set(["BAD_USER_INPUT", "NOT_FOUND", "CONFLICT"]);

/** A value of the type; lists have as many entries as the studio asks for. */
function sampleOf(type: GraphQLInputType, name: string, id: string): unknown {
  if (isNonNullType(type)) return sampleOf(type.ofType, name, id);
  if (isListType(type)) return [sampleOf(type.ofType, name, id)];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type)) {
    const needed = Object.values(type.getFields()).filter((field) => isNonNullType(field.type));
    return Object.fromEntries(needed.map((field) => [field.name, sampleOf(field.type, field.name, id)]));
  }
  if (type.name === "ID") return id;
  if (type.name === "Int") return name === "first" ? 50 : 1;
  if (type.name === "Boolean") return true;
  return /At$/.test(name) ? new Date(Date.now() + 86_400_000).toISOString() : "tea";
}

describe("S04 what the studio asks, any client may ask", () => {
  const folder = mkdtempSync(join(tmpdir(), "content-api-trusted-"));
  let app: TestApp;
  let token: string;
  let documents: [id: string, text: string][];
  before(async () => {
    const studioFolder = await buildStudioFiles();
    documents = Object.entries(JSON.parse(readFileSync(join(studioFolder, "documents.json"), "utf8")));
    // S95: at most 250 points each.
    const settings = {
      TRUSTED_DOCUMENTS: folder,
      TRUSTED_DOCUMENTS_ONLY: "true",
      INTROSPECTION: "false",
      MAX_COST: "250",
      CLIENTS_BY: "people",
    };
    app = await openTestApp(settings, { now: () => Date.now(), studioFolder });
    await runJson(
      ["user", "create", "--email", ADA.email, "--name", ADA.name, "--role", "admin", "--password-stdin"],
      app.environment,
      ADA.password,
    );
    // Pages of administrators and developers ask with scopes of their own.
    const scopes = [...new Set([...SCOPES, "admin", "users:email", "users:read", "clients:own"])]
      .filter((scope) => scope !== "offline_access")
      .join(" ");
    const name = ["client", "create", "--name", "By hand", "--public", "--scope", scopes];
    const client = [...name, "--redirect-uri", "http://localhost:1/callback"];
    const { client_id: id } = await runJson<{ client_id: string }>(client, app.environment);
    const made = ["token", "create", "--user", ADA.email, "--client", id];
    ({ access_token: token } = await runJson<{ access_token: string }>([...made, "--scope", scopes], app.environment));
  });
  after(async () => {
    await app?.close();
    rmSync(folder, { recursive: true });
  });

  const post = (body: object, accept = "application/json") =>
    fetch(`${app.config.BASE_URL}/graphql`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", accept },
      body: JSON.stringify(body),
    });

  test("every document is answered to a client that was registered by hand, by its identifier alone", async () => {
    assert.ok(documents.length >= 15, `${documents.length} documents`);
    const created = documents.find(([, text]) => text.includes("createPost("));
    assert.ok(created !== undefined, "the studio creates posts");
    for (const [documentId, text] of documents) {
      const operation = parse(text).definitions.find(
        (definition): definition is OperationDefinitionNode => definition.kind === Kind.OPERATION_DEFINITION,
      );
      assert.ok(operation !== undefined);
      const variables = Object.fromEntries(
        (operation.variableDefinitions ?? [])
          .filter(({ variable }) => variable.name.value !== "after")
          .map(({ variable, type }) => {
            const known = typeFromAST(schema, type as never) as GraphQLInputType;
            return [variable.name.value, sampleOf(known, variable.name.value, "01900000-0000-7000-8000-000000000000")];
          }),
      );
      const name = operation.name?.value ?? "";
      if (operation.operation === "subscription") {
        const answer = await post({ documentId, variables: {} }, "text/event-stream");
        assert.match(answer.headers.get("content-type") ?? "", /^text\/event-stream/, name);
        await answer.body?.cancel();
        continue;
      }
      const { data, errors = [] } = (await (await post({ documentId, variables })).json()) as {
        data?: unknown;
        errors?: { message: string; extensions: { code: string; maxAge?: number } }[];
      };
      // Some changes need a token from a sign-in, which that of the command line is not.
      if (errors.some(({ extensions }) => extensions.maxAge !== undefined)) continue;
      const bad = errors.filter(({ extensions }) => !ABOUT_VALUES.has(extensions.code));
      assert.deepEqual(bad, [], `${name} ${JSON.stringify(variables)}`);
      assert.ok(data !== undefined, `${name}: ${JSON.stringify(errors)}`);
    }
  });

  test("other documents stay unknown, and texts are not taken where trusted documents alone count", async () => {
    const unknown = await post({ documentId: `sha256:${"0".repeat(64)}` });
    assert.match(await unknown.text(), /PERSISTED_QUERY_NOT_FOUND/);
    const written = await post({ query: "{ viewer { name } }" });
    assert.match(await written.text(), /runs trusted documents only/);
  });
});
