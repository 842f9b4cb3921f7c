import { COUNTED_FAILURES } from "../../../../domain/events/webhook-delivery.ts";
import { MOST_RESENT } from "../../../../domain/events/webhook-sending.ts";
import { ResendFailed } from "../../documents/deliveries.ts";
import type { Api } from "../../ports.ts";

interface Failed {
  readonly webhook: string;
  /** RFC 3339. */
  readonly since: string;
}

/** @returns failed deliveries since then; one more than `COUNTED_FAILURES` means more @throws ApiFailure */
export async function countFailed(api: Api, { webhook, since }: Failed): Promise<number> {
  const answer = await api.run(ResendFailed, { webhook, since, limit: 0 });
  return answer.resendFailedDeliveries?.found ?? 0;
}

/**
 * Sends failed deliveries again, page by page. It ends with the number that was there at first, so that deliveries which fail again meanwhile
 * do not keep it going.
 *
 * @param total from `countFailed`
 * @param onProgress hears how many were sent off so far
 * @returns how many were sent off @throws ApiFailure; those that were sent off until then stay sent
 */
export async function resendFailed(
  api: Api,
  { webhook, since }: Failed,
  total: number,
  {
    newKey,
    onProgress,
    isCancelled,
  }: {
    readonly newKey: () => string;
    readonly onProgress: (sent: number) => void;
    readonly isCancelled: () => boolean;
  },
): Promise<number> {
  let sent = 0;
  while (!isCancelled() && (sent < total || total > COUNTED_FAILURES)) {
    const limit = total > COUNTED_FAILURES ? MOST_RESENT : Math.min(MOST_RESENT, total - sent);
    const answer = await api.run(ResendFailed, { webhook, since, limit }, { key: newKey() });
    const { found = null, resent = null } = answer.resendFailedDeliveries ?? {};
    sent += resent ?? limit; // null: the answer was lost, and the work was done
    onProgress(sent);
    if (resent !== null && (resent === 0 || (found ?? 0) <= resent)) break;
  }
  return sent;
}
