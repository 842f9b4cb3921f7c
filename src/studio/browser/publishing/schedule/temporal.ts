import { loadPart } from "../../frame/document/parts.ts";

export type TemporalApi = typeof Temporal;

/** The browser's own Temporal, or the polyfill. */
export async function loadTemporal(): Promise<TemporalApi> {
  const own = (globalThis as { readonly Temporal?: TemporalApi }).Temporal;
  if (own !== undefined) return own;
  const part = await loadPart("publishing/schedule/temporal-polyfill", () => import("./temporal-polyfill.ts"));
  return part.Temporal as unknown as TemporalApi;
}
