import type { Allowance } from "./rate-limit.ts";
import { type Selected, type Selector, unplanned } from "./selector.ts";

/** How a `RateLimit` is written. */
export type RateLimitPart = {
  /** What stands before the value in the answer: comma, key and colon. */
  readonly prefix: string;
} & (
  | { readonly kind: "constant"; readonly json: string }
  | { readonly kind: "limit" | "remaining" | "resetAt" | "cost" }
);

/** Plans `rateLimit`, which costs nothing: clients ask for it beside anything else. */
export function planRateLimit(
  { nodes }: Selected,
  { selector }: { readonly selector: Selector },
): { readonly parts: readonly RateLimitPart[] } {
  const parts = selector.select("RateLimit", nodes).map((part, index): RateLimitPart => {
    const prefix = `${index === 0 ? "" : ","}"${part.key}":`;
    switch (part.name) {
      case "__typename":
        return { prefix, kind: "constant", json: '"RateLimit"' };
      case "limit":
      case "remaining":
      case "resetAt":
      case "cost":
        return { prefix, kind: part.name };
      default:
        throw unplanned("RateLimit", part);
    }
  });
  return { parts };
}

/** @param allowance null where nothing is limited, or nobody is known @param cost points of the whole document */
export function writeRateLimit(parts: readonly RateLimitPart[], allowance: Allowance | null, cost: number): string {
  if (allowance === null) return "null";
  const values = { ...allowance, cost };
  const written = parts.map(
    (part) => part.prefix + (part.kind === "constant" ? part.json : JSON.stringify(values[part.kind])),
  );
  return `{${written.join("")}}`;
}
