import { AppError } from "../../domain/errors.ts";
import type { Id } from "../../domain/id.ts";
import type { PreparedRead, ReadBack } from "../../domain/reading/prepared-read.ts";
import type { SlotValues } from "../../domain/reading/selection.ts";
import { type Answer, type PayloadPart, readsOf } from "../plan/payloads.ts";

/** Texts of a payload that are shown once, such as an address with a secret, by the name of the field. */
export type Shown = Readonly<Record<string, string>>;

type Payload = Extract<Answer, { kind: "payload" }>;

/** The reads that a change makes for its answer, within its transaction; null where the answer needs none. */
export function readBackOf(answer: Answer, values: SlotValues): ReadBack | null {
  const reads = readsOf(answer);
  return reads.length === 0 ? null : { reads, valuesFor: (id) => valuesFor(id, values), json: null };
}

/**
 * The answer to a change that is made: what was read with it. What a request repeats that was made before is read now.
 *
 * @param json of each read of the answer, in order
 * @param shown what only the change itself knows; nothing where it was made before
 */
export async function answerTo(
  answer: Answer,
  id: Id,
  values: SlotValues,
  json: readonly string[] | null,
  shown: Shown = {},
): Promise<string> {
  if (answer.kind === "done") return "true";
  const made = new Map(readsOf(answer).map((read, i) => [read, json?.[i]]));
  const read = (read: PreparedRead) => made.get(read) ?? readNewest(read, valuesFor(id, values));
  if (answer.kind === "payload") return readPayload(answer, id, shown, read);
  const object = await read(answer.read);
  return stillThere(object === "null" ? null : object);
}

/** The first slot of a change is for the id. */
function valuesFor(id: Id, values: SlotValues): SlotValues {
  return [id, ...values.slice(1)];
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

/** Errors that the caller can correct, each as the schema's `UserError`; null for other errors. */
export function userErrors(error: unknown): UserError[] | null {
  if (!(error instanceof AppError && error.code === "BAD_USER_INPUT")) return null;
  const { code, message, details } = error;
  const broken = details.broken ?? [{ message, field: details.field ?? null }];
  return broken.map((rule) => ({ code, message: rule.message, field: rule.field }));
}

function selected({ fields }: Extract<PayloadPart, { kind: "errors" }>, error: UserError) {
  const values = { __typename: "UserError", ...error };
  return Object.fromEntries(fields.map(({ key, name }) => [key, values[name]]));
}

/** The changed object, unless somebody has deleted it since. @throws AppError NOT_FOUND */
export function stillThere<T>(object: T | null): T {
  if (object === null)
    throw new AppError("NOT_FOUND", "The change was made, but somebody has deleted its object since.");
  return object;
}

type Read = (read: PreparedRead) => string | Promise<string>;

async function readPayload({ parts }: Payload, id: Id, shown: Shown, read: Read): Promise<string> {
  let json = "{";
  for (const part of parts) {
    json += part.prefix;
    if (part.kind === "constant") json += part.json;
    else if (part.kind === "id") json += JSON.stringify(id);
    else if (part.kind === "shown") json += JSON.stringify(shown[part.name] ?? null);
    else json += part.kind === "errors" ? "[]" : await read(part.read);
  }
  return `${json}}`;
}

/** The change is already made. The error must say so, or a client would make it twice. */
async function readNewest(read: PreparedRead, values: SlotValues): Promise<string> {
  try {
    return await read.run(values, true);
  } catch (error) {
    throw new AppError("UNAVAILABLE", "The change was made, but its answer could not be read.", {}, error);
  }
}
