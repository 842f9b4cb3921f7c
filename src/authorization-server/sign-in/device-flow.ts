import type Provider from "oidc-provider";
import { errors, type KoaContextWithOIDC } from "oidc-provider";
import { AppError } from "../../domain/errors.ts";
import { BUSY } from "../../domain/failure-texts.ts";
import { networkOf } from "../../domain/network.ts";
import type { Store } from "../../domain/store/store.ts";
import { hashToken } from "../../secrets/token-hash.ts";
import { shownName } from "../clients/engine-client.ts";
import { patch } from "../engine/patches.ts";
import { claimKey, type DeviceCode, INTERVAL } from "../grants/device-code.ts";
import { DEVICE_CODE_TTL } from "../grants/lifetimes.ts";
import { RETRY_AFTER } from "../http/client-errors.ts";
import { mountPath, PATHS } from "../http/endpoints.ts";
import type { EngineRequest } from "../http/engine-request.ts";
import { deviceCodePage, deviceConfirmPage, deviceConnectedPage, deviceRefusedPage } from "../pages/device.ts";
import { errorPage, OVER } from "../pages/error.ts";
import { pageHeaders } from "../pages/layout/layout.ts";

const WINDOW_SECONDS = 15 * 60;
/** Wrong codes: of 2·10¹⁰ ones, a guesser tries some thousands a day at most (RFC 8628 section 5.1). */
const PER_ADDRESS = 30;
const PER_ACCOUNT = 10;

const TOO_MANY = {
  status: 429,
  wait: WINDOW_SECONDS,
  title: "Too many codes were tried",
  message: "Wait 15 minutes, then enter the code that your device shows. Nothing was lost.",
} as const;

const STORAGE_IS_AWAY = { status: 503, wait: Number(RETRY_AFTER), ...BUSY } as const;

/** Somebody else, or another tab, has taken the code at the same moment. */
class CodeTaken extends errors.InvalidRequest {}

/** Pages that the engine shows to a person who connects a device. */
export function deviceFlowFeature({ operator, issuer }: { operator: string; issuer: string }) {
  const action = mountPath(issuer) + PATHS.code_verification;
  return {
    enabled: true,
    charset: "base-20",
    mask: "****-****",
    deviceInfo: () => ({}), // its address and program stay with the request
    async userCodeInputSource(ctx: KoaContextWithOIDC, _form: string, _out?: unknown, error?: Error): Promise<void> {
      ctx.set(pageHeaders());
      if (error?.name === "AbortedError") {
        ctx.body = deviceRefusedPage({ operator, action });
        return;
      }
      const next = { label: "Enter a code", href: action };
      if (error instanceof errors.SessionNotFound) {
        ctx.status = 400;
        ctx.body = errorPage({ operator, ...OVER, next });
        return;
      }
      const fault = error === undefined ? null : explain(ctx, error);
      if (error !== undefined && fault === null) {
        const failed = ctx.status >= 500 ? { requestId: (ctx.req as EngineRequest).requestId } : {};
        ctx.body = errorPage({
          operator,
          title: "The device could not be connected",
          message: "Nothing was shared with it. Ask the device for a new code and try again.",
          next,
          ...failed,
        });
        return;
      }
      if (fault !== null) ctx.status = 400;
      ctx.body = deviceCodePage({
        operator,
        action,
        csrf: csrfOf(ctx),
        userCode: typedCode(ctx),
        ...(fault === null ? {} : { error: fault }),
      });
    },
    async userCodeConfirmSource(
      ctx: KoaContextWithOIDC,
      _form: string,
      client: { clientName?: string | undefined; clientId: string },
      _device: unknown,
      userCode: string,
    ): Promise<void> {
      ctx.set(pageHeaders());
      const clientName = shownName(client);
      ctx.body = deviceConfirmPage({ operator, action, csrf: csrfOf(ctx), userCode, clientName });
    },
    async successSource(ctx: KoaContextWithOIDC): Promise<void> {
      ctx.set(pageHeaders());
      const { client } = ctx.oidc;
      ctx.body = deviceConnectedPage({ operator, clientName: client === undefined ? "" : shownName(client) });
    },
  } as const;
}

/** The sentence above the form; null for an error that no other code would fix. */
function explain(ctx: KoaContextWithOIDC, error: Error): string | null {
  switch (error.name) {
    case "NoCodeError":
    case "NotFoundError":
      return "No device shows this code. Check each letter.";
    case "ExpiredError":
      return "This code has expired. Ask the device for a new one.";
    case "AlreadyUsedError":
    case "CodeTaken":
      return "This code was used already. Ask the device for a new one.";
    default: {
      // The proof of the form is checked before the code is looked for.
      const isBeforeCode = ctx.oidc.entities.DeviceCode === undefined && ctx.oidc.route === "code_verification";
      const isForm = isBeforeCode && error instanceof errors.InvalidRequest;
      return isForm ? "This page was replaced by a newer one, or open for too long. Please send the code again." : null;
    }
  }
}

function typedCode(ctx: KoaContextWithOIDC): string {
  const { userCode = ctx.oidc.params?.user_code } = ctx.state as { userCode?: unknown };
  return typeof userCode === "string" ? userCode.slice(0, 40) : "";
}

function csrfOf({ oidc }: KoaContextWithOIDC): string {
  const state = (oidc.session as { state?: { secret?: string } } | undefined)?.state;
  return state?.secret ?? "";
}

/** Bounds guessing, lets one browser only go on with a code, and fills in the code of an address. */
export function guardDeviceFlow(
  provider: Provider,
  { store, operator, now }: { store: Store; operator: string; now: () => number },
): void {
  const { attempts, artifacts } = store;
  const nowSeconds = () => Math.floor(now() / 1000);

  provider.use(async (ctx, next) => {
    if (ctx.path !== PATHS.code_verification) return next();
    if (ctx.method !== "POST") {
      // The engine would submit it by script. Here a person reads it first and continues.
      const { user_code: userCode } = ctx.query;
      ctx.querystring = "";
      ctx.state.userCode = userCode;
      return next();
    }
    const { form, address } = ctx.req as EngineRequest;
    const userCode = form.get("user_code") ?? "";
    if (userCode === "") return next();
    const session = await provider.Session.get(provider.createContext(ctx.req, ctx.res));
    const refusal = await countAttempt(userCode, address, session.accountId).catch((error: unknown) => {
      if (error instanceof AppError && error.code === "UNAVAILABLE") return STORAGE_IS_AWAY;
      throw error;
    });
    if (refusal === null) return next();
    const { status, wait, ...text } = refusal;
    ctx.set({ ...pageHeaders(), "retry-after": String(wait) });
    ctx.status = status;
    ctx.body = errorPage({ operator, ...text });
  });

  /** A right code is not counted. @returns why it may not be tried; null when it may */
  async function countAttempt(userCode: string, address: string, accountId: string | undefined) {
    const counted = [{ key: `device address ${networkOf(address)}`, most: PER_ADDRESS }];
    if (accountId !== undefined) counted.push({ key: `device account ${accountId}`, most: PER_ACCOUNT });
    // In advance, so that parallel attempts do not slip through.
    for (const { key, most } of counted)
      if ((await attempts.add(key, WINDOW_SECONDS, nowSeconds())) > most) return TOO_MANY;
    if ((await artifacts.findByUserCode("DeviceCode", hashToken(normalize(userCode)))) !== null)
      for (const { key } of counted) await attempts.withdraw(key);
    return null;
  }

  // The engine reads, decides and writes: two parallel browsers would both continue, and the last one would win (A36).
  patch<DeviceCode["save"]>(
    provider,
    "DeviceCode.prototype.save",
    (save) =>
      async function (this: DeviceCode, ...lifetime) {
        if (this.inFlight === true && this.accountId === undefined && this.error === undefined) {
          const key = claimKey(this.jti);
          if (!(await attempts.claimOnce(key, nowSeconds() + 2 * DEVICE_CODE_TTL, nowSeconds())))
            throw new CodeTaken("the code was used already");
        }
        return save.apply(this, lifetime);
      },
  );

  provider.on("device_authorization.success", (_ctx, body) => Object.assign(body, { interval: INTERVAL }));
}

/** As the engine reads what a person types. */
function normalize(userCode: string): string {
  return userCode.toUpperCase().replace(/\W/g, "");
}
