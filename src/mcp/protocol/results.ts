import { META } from "./revision.ts";
import type { Era, JsonObject } from "./service.ts";

/** The time for which clients may keep a result, and for whom (2026-07-28, Caching). */
interface Keeping {
  readonly ttlMs: number;
  /** "public" for a result that every caller gets alike. */
  readonly cacheScope: "public" | "private";
}

export interface ResultTexts {
  /** @param text JSON of an object without `_meta` and `resultType` */
  complete(era: Era, text: string, keeping?: Keeping): string;
  /** @param members of the result, as JSON without braces: at least one */
  ready(era: Era, members: string): string;
  inputRequired(text: string): string;
}

/** Adds to results what the stateless era wants in each of them, so that each is made into text once. */
export function openResultTexts(info: JsonObject): ResultTexts {
  const meta = `"_meta":${JSON.stringify({ [META.serverInfo]: info })}`;
  const join = (head: string, text: string) => (text === "{}" ? `${head}}` : `${head},${text.slice(1)}`);
  return {
    complete(era, text, keeping) {
      if (era === "handshake") return text;
      const cache = keeping === undefined ? "" : `,"ttlMs":${keeping.ttlMs},"cacheScope":"${keeping.cacheScope}"`;
      return join(`{"resultType":"complete",${meta}${cache}`, text);
    },
    // Joins alone: to cut a long text apart would copy it.
    ready: (era, members) => (era === "handshake" ? `{${members}}` : `{"resultType":"complete",${meta},${members}}`),
    inputRequired: (text) => join(`{"resultType":"input_required",${meta}`, text),
  };
}
