import { parseId } from "../../domain/id.ts";
import type { SlotValues } from "../../domain/reading/selection.ts";
import type { BoundValues } from "../plan/bound-values.ts";
import type { Plan } from "../plan/plan.ts";
import type { Type } from "../plan/surrogate-keys.ts";

/** Keys of single objects in one answer. Beyond, its objects count as reached; proxies bound the head of an answer, 4 KiB at times. */
const MAX_OBJECTS = 20;

/**
 * The keys of an answer, each once: `posts` and `users` for what it reads of, `posts:reached` and `users:reached` for what it
 * reads of otherwise than by id, `post:ID` and `user:ID` for what the request names, `schema` for introspection.
 */
export function answerKeys(plan: Plan, bound: BoundValues): readonly string[] {
  const types = new Set<Type>();
  const reached = new Set<Type>();
  const objects = new Set<string>();
  for (const [index, field] of plan.fields.entries()) {
    if (field.kind !== "read") continue;
    for (const type of field.keys.types) types.add(type);
    for (const type of field.keys.reached) reached.add(type);
    const { named } = field.keys;
    if (named === null) continue;
    const ids = idsIn(bound[index]?.values[named.slot], named.isList);
    const isRoom = objects.size + ids.length * named.types.length <= MAX_OBJECTS;
    for (const type of named.types) {
      if (isRoom) for (const id of ids) objects.add(`${type}:${id}`);
      else reached.add(type);
    }
  }
  return [
    ...(plan.introspection === null ? [] : ["schema"]),
    ...Array.from(types, (type) => `${type}s`),
    ...Array.from(reached, (type) => `${type}s:reached`),
    ...objects,
  ];
}

/** A text that is not an identifier will never name an object. */
function idsIn(value: SlotValues[number] | undefined, isList: boolean): readonly string[] {
  if (typeof value !== "string") return [];
  if (!isList) return [value];
  return [...new Set<string>(JSON.parse(value))].filter((id) => parseId(id) !== null);
}
