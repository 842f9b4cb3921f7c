import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import {
  getNamedType,
  isInterfaceType,
  isObjectType,
  parse,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { readMetrics } from "../../bin/reference/metrics.ts";
import { allPages, referencePages } from "../../bin/reference/pages.ts";
import { ERROR_CODES } from "../../src/domain/error-codes.ts";
import { loadSchema } from "../../src/graphql/documents/schema.ts";
import { openTestApp } from "../app.ts";
import { openPostgres } from "../postgres.ts";

const folder = join(import.meta.dirname, "../../docs/reference");
const read = (name: string) => readFileSync(join(folder, `${name}.md`), "utf8");
const postgres = await openPostgres();

describe("docs/reference", () => {
  test("D03 the pages are what the program says (npm run docs:reference), and there are no others", async () => {
    const pages = await allPages(await postgres.createDatabase());
    for (const { name, text } of pages) {
      assert.equal(read(name), text, `${name}.md: run npm run docs:reference`);
      assert.doesNotMatch(text, /undefined|\[object/, name);
    }
    assert.deepEqual(readdirSync(folder).sort(), pages.map(({ name }) => `${name}.md`).sort());
  });

  test("D03 every field of the schema stands in an example, and every example is valid", () => {
    const schema = loadSchema();
    const seen = new Set<string>();
    let examples = 0;
    for (const { text } of referencePages())
      for (const [, example = ""] of text.matchAll(/```graphql schema\n(.*?)```/gs)) {
        const document = parse(example);
        assert.deepEqual(validate(schema, document), [], example);
        const info = new TypeInfo(schema);
        const note = () => void seen.add(`${getNamedType(info.getParentType())?.name}.${info.getFieldDef()?.name}`);
        visit(document, visitWithTypeInfo(info, { Field: note }));
        examples += 1;
      }
    assert.ok(examples > 150, `${examples} examples`);
    const fields = Object.values(schema.getTypeMap())
      .filter((type) => (isObjectType(type) || isInterfaceType(type)) && !type.name.startsWith("__"))
      .flatMap((type) =>
        "getFields" in type ? Object.keys(type.getFields()).map((name) => `${type.name}.${name}`) : [],
      );
    assert.deepEqual(
      fields.filter((field) => !seen.has(field)),
      [],
    );
  });

  test("D03 each root field names its scopes, its cost and its errors, which are codes of the program", () => {
    const schema = loadSchema();
    const pages = ["queries", "mutations", "subscriptions"].map((name) => read(`graphql-${name}`)).join("\n");
    const sections = new Map(pages.split(/^## /m).map((text) => [text.split("\n", 1)[0], text]));
    for (const type of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()])
      for (const { name, args } of Object.values(type?.getFields() ?? {})) {
        const section = sections.get(name) ?? "";
        assert.match(section, /^- Scopes: (none|`.+`)$/m, name);
        assert.match(section, /^- Cost of the example: \d+ points?$/m, name);
        const [errors = ""] = /^- Errors: .+$/m.exec(section) ?? [];
        for (const [, code = ""] of errors.matchAll(/\[`(\w+)`\]/g)) assert.ok(Object.hasOwn(ERROR_CODES, code), code);
        for (const { name: argument } of args)
          assert.ok(section.includes(`| \`${argument}\` | `), `${name} ${argument}`);
      }
  });

  test("D03 a running server has no metric that the page leaves out", async () => {
    const app = await openTestApp({ SMTP_URL: "smtp://localhost:1", MAIL_FROM: "a@example.com" });
    try {
      await fetch(`${app.config.BASE_URL}/livez`);
      const text = await (await fetch(`${app.config.BASE_URL}/metrics`)).text();
      const named = new Set([...read("metrics").matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name));
      const metrics = readMetrics(text);
      assert.ok(metrics.length > 5, text);
      assert.deepEqual(
        metrics.filter(({ name }) => !named.has(name)),
        [],
      );
    } finally {
      await app.close();
    }
  });
});
