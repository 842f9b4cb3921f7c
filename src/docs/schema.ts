import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isSpecifiedScalarType,
  print,
} from "graphql";
import { escapeHtml } from "../design/escape-html.ts";
import { code, prose } from "./html.ts";
import type { Installation } from "./installation.ts";

type ScopesOf = Installation["scopesOf"];

/** Every type of the schema that the server runs: fields, arguments, defaults, scopes, deprecations. */
export function schemaPage({ schema, scopesOf }: Pick<Installation, "schema" | "scopesOf">): string {
  if (schema === null)
    return "<p>This server does not publish its schema. Ask its operator for the documents that it accepts.</p>";
  const types = typesOf(schema);
  const index = types.map(({ name }) => `<li><a href="#${name}">${name}</a></li>`);
  return `<p>Types and fields of ${code("/graphql")}. After its type, a field names the scopes that the token needs.</p>
<ul class="index">${index.join("")}</ul>
${types.map((type) => describeType(type, scopesOf)).join("\n")}`;
}

/** Operations first, then the other types in the order of the schema. */
function typesOf(schema: GraphQLSchema): GraphQLNamedType[] {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].filter(
    (type) => type != null,
  );
  const others = Object.values(schema.getTypeMap()).filter(
    (type) =>
      !type.name.startsWith("__") && !isSpecifiedScalarType(type) && !roots.some(({ name }) => name === type.name),
  );
  return [...roots, ...others];
}

function describeType(type: GraphQLNamedType, scopesOf: ScopesOf): string {
  const { name, description } = type;
  const about = description ? `\n<p>${prose(description)}</p>` : "";
  return `<section>
<h2 id="${name}">${name}</h2>
<p class="muted">${kindOf(type)}</p>${about}
${membersOf(type, scopesOf)}
</section>`;
}

function kindOf(type: GraphQLNamedType): string {
  if (isInputObjectType(type)) return "input";
  if (isEnumType(type)) return "enum";
  if (isInterfaceType(type)) return "interface";
  if (!isObjectType(type)) return "scalar";
  const interfaces = type.getInterfaces().map(({ name }) => typeLink(name));
  return interfaces.length === 0 ? "object" : `object, a ${interfaces.join(" and a ")}`;
}

function membersOf(type: GraphQLNamedType, scopesOf: ScopesOf): string {
  if (isEnumType(type))
    return list(
      type
        .getValues()
        .map((value) => `${code(value.name)}${after(value.description)}${deprecation(value.deprecationReason)}`),
    );
  if (isInputObjectType(type)) return list(Object.values(type.getFields()).map(describeInput));
  if (!isObjectType(type) && !isInterfaceType(type)) return "";
  return list(Object.values(type.getFields()).map((field) => describeField(field, scopesOf)));
}

function list(items: readonly string[]): string {
  return `<ul class="fields">${items.map((item) => `<li>${item}</li>`).join("\n")}</ul>`;
}

function describeField(field: GraphQLField<unknown, unknown>, scopesOf: ScopesOf): string {
  const scopes = scopesOf(field).map(code).join(" ");
  const needs = scopes === "" ? "" : ` <span class="scope">needs ${scopes}</span>`;
  const inputs = field.args.map((argument) => `<li>${describeInput(argument)}</li>`);
  const inner = inputs.length === 0 ? "" : `<ul>${inputs.join("")}</ul>`;
  return `${code(field.name)}: ${typeLink(String(field.type))}${needs}${after(field.description)}${deprecation(field.deprecationReason)}${inner}`;
}

/** An argument, or a field of an input. */
function describeInput(input: GraphQLArgument | GraphQLInputField): string {
  const value = input.astNode?.defaultValue;
  const standard = value === undefined ? "" : ` = ${code(print(value))}`;
  return `${code(input.name)}: ${typeLink(String(input.type))}${standard}${after(input.description)}${deprecation(input.deprecationReason)}`;
}

/** A type with its brackets and marks, which leads to its section; the schema language's own scalars have none. */
function typeLink(text: string): string {
  const name = text.replaceAll(/[[\]!]/g, "");
  const isOwn = !["ID", "String", "Int", "Float", "Boolean"].includes(name);
  return isOwn ? `<a href="#${name}">${code(text)}</a>` : code(text);
}

function after(description: string | null | undefined): string {
  return description ? `<br>${prose(description)}` : "";
}

function deprecation(reason: string | null | undefined): string {
  return reason == null ? "" : `<br><strong>Deprecated:</strong> ${escapeHtml(reason)}`;
}
