import type { RemoteContext } from "./trace-context.ts";

const SAMPLERS = {
  always_on: () => true,
  always_off: () => false,
  traceidratio: (draw, least) => draw >= least,
} as const satisfies Record<string, (draw: number, least: number) => boolean>;

export type SamplerName = keyof typeof SAMPLERS | `parentbased_${keyof typeof SAMPLERS}`;

/** Callers whose `traceparent` is taken over: those behind a trusted proxy, all, or none. */
export type TraceTrust = "proxy" | "all" | "none";

export interface Sampling {
  readonly trust: TraceTrust;
  /**
   * Whether a request is traced.
   *
   * @param parent null where no caller has a say
   * @param draw a whole number below 2^32, the same one as in the trace's id
   */
  choose(parent: RemoteContext | null, draw: number): boolean;
}

/** @param ratio part of the requests that samplers with `traceidratio` choose, from 0 to 1 */
export function openSampling(name: SamplerName, ratio: number, trust: TraceTrust): Sampling {
  const isByParent = name.startsWith("parentbased_");
  const own = SAMPLERS[name.replace("parentbased_", "") as keyof typeof SAMPLERS];
  const least = Math.round((1 - ratio) * 2 ** 32);
  return {
    trust,
    choose: (parent, draw) => (isByParent && parent !== null ? parent.isSampled : own(draw, least)),
  };
}
