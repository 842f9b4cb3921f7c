// Writes docs/schema.md from schema.graphql: npm run docs:schema. A test checks that this was done.
import { readFileSync, writeFileSync } from "node:fs";
import {
  buildSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isSpecifiedDirective,
  isSpecifiedScalarType,
  print,
} from "graphql";

const HEAD = `# The schema

Types and fields of \`/graphql\`. \`npm run docs:schema\` makes this page from [schema.graphql](../schema.graphql). After its type, a
field names the scopes that the token needs. [graphql.md](graphql.md) explains how to send requests.
`;

/**
 * @param {string} text a schema in SDL
 * @returns {string} its documentation in Markdown
 */
export function describeSchema(text) {
  const schema = buildSchema(text);
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => !type.name.startsWith("__") && !isSpecifiedScalarType(type),
  );
  const directives = schema.getDirectives().filter((directive) => !isSpecifiedDirective(directive));
  return [HEAD, ...types.map(describeType), ...directives.map(describeDirective)].join("\n");
}

function describeType(type) {
  const lines = [`## ${type.name}`, ""];
  const kind = kindOf(type);
  const interfaces = isObjectType(type) ? type.getInterfaces().map(({ name }) => link(name)) : [];
  lines.push(interfaces.length === 0 ? `*${kind}*` : `*${kind}, a ${interfaces.join(" and a ")}*`, "");
  if (type.description) lines.push(type.description, "");
  if (isEnumType(type)) {
    for (const { name, description } of type.getValues()) lines.push(`- \`${name}\`${after(description)}`);
  } else if ("getFields" in type) {
    for (const field of Object.values(type.getFields())) lines.push(...describeField(field));
  }
  return `${lines.join("\n")}\n`;
}

function describeField(field) {
  const scopes = scopesOf(field);
  const needs = scopes.length === 0 ? "" : ` · ${scopes.map((scope) => `\`${scope}\``).join(" ")}`;
  const deprecated = field.deprecationReason == null ? "" : ` **Deprecated:** ${field.deprecationReason}`;
  return [
    `- \`${field.name}\`: ${typeLink(field.type)}${standard(field)}${needs}${after(field.description)}${deprecated}`,
    ...(field.args ?? []).map((argument) => `  ${describeField(argument)[0]}`),
  ];
}

function describeDirective({ name, description, args }) {
  const given = args.map((argument) => `${argument.name}: ${argument.type}`).join(", ");
  return `## @${name}\n\n*directive* \`@${name}(${given})\`\n\n${description ?? ""}\n`;
}

function kindOf(type) {
  if (isInputObjectType(type)) return "input";
  if (isEnumType(type)) return "enum";
  if (isInterfaceType(type)) return "interface";
  return isObjectType(type) ? "object" : "scalar";
}

function scopesOf({ astNode }) {
  const directive = astNode?.directives?.find(({ name }) => name.value === "requiresScopes");
  return directive?.arguments?.flatMap(({ value }) => value.values.map((scope) => scope.value)) ?? [];
}

function standard({ astNode }) {
  const value = astNode?.defaultValue;
  return value === undefined ? "" : ` = \`${print(value)}\``;
}

function typeLink(type) {
  const text = String(type);
  const name = text.replaceAll(/[[\]!]/g, "");
  return ["ID", "String", "Int", "Float", "Boolean"].includes(name)
    ? `\`${text}\``
    : `[\`${text}\`](#${name.toLowerCase()})`;
}

function link(name) {
  return `[${name}](#${name.toLowerCase()})`;
}

function after(description) {
  return description ? `: ${description.replaceAll("\n", " ")}` : "";
}

if (import.meta.main) {
  const file = (name) => new URL(`../${name}`, import.meta.url);
  writeFileSync(file("docs/schema.md"), describeSchema(readFileSync(file("schema.graphql"), "utf8")));
}
