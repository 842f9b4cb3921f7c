import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RelyingPartyOptions } from "../../../src/authorization-server/upstreams/relying-party.ts";
import type { Bound, Upstream, Visitor } from "../../../src/authorization-server/upstreams/upstream.ts";
import type { Store } from "../../../src/domain/store/store.ts";
import { openGuardedFetch } from "../../../src/http/guarded-fetch.ts";
import { openSealer } from "../../../src/secrets/seal.ts";
import { openStore } from "../../../src/storage/open.ts";
import { CLIENT } from "./stand-in.ts";

export const AUTH_URL = "https://id.example.com";
export const BOUND: Bound = { for: "interaction", uid: "interaction-1" };
export const NOBODY: Visitor = { browser: null, person: null };

export function anUpstream(issuer: string | null, change: Partial<Upstream> = {}): Upstream {
  return {
    id: "acme",
    name: "ACME",
    issuer,
    oauth2: null,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    scopes: ["openid", "profile", "email"],
    domains: ["example.com"],
    enforced: false,
    signUp: true,
    trustEmail: true,
    mfa: null,
    ...change,
  };
}

export interface PartyServices extends Omit<RelyingPartyOptions, "metadata"> {
  readonly store: Store;
  /** Reasons of refusals, as the log has them. */
  readonly reasons: string[];
  /** Every line of the log, whole. */
  readonly lines: string[];
  /** Milliseconds by which the clock is ahead. */
  ahead: number;
  close(): Promise<void>;
}

/** All that a relying party needs, real but for the clock and the log. */
export async function openPartyServices(privateHosts = ["localhost"]): Promise<PartyServices> {
  const folder = await mkdtemp(join(tmpdir(), "content-api-upstreams-"));
  const store = await openStore(`sqlite:${join(folder, "content.db")}`);
  const reasons: string[] = [];
  const lines: string[] = [];
  const write = (fields: unknown, message: unknown) => {
    lines.push(JSON.stringify([fields, message]));
    reasons.push(String((fields as { reason?: string }).reason));
  };
  const services: PartyServices = {
    issuer: AUTH_URL,
    sealer: openSealer(randomBytes(32)),
    store,
    attempts: store.attempts,
    fetch: openGuardedFetch({ privateHosts }),
    waiting: (work) => work(),
    log: { debug: write, info: write, warn: write, error: write },
    now: () => Date.now() + services.ahead,
    reasons,
    lines,
    ahead: 0,
    async close() {
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
  return services;
}
