// npm run schema:check refuses a schema.graphql that takes away, or gives another meaning to, what clients may count on: the
// contract, and what was released last. Whoever makes a release copies schema.graphql to schema.released.graphql.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { BreakingChangeType, buildSchema, DangerousChangeType, findSchemaChanges } from "graphql";

const PROMISES = ["test/graphql/contract.graphql", "schema.released.graphql"];

const GRAVE = new Set([
  ...Object.values(BreakingChangeType),
  ...Object.values(DangerousChangeType).filter(
    // What the contract says may be added: a document that was valid asks for the same as before.
    (type) =>
      type !== DangerousChangeType.OPTIONAL_ARG_ADDED && type !== DangerousChangeType.OPTIONAL_INPUT_FIELD_ADDED,
  ),
]);

/**
 * @param {string} before a schema in SDL that clients may count on
 * @param {string} after the one to be served
 * @returns {string[]} what such clients would notice, in words
 */
export function findGraveChanges(before, after) {
  const promised = buildSchema(before);
  return findSchemaChanges(promised, buildSchema(after))
    .filter(({ type }) => GRAVE.has(type))
    .filter((change) => !isNewInterface(promised, change))
    .map(({ description }) => description);
}

/** One that is new itself cannot stand in a document that was valid before: nothing can mean something else now. */
function isNewInterface(promised, { type, description }) {
  return (
    type === DangerousChangeType.IMPLEMENTED_INTERFACE_ADDED &&
    promised.getType(/^(\w+) added/.exec(description)?.[1] ?? "") === undefined
  );
}

function check() {
  const read = (name) => readFileSync(new URL(`../${name}`, import.meta.url), "utf8");
  const after = read("schema.graphql");
  for (const name of PROMISES) {
    if (!existsSync(new URL(`../${name}`, import.meta.url))) {
      console.log(`${name}: not there, so nothing was released yet`);
      continue;
    }
    const changes = findGraveChanges(read(name), after);
    console.log(`${name}: ${changes.length === 0 ? "kept" : changes.map((change) => `\n  ${change}`).join("")}`);
    if (changes.length > 0) process.exitCode = 1;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) check();
