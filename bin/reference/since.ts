import { readFileSync, writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { GraphQLSchema } from "graphql";
import { VARIABLES } from "../../src/config/variables.ts";
import { commandsIn, openedProgram } from "./commands.ts";

/** Names that a version was the first to have: by kind (`settings`, `commands`, `schema`) and owner, separated by spaces. */
type Names = Readonly<Record<string, Readonly<Record<string, string>>>>;

const FILE = new URL("since.json", import.meta.url);

/** The version that was the first to have a name, such as `since("schema", "Post", "title")`. */
export type Since = (kind: string, owner: string, name: string) => string;

/** @param schema names of types and fields are its own */
export function namesNow(schema: GraphQLSchema): Names {
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith("__"));
  const members = types.flatMap((type) => {
    if ("getFields" in type) return [[type.name, Object.keys(type.getFields()).join(" ")] as const];
    return "getValues" in type
      ? [
          [
            type.name,
            type
              .getValues()
              .map(({ name }) => name)
              .join(" "),
          ] as const,
        ]
      : [];
  });
  const commands = commandsIn(openedProgram()).map(({ path, command }) => {
    const options = command.options.map(({ long, short }) => long ?? short ?? "");
    return [path, [".", ...options].join(" ")] as const;
  });
  return {
    settings: { ".": Object.keys(VARIABLES).join(" ") },
    commands: Object.fromEntries(commands),
    schema: Object.fromEntries(members),
  };
}

/** Versions by name. A name that no version has yet gets `version`. */
export function sinceOf(
  names: Names,
  version: string,
  known = readSince(),
): { since: Since; file: Record<string, Names> } {
  const versions = new Map<string, string>();
  for (const [first, kinds] of Object.entries(known))
    for (const [kind, owner, name] of eachName(kinds)) versions.set(keyOf(kind, owner, name), first);
  const file: Record<string, Record<string, Record<string, string>>> = {};
  for (const [kind, owner, name] of eachName(names)) {
    const first = versions.get(keyOf(kind, owner, name)) ?? version;
    versions.set(keyOf(kind, owner, name), first);
    file[first] ??= {};
    file[first][kind] ??= {};
    const before = file[first][kind][owner];
    file[first][kind][owner] = before === undefined ? name : `${before} ${name}`;
  }
  return {
    file: Object.fromEntries(Object.entries(file).sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true }))),
    since(kind, owner, name) {
      const first = versions.get(keyOf(kind, owner, name));
      if (first === undefined) throw new Error(`Nothing says since when ${kind} has ${owner} ${name}.`);
      return first;
    },
  };
}

export function readSince(): Readonly<Record<string, Names>> {
  return JSON.parse(readFileSync(FILE, "utf8")) as Record<string, Names>;
}

export function writeSince(file: Readonly<Record<string, Names>>): void {
  if (!isDeepStrictEqual(file, readSince())) writeFileSync(FILE, `${JSON.stringify(file, null, 2)}\n`);
}

function keyOf(kind: string, owner: string, name: string): string {
  return JSON.stringify([kind, owner, name]);
}

function eachName(names: Names): [kind: string, owner: string, name: string][] {
  return Object.entries(names).flatMap(([kind, owners]) =>
    Object.entries(owners).flatMap(([owner, list]) =>
      list.split(" ").map((name): [string, string, string] => [kind, owner, name]),
    ),
  );
}
