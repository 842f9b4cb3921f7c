import type Provider from "oidc-provider";
import type { Interaction, Session } from "oidc-provider";
import { patch } from "../engine/patches.ts";
import type { EngineRequest } from "../http/engine-request.ts";
import type { UpstreamOrigin } from "../upstreams/upstream.ts";

/** Browser and IP address that last used a session, for its person to recognise. Sealed like the rest of the session. */
export interface SessionOrigin {
  /** The `User-Agent` field, bounded. */
  readonly agent: string;
  readonly address: string;
  /** Unix time. */
  readonly atSeconds: number;
}

/**
 * A session, with what we add to it. `passkey` is the mark of the passkey that it began with, `upstream` the identity at another service.
 */
export type SeenSession = Session & { seen?: SessionOrigin } & WayIn;

interface WayIn {
  passkey?: string;
  upstream?: UpstreamOrigin;
}

const AGENT_LENGTH = 256;

export function originOf({ headers, address }: Pick<EngineRequest, "headers" | "address">, now: number): SessionOrigin {
  const agent = (headers["user-agent"] ?? "").slice(0, AGENT_LENGTH).toWellFormed();
  return { agent, address, atSeconds: Math.floor(now / 1_000) };
}

/** An error before a browser has a session makes the engine write one back that does not exist, and fail with 500. */
export function persistOnlyStored(provider: Provider): void {
  patch<Session["persist"]>(
    provider,
    "Session.prototype.persist",
    (persist) =>
      async function (this: Session) {
        return typeof this.exp === "number" ? persist.call(this) : "";
      },
  );
}

/** Has each session remember the passkey or the other service that it began with: their end is its end (U40, U66). */
export function rememberWaysIn(provider: Provider, interaction: () => Interaction | undefined): void {
  patch<Session["loginAccount"]>(
    provider,
    "Session.prototype.loginAccount",
    (login) =>
      function (this: SeenSession, details) {
        const { passkey, upstream } = (interaction()?.result?.login ?? details) as WayIn;
        if (passkey === undefined) delete this.passkey;
        else this.passkey = passkey;
        if (upstream === undefined) delete this.upstream;
        else this.upstream = upstream;
        return login.call(this, details);
      },
  );
}

/**
 * Has each session remember the request in which the engine saved it last.
 *
 * @param current the request that is being answered
 * @param now milliseconds of Unix time
 */
export function rememberOrigins(provider: Provider, current: () => EngineRequest | undefined, now: () => number): void {
  patch<() => string[]>(
    provider,
    "Session.IN_PAYLOAD",
    (original) =>
      function (this: unknown) {
        return [...original.call(this), "seen", "passkey", "upstream"];
      },
  );
  patch<Session["save"]>(
    provider,
    "Session.prototype.save",
    (save) =>
      function (this: SeenSession, ttl) {
        const request = current();
        if (request !== undefined) this.seen = originOf(request, now());
        return save.call(this, ttl);
      },
  );
}
