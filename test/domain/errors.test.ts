import assert from "node:assert/strict";
import { test } from "node:test";
import { AppError, badInput, badInputs, withinInput } from "../../src/domain/errors.ts";
import { KeyInUse } from "../../src/domain/idempotency.ts";

const fails = (field: string) => () => {
  throw badInput(field, `${field} is wrong.`);
};

test("an error takes the fields of its code and no others: anything else does not compile", () => {
  const conflict = new AppError("CONFLICT", "The post has changed.", { version: 2 });
  assert.deepEqual([conflict.code, conflict.details.version, conflict.cause], ["CONFLICT", 2, undefined]);
  assert.ok(conflict instanceof AppError && conflict instanceof Error);
  assert.deepEqual([conflict.name, String(conflict)], ["AppError", "AppError: The post has changed."]);
  // @ts-expect-error CONFLICT has no scopes
  new AppError("CONFLICT", "", { scopes: [] });
  // @ts-expect-error NOT_FOUND has no fields
  new AppError("NOT_FOUND", "", { field: "id" });
  // @ts-expect-error a version is a number
  new AppError("CONFLICT", "", { version: "2" });
  // @ts-expect-error there is no such code
  new AppError("TEAPOT", "");
});

test("the code tells which fields an error has", () => {
  const error: unknown = new KeyInUse();
  assert.ok(error instanceof AppError);
  // @ts-expect-error not every code has one
  assert.equal(error.details.retryAfter, 1);
  if (error.code === "CONFLICT") assert.equal(error.details.retryAfter, 1);
  assert.equal(error.code, "CONFLICT");
});

test("several broken rules are told together, and none of them in the cause", () => {
  const thrown = (checks: (() => void)[]): AppError => {
    try {
      badInputs(checks);
    } catch (error) {
      if (error instanceof AppError) return error;
    }
    throw new Error("nothing was refused");
  };
  const one = thrown([() => {}, fails("a")]);
  assert.deepEqual([one.message, one.details], ["a is wrong.", { field: "a" }]);
  const two = thrown([fails("a"), () => {}, fails("b")]);
  assert.deepEqual(
    [two.message, two.details, two.cause],
    [
      "a is wrong.",
      {
        field: "a",
        broken: [
          { field: "a", message: "a is wrong." },
          { field: "b", message: "b is wrong." },
        ],
      },
      undefined,
    ],
  );
  badInputs([() => {}]);
});

test("a field is named as the caller knows it", async () => {
  await assert.rejects(
    withinInput("input.", async () => fails("name")()),
    (error) => error instanceof AppError && error.code === "BAD_USER_INPUT" && error.details.field === "input.name",
  );
});
