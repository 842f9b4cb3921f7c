// Writes a module beside each .graphql file of src/studio/browser/documents: npm run docs:studio. Each operation becomes a
// constant of its name, with its text, its identifier and its types; each fragment becomes a type of its name. Types of
// inputs stand in inputs.ts. A test checks that this was done.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  buildASTSchema,
  concatAST,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  Kind,
  parse,
  print,
  separateOperations,
  stripIgnoredCharacters,
  typeFromAST,
  validate,
} from "graphql";

const FOLDER = new URL("../src/studio/browser/documents/", import.meta.url);
const SCALARS = { ID: "string", String: "string", Int: "number", Float: "number", Boolean: "boolean" };

/**
 * @param {string} sdl the schema
 * @param {ReadonlyMap<string, string>} sources texts of .graphql files by their names
 * @returns {Map<string, string>} the modules by their names
 */
export function writeDocuments(sdl, sources) {
  const schema = buildASTSchema(parse(sdl));
  const parsed = new Map([...sources].map(([name, text]) => [moduleOf(name), parse(text)]));
  const all = concatAST([...parsed.values()]);
  const errors = validate(schema, all);
  if (errors.length > 0) throw new Error(errors.map(String).join("\n\n"));
  const fragments = new Map(
    all.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION).map((one) => [one.name.value, one]),
  );
  const inputs = new Set();
  const context = { schema, fragments, inputs };
  const operations = separateOperations(all);
  const bodies = new Map([...parsed].map(([name, document]) => [name, writeModule(context, document, operations)]));
  if (inputs.size > 0) bodies.set("inputs.ts", inputTypes(inputs));
  const places = new Map([...inputs].map(({ name }) => [name, "inputs.ts"]));
  for (const [name, { definitions }] of parsed)
    for (const { kind, name: own } of definitions) if (kind === Kind.FRAGMENT_DEFINITION) places.set(own.value, name);
  return new Map([...bodies].map(([name, body]) => [name, HEAD + importsOf(name, body, places) + body]));
}

const HEAD = "// Written by bin/studio-documents.js from the .graphql files of this folder (npm run docs:studio).\n";

function moduleOf(source) {
  return source.replace(/\.graphql$/, ".ts");
}

function writeModule(context, { definitions }, operations) {
  const written = definitions.map((definition) => {
    const name = definition.name?.value;
    if (name === undefined) throw new Error("An operation has no name.");
    if (definition.kind === Kind.OPERATION_DEFINITION) return writeOperation(context, name, operations[name]);
    const type = context.schema.getType(definition.typeCondition.name.value);
    return `\nexport ${declaration(name, objectType(context, type, [definition.selectionSet], ""))}\n`;
  });
  return written.join("");
}

function writeOperation(context, name, document) {
  const text = stripIgnoredCharacters(print(document));
  const operation = document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const root = context.schema.getRootType(operation.operation);
  const data = objectType(context, root, [operation.selectionSet], "");
  const members = (operation.variableDefinitions ?? []).map(({ variable, type, defaultValue }) => {
    const known = typeFromAST(context.schema, type);
    const mark = isNonNullType(known) && !defaultValue ? "" : "?";
    // Numbered variables, as of documents that change many posts, are one member.
    const [, stem] = /^([a-z]+)\d+$/i.exec(variable.name.value) ?? [];
    const member = mark === "" || stem === undefined ? variable.name.value + mark : `[name: \`${stem}\${number}\`]`;
    return `  readonly ${member}: ${inputType(context.inputs, known)};\n`;
  });
  const variables = [...new Set(members)];
  return `
export ${declaration(`${name}Data`, data)}

${variables.length === 0 ? `export type ${name}Variables = Record<string, never>;` : `export interface ${name}Variables {\n${variables.join("")}}`}

export const ${name}: StudioDocument<${name}Data, ${name}Variables> = {
  text: ${JSON.stringify(text)},
  id: "sha256:${createHash("sha256").update(text).digest("hex")}",
};
`;
}

/** Imports of the types that a module names and another one has. */
function importsOf(name, body, places) {
  const used = new Map();
  for (const [type, place] of places)
    if (place !== name && new RegExp(`(?<![\\w."])${type}\\b(?!")`).test(body.replaceAll(/^ {2}text: .*$/gm, "")))
      used.set(place, [...(used.get(place) ?? []), type]);
  const lines = [...used]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([place, types]) => `import type { ${types.sort().join(", ")} } from "./${place}";\n`);
  const own = body.includes("StudioDocument<") ? 'import type { StudioDocument } from "../ports.ts";\n' : "";
  return own + lines.join("");
}

function declaration(name, type) {
  return type.startsWith("{") ? `interface ${name} ${type}` : `type ${name} = ${type};`;
}

/**
 * Fragments by their names, and an object of the fields beside them. Where two of these select parts of one object, all is
 * written out: the types of two lists cannot be joined.
 */
function objectType(context, type, selectionSets, indent) {
  const selections = selectionSets.flatMap((set) => set.selections);
  const spreads = selections.filter(({ kind }) => kind === Kind.FRAGMENT_SPREAD);
  const own = selections.filter(({ kind }) => kind !== Kind.FRAGMENT_SPREAD);
  const parts = [...spreads.map((spread) => [spread]), own].map((part) =>
    fieldsOf(context, type, [{ selections: part }]),
  );
  const objects = parts.flatMap((fields) => [...fields].filter(([, { sets }]) => sets.length > 0).map(([key]) => key));
  if (new Set(objects).size < objects.length)
    return writeFields(context, fieldsOf(context, type, selectionSets), indent);
  const names = spreads.map((spread) => {
    const name = spread.name.value;
    const isOptional = isConditional(spread) || context.fragments.get(name).typeCondition.name.value !== type.name;
    return isOptional ? `Partial<${name}>` : name;
  });
  const types = own.length > 0 ? [...names, writeFields(context, parts.at(-1), indent)] : names;
  return types.length === 1 ? types[0] : `(${types.join(" & ")})`;
}

function writeFields(context, fields, indent) {
  const lines = [...fields].map(([key, { field, sets, isOptional }]) => {
    const inner = `${indent}  `;
    const named = getNamedType(field.type);
    const base = sets.length > 0 ? objectType(context, named, sets, inner) : leafType(named);
    return `${inner}readonly ${key}${isOptional ? "?" : ""}: ${wrap(field.type, base)};\n`;
  });
  return `{\n${lines.join("")}${indent}}`;
}

/** Sub-selections of one response name that stand in several places are one object. */
function fieldsOf(context, type, selectionSets) {
  const fields = new Map();
  collect(context, type, selectionSets, fields, false);
  return fields;
}

function isConditional({ directives }) {
  return (directives ?? []).some(({ name }) => ["include", "skip"].includes(name.value));
}

function collect(context, type, selectionSets, fields, isOptional) {
  for (const selection of selectionSets.flatMap(({ selections }) => selections)) {
    const may = isOptional || isConditional(selection);
    if (selection.kind === Kind.FIELD) {
      const key = selection.alias?.value ?? selection.name.value;
      const field =
        selection.name.value === "__typename"
          ? { type: { name: "String", isTypename: true } }
          : type.getFields()[selection.name.value];
      const known = fields.get(key) ?? { field, sets: [], isOptional: may };
      if (selection.selectionSet) known.sets.push(selection.selectionSet);
      known.isOptional = known.isOptional && may;
      fields.set(key, known);
    } else {
      const fragment =
        selection.kind === Kind.INLINE_FRAGMENT ? selection : context.fragments.get(selection.name.value);
      const on = fragment.typeCondition?.name.value ?? type.name;
      collect(context, context.schema.getType(on), [fragment.selectionSet], fields, may || on !== type.name);
    }
  }
}

function wrap(type, base, isNullable = true) {
  if (isNonNullType(type)) return wrap(type.ofType, base, false);
  const inner = isListType(type) ? `readonly ${parenthesized(wrap(type.ofType, base))}[]` : base;
  return isNullable && type.isTypename !== true ? `${inner} | null` : inner;
}

function parenthesized(text) {
  if (text.startsWith("(") && text.endsWith(")")) return text;
  return text.includes(" | ") && !text.startsWith("{") ? `(${text})` : text.endsWith("} | null") ? `(${text})` : text;
}

function leafType(type) {
  if (isEnumType(type))
    return parenthesized(
      type
        .getValues()
        .map(({ name }) => JSON.stringify(name))
        .join(" | "),
    );
  return SCALARS[type.name] ?? "unknown";
}

function inputType(inputs, type) {
  const named = getNamedType(type);
  if (isInputObjectType(named)) inputs.add(named);
  return wrap(type, isInputObjectType(named) ? named.name : leafType(named));
}

function inputTypes(inputs) {
  const written = [];
  // A Set goes on to what is added while it is walked.
  for (const type of inputs) {
    const lines = Object.values(type.getFields()).map((field) => {
      const mark =
        isNonNullType(field.type) && field.defaultValue === undefined && field.default === undefined ? "" : "?";
      return `  readonly ${field.name}${mark}: ${inputType(inputs, field.type)};\n`;
    });
    written.push(`\nexport interface ${type.name} {\n${lines.join("")}}\n`);
  }
  return written.join("");
}

/** @returns {Map<string, string>} */
export function readSources(folder = FOLDER) {
  const names = readdirSync(folder).filter((name) => name.endsWith(".graphql"));
  return new Map(names.sort().map((name) => [name, readFileSync(new URL(name, folder), "utf8")]));
}

if (import.meta.main) {
  const sdl = readFileSync(join(import.meta.dirname, "..", "schema.graphql"), "utf8");
  for (const [name, text] of writeDocuments(sdl, readSources())) writeFileSync(new URL(name, FOLDER), text);
}
