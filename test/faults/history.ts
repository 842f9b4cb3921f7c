import assert from "node:assert/strict";

/**
 * What a client knows of one write. `ok`: acknowledged, with the id that was given. `failed`: refused, and so not to be
 * there. `unknown`: the answer never came, or said that it is not known. `invoked`: still under way.
 */
export type Outcome =
  | { readonly kind: "invoked" }
  | { readonly kind: "ok"; readonly id: string }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "unknown"; readonly reason: string };

export interface Operation {
  /** No other operation has it: by it the database's rows are told apart. */
  readonly title: string;
  readonly body: string;
  outcome: Outcome;
  /** When the client heard of it, Unix time in milliseconds. */
  toldAt?: number;
}

/** What is in the database after a fault. */
export interface Contents {
  /** What the database's own check of the file says, `ok` when all is well. */
  readonly integrity: string;
  readonly posts: readonly { id: string; title: string; body: string }[];
  /** The ids of the posts that events of the type post.created tell of. */
  readonly events: readonly string[];
}

/** Every write that was tried, and what its client was told. */
export class History {
  readonly operations: Operation[] = [];

  /** @param size characters of the body at the least */
  invoke(size = 0): Operation {
    const title = `post ${this.operations.length}`;
    const operation: Operation = { title, body: `${title} `.padEnd(size, "x"), outcome: { kind: "invoked" } };
    this.operations.push(operation);
    return operation;
  }

  /**
   * From this moment on, Unix time in milliseconds, nobody would have been told anything: what was under way then, or
   * begun later, may be there or not, whatever its client has heard.
   */
  doubtSince(moment: number): void {
    for (const operation of this.operations) {
      const { outcome, toldAt = Number.POSITIVE_INFINITY } = operation;
      if (toldAt < moment || outcome.kind === "unknown") continue;
      operation.outcome = { kind: "unknown", reason: outcome.kind === "failed" ? outcome.reason : "told too late" };
    }
  }

  count(kind: Outcome["kind"]): number {
    return this.operations.filter(({ outcome }) => outcome.kind === kind).length;
  }

  /** Reasons of what did not succeed, with how often. */
  reasons(): Record<string, number> {
    const reasons: Record<string, number> = {};
    for (const { outcome } of this.operations) {
      if ("reason" in outcome) reasons[outcome.reason] = (reasons[outcome.reason] ?? 0) + 1;
    }
    return reasons;
  }

  /** In one line, for the report. */
  summary(): string {
    return `${this.count("ok")} acknowledged, ${this.count("failed")} refused, ${this.count("unknown")} unknown`;
  }

  /**
   * The contents follow from the history: what was acknowledged is there once, what failed is not, the rest at most
   * once, nothing else; and posts and events belong together one to one.
   *
   * @throws AssertionError with every contradiction, the first twenty in words
   */
  assertExplains({ integrity, posts, events }: Contents): void {
    const problems: string[] = [];
    if (integrity !== "ok") problems.push(`the database is damaged: ${integrity}`);
    const rows = Map.groupBy(posts, ({ title }) => title);
    for (const { title, body, outcome } of this.operations) {
      const found = rows.get(title) ?? [];
      rows.delete(title);
      const [row] = found;
      if (found.length > 1) problems.push(`${title} is there ${found.length} times`);
      if (row !== undefined && row.body !== body) problems.push(`${title} has another body than was written`);
      if (outcome.kind === "failed" && row !== undefined)
        problems.push(`${title} failed (${outcome.reason}) and is there`);
      if (outcome.kind !== "ok") continue;
      if (row === undefined) problems.push(`${title} was acknowledged and is lost`);
      else if (row.id !== outcome.id) problems.push(`${title} was acknowledged as ${outcome.id} and is ${row.id}`);
    }
    for (const title of rows.keys()) problems.push(`nobody wrote ${title}`);
    const told = Map.groupBy(events, (id) => id);
    for (const { id, title } of posts) {
      const times = told.get(id)?.length ?? 0;
      if (times !== 1) problems.push(`${title} has ${times} events`);
      told.delete(id);
    }
    for (const id of told.keys()) problems.push(`an event tells of ${id}, which is not there`);
    assert.equal(problems.length, 0, `${problems.length} contradictions:\n${problems.slice(0, 20).join("\n")}`);
  }
}
