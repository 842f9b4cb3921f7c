import type { Explain } from "../../observe/statement-watch.ts";
import type { Connections } from "./connections.ts";
import { newStatement } from "./statement.ts";

/** The plan of a statement without values: PostgreSQL 16 and newer have it, older ones reject the option. */
export function explainOn(connections: Pick<Connections, "read">): Explain {
  return async (text) => {
    const { rows } = await connections.read({
      statement: newStatement(`explain (generic_plan) ${text}`, "simple"),
      values: [],
    });
    return rows.map(([line]) => line ?? "");
  };
}
