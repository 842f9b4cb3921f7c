import { acrRank } from "../../domain/acr.ts";

/** Parameters of an authorization request, after the engine has checked them. */
type Params = Readonly<Record<string, unknown>>;

/** A claim as the `claims` parameter asks for it (OpenID Connect Core 1.0 section 5.5.1). */
interface AskedClaim {
  readonly essential?: unknown;
  readonly value?: unknown;
  readonly values?: unknown;
}

/**
 * The least strength that a request wishes for, as a rank of `acrRank`; 0 for none. Among several values the weakest is enough, a
 * stronger sign-in satisfies a weaker wish, and unknown values are no wish.
 *
 * @param params also those of an interaction
 */
export function wantedAcr(params: Params): number {
  const { acr_values: wished } = params;
  const asked = askedAcr(params);
  const essential = requiredAcr(asked);
  return Math.max(
    typeof wished === "string" ? weakest(wished.split(" ")) : 0,
    Number.isFinite(essential) ? essential : 0,
    weakest(valuesOf(asked)),
  );
}

/**
 * The strength without which a request fails (section 5.5.1.1), as a rank of `acrRank`; 0 for none. Infinity where this server
 * has none of the values.
 */
export function essentialAcr(params: Params): number {
  return requiredAcr(askedAcr(params));
}

/** `essentialAcr` of the claim `acr` itself. */
export function requiredAcr(asked: AskedClaim | null | undefined): number {
  if (asked?.essential !== true || !("value" in asked || "values" in asked)) return 0;
  return weakest(valuesOf(asked)) || Number.POSITIVE_INFINITY;
}

function askedAcr({ claims }: Params): AskedClaim | null | undefined {
  if (typeof claims !== "string") return null;
  return (JSON.parse(claims) as { id_token?: { acr?: AskedClaim | null } }).id_token?.acr;
}

function valuesOf(asked: AskedClaim | null | undefined): readonly unknown[] {
  return asked == null ? [] : [asked.value, asked.values].flat();
}

/** 0 without a known one. */
function weakest(values: readonly unknown[]): number {
  const ranks = values.map(acrRank).filter((rank) => rank > 0);
  return ranks.length === 0 ? 0 : Math.min(...ranks);
}
