import type { GraphQLSchema } from "graphql";
import { readConfig } from "../../../src/config/config.ts";
import type { PreparedRead } from "../../../src/domain/reading/prepared-read.ts";
import { SCOPES } from "../../../src/domain/scopes.ts";
import type { Viewer } from "../../../src/domain/viewer.ts";
import { bindValues, totalCost } from "../../../src/graphql/plan/bound-values.ts";
import { Operations } from "../../../src/graphql/plan/operation.ts";
import { openMetrics } from "../../../src/observe/metrics.ts";

/** Nothing is read: a plan is made, and its cost is added up. */
const PREPARED = {} as PreparedRead;

const VIEWER: Viewer = { userId: null, role: null, clientId: "reference", scopes: new Set(SCOPES) };

/**
 * The points of a document, by the same code that charges for it.
 *
 * @returns a function that throws where the document, its limits or its arguments break a rule of the server
 */
export function openCost(schema: GraphQLSchema): (text: string) => { points: number; scopes: readonly string[] } {
  const limits = readConfig({}, "/nonexistent/.env");
  const operations = new Operations({
    schema,
    limits,
    prepareRead: () => PREPARED,
    postUrl: null,
    introspection: true,
    nameOf: () => null,
    metrics: openMetrics(),
  });
  return (text) => {
    const operation = operations.find({ text, register: null, isOwn: true }, null);
    const variables = operation.coerceVariables({});
    const plan = operation.plan(variables);
    return { points: totalCost(plan, bindValues(plan, variables, VIEWER)), scopes: plan.scopes };
  };
}
