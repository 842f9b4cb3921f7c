import type { RootSelection, SlotValues } from "../../src/domain/reading/selection.ts";
import { type Article, evaluate, type Person } from "../content.ts";

/** What the store was filled with. */
export interface Content {
  readonly users: Person[];
  readonly posts: Article[];
}

export function expectedJson({ users, posts }: Content, root: RootSelection, values: SlotValues): string {
  return JSON.stringify(evaluate({ people: users, articles: posts }, root, values));
}
