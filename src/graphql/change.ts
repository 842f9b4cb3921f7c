import { AppError } from "../domain/errors.ts";
import type { Id } from "../domain/id.ts";
import type { SlotValues } from "../domain/selection.ts";
import type { PreparedRead } from "../domain/store.ts";
import type { Answer, PayloadPart } from "./payloads.ts";

type Payload = Extract<Answer, { kind: "payload" }>;

/** The answer to a change that is made: what was changed, read again. */
export function readBack(answer: Answer, id: Id, values: SlotValues): Promise<string> {
  const bound = [id, ...values.slice(1)];
  return answer.kind === "object" ? readObject(answer.read, bound) : readPayload(answer, id, bound);
}

/**
 * The answer to a change that was not made because the caller gave what breaks a rule: everything is null but `errors`.
 *
 * @returns null where the error is of another kind, or the answer has no place for it
 */
export function refusedPayload(answer: Answer, error: unknown): string | null {
  const all = userErrors(error);
  if (answer.kind !== "payload" || all === null) return null;
  const json = (part: PayloadPart) => {
    if (part.kind === "constant") return part.json;
    return part.kind === "errors" ? JSON.stringify(all.map((one) => selected(part, one))) : "null";
  };
  return `{${answer.parts.map((part) => part.prefix + json(part)).join("")}}`;
}

interface UserError {
  readonly code: string;
  readonly message: string;
  readonly field: string | null;
}

/** What the caller may put right, each as the schema's `UserError`; null for an error of another kind. */
export function userErrors(error: unknown): UserError[] | null {
  if (!(error instanceof AppError && error.code === "BAD_USER_INPUT")) return null;
  const all = error.cause instanceof AggregateError ? (error.cause.errors as AppError[]) : [error];
  return all.map(({ code, message, details }) => ({ code, message, field: details.field ?? null }));
}

function selected({ fields }: Extract<PayloadPart, { kind: "errors" }>, error: UserError) {
  const values = { __typename: "UserError", ...error };
  return Object.fromEntries(fields.map(({ key, name }) => [key, values[name]]));
}

async function readObject(read: PreparedRead, values: SlotValues): Promise<string> {
  const json = await readNewest(read, values);
  if (json !== "null") return json;
  throw new AppError("NOT_FOUND", "The change was made, but somebody has deleted its object since.");
}

async function readPayload({ parts }: Payload, id: Id, values: SlotValues): Promise<string> {
  let json = "{";
  for (const part of parts) {
    json += part.prefix;
    if (part.kind === "constant") json += part.json;
    else if (part.kind === "id") json += JSON.stringify(id);
    else json += part.kind === "errors" ? "[]" : await readNewest(part.read, values);
  }
  return `${json}}`;
}

/** The change is made by then: a failure must not sound as if it were not, or a client would make it twice. */
async function readNewest(read: PreparedRead, values: SlotValues): Promise<string> {
  try {
    return await read.run(values, true);
  } catch (error) {
    throw new AppError("UNAVAILABLE", "The change was made, but its answer could not be read.", {}, error);
  }
}
