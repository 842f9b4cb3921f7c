import type Provider from "oidc-provider";
import { errors, type KoaContextWithOIDC } from "oidc-provider";
import type { AttemptStore } from "../../domain/store/attempts.ts";
import { hashToken } from "../../secrets/token-hash.ts";

/** Seconds that a device waits between two questions for its tokens (RFC 8628 section 3.5). */
export const INTERVAL = 5;

export type DeviceCode = InstanceType<Provider["DeviceCode"]>;

export function claimKey(deviceCode: string): string {
  return `device claim ${hashToken(deviceCode)}`;
}

/** Gives a code back that a browser has begun with, for another person at the same browser. @returns where to go on */
export async function releaseDeviceCode(
  provider: Provider,
  attempts: AttemptStore,
  deviceCode: string,
): Promise<{ userCode?: string }> {
  const code = await provider.DeviceCode.find(deviceCode);
  if (code === undefined || code.accountId !== undefined || code.error !== undefined) return {};
  code.inFlight = false;
  await code.save();
  await attempts.clear(claimKey(deviceCode));
  return { userCode: code.userCode.replace(/^....(?=.)/, "$&-") };
}

/** Runs the grant of RFC 8628 section 3.4, and slows a device down that does not wait (section 3.5). */
export async function pollDeviceCode(
  ctx: KoaContextWithOIDC,
  attempts: AttemptStore,
  nowSeconds: number,
  grant: () => unknown,
): Promise<void> {
  try {
    await grant();
  } catch (error) {
    if (!(error instanceof errors.AuthorizationPending)) throw error;
    // A second less than told: what is on its way does not come evenly.
    const key = `device poll ${hashToken(String(ctx.oidc.params?.device_code))}`;
    if ((await attempts.add(key, INTERVAL - 1, nowSeconds)) > 1)
      throw new errors.SlowDown(`ask every ${INTERVAL} seconds at most`);
    throw error;
  }
}
