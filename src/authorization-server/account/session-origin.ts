import type Provider from "oidc-provider";
import type { Session } from "oidc-provider";
import type { EngineRequest } from "../http/engine-request.ts";

/** Where a session was last used from, for its person to recognise. It is sealed like the rest of the session. */
export interface SessionOrigin {
  /** The `User-Agent` field, bounded. */
  readonly agent: string;
  readonly address: string;
  /** Unix time. */
  readonly atSeconds: number;
}

export type SeenSession = Session & { seen?: SessionOrigin };

const AGENT_LENGTH = 256;

export function originOf({ headers, address }: Pick<EngineRequest, "headers" | "address">, now: number): SessionOrigin {
  const agent = (headers["user-agent"] ?? "").slice(0, AGENT_LENGTH).toWellFormed();
  return { agent, address, atSeconds: Math.floor(now / 1_000) };
}

/** Has each session remember the request in which the engine saved it last. */
export function rememberOrigins(provider: typeof Provider.prototype, current: () => EngineRequest | undefined): void {
  const { Session: Model } = provider;
  const inPayload = (Model as unknown as { IN_PAYLOAD: readonly string[] }).IN_PAYLOAD;
  Object.defineProperty(Model, "IN_PAYLOAD", { get: () => [...inPayload, "seen"] });
  const { save } = Model.prototype;
  Model.prototype.save = function (this: SeenSession, ttl) {
    const request = current();
    if (request !== undefined) this.seen = originOf(request, Date.now());
    return save.call(this, ttl);
  };
}
