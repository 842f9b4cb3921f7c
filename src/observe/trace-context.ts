import { randomFillSync } from "node:crypto";

/** The place in a trace that a caller has told of (W3C Trace Context). */
export interface RemoteContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** Whether the caller records the trace. */
  readonly isSampled: boolean;
  /** `tracestate`, passed on as it is. */
  readonly state: string | null;
}

/** Version, trace, span and flags; newer versions may add fields (section 3.2). */
const TRACEPARENT = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/;
/** Characters of `tracestate` that are passed on, and of `traceparent` that are looked at. */
const MOST = 512;
const SAMPLED = 1;

/** Null for what is no `traceparent`. A malformed `tracestate` is dropped (section 3.3.1). */
export function readTraceparent(value: unknown, state: unknown = null): RemoteContext | null {
  if (typeof value !== "string" || value.length > MOST) return null;
  const [, version, traceId, spanId, flags = "", more] = TRACEPARENT.exec(value) ?? [];
  if (traceId === undefined || spanId === undefined || (version === "00" && more !== undefined)) return null;
  const isSampled = (Number.parseInt(flags, 16) & SAMPLED) !== 0;
  return { traceId, spanId, isSampled, state: readState(state) };
}

export function writeTraceparent(traceId: string, spanId: string, isSampled: boolean): string {
  return `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;
}

function readState(state: unknown): string | null {
  const isGood = typeof state === "string" && state.length <= MOST && /^[\x20-\x7e\t]+$/.test(state);
  return isGood && state.split(",").length <= 32 ? state : null;
}

/** Random digits are made in advance, because each call costs more than it gives. */
const pool = Buffer.allocUnsafe(4_096);
let digits = "";
let used = 0;

function randomDigits(count: number): string {
  if (used + count > digits.length) {
    digits = randomFillSync(pool).toString("hex");
    used = 0;
  }
  used += count;
  return digits.slice(used - count, used);
}

/**
 * @param draw a whole number below 2^32, by which the request was chosen or not: it stands where samplers of other services look,
 * so that they choose alike (OpenTelemetry, consistent probability sampling)
 */
export function newTraceId(draw: number): string {
  return randomDigits(18) + draw.toString(16).padStart(8, "0") + randomDigits(6);
}

export function newSpanId(): string {
  return randomDigits(16);
}
