import assert from "node:assert/strict";
import { test } from "node:test";
import { getVariableValues, Kind, parse } from "graphql";
import { DocumentError } from "../../../src/graphql/documents/errors.ts";
import { loadSchema } from "../../../src/graphql/documents/schema.ts";
import { compileVariables } from "../../../src/graphql/documents/variables.ts";

const schema = loadSchema();

const DEFINITIONS = ["ID", "String", "Int", "Boolean", "Float", "[Int]", "CreatePostInput"].flatMap((type) => [
  `$a: ${type}`,
  `$a: ${type}!`,
]);
const WITH_DEFAULTS = ['$a: ID = "x"', '$a: String! = "x"', "$a: Int = 1", "$a: Int = null", "$a: Boolean! = true"];

const INPUTS: readonly unknown[] = [
  ...["", "x", "1", 0, -0, 1, 1.5, -1, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), -(2 ** 31) - 1, true, false, null],
  ...[[], [1], ["x"], {}, { title: "t", body: "b" }, { title: 1 }, undefined],
];

test("variables are coerced as graphql-js coerces them, whatever the type and the value", () => {
  for (const definition of [...DEFINITIONS, ...WITH_DEFAULTS]) {
    const [operation] = parse(`query (${definition}) { __typename }`).definitions;
    assert.ok(operation?.kind === Kind.OPERATION_DEFINITION);
    const definitions = operation.variableDefinitions ?? [];
    const coerce = compileVariables(schema, definitions, false);
    for (const inputs of [{}, ...INPUTS.map((a) => ({ a })), { b: 1 }]) {
      const { variableValues, errors } = getVariableValues(schema, definitions, inputs);
      const what = `${definition} ${JSON.stringify(inputs)}`;
      if (errors === undefined) {
        const values = coerce(inputs);
        assert.deepEqual(values.coerced, variableValues.coerced, what);
        assert.deepEqual(Object.keys(values.sources), Object.keys(variableValues.sources), what);
        assert.deepEqual(values.sources.a?.value, variableValues.sources.a?.value, what);
        assert.deepEqual(values.sources.a?.signature.type, variableValues.sources.a?.signature.type, what);
      } else {
        const told = errors.map((error) => error.message);
        assert.throws(
          () => coerce(inputs),
          (error) => error instanceof DocumentError && error.entries.every(({ message }, i) => message === told[i]),
          what,
        );
      }
    }
  }
});

test("a variable named like something that every object has is absent all the same", () => {
  const [operation] = parse("query ($toString: String) { __typename }").definitions;
  assert.ok(operation?.kind === Kind.OPERATION_DEFINITION);
  assert.deepEqual({ ...compileVariables(schema, operation.variableDefinitions ?? [], false)({}).coerced }, {});
});
