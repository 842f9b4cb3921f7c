import type { FastifyReply, FastifyRequest } from "fastify";
import type { User } from "../../domain/people/user.ts";
import type { Store } from "../../domain/store/store.ts";
import { describeFault } from "../../observe/describe-fault.ts";
import type { Log } from "../../observe/log.ts";
import type { Outgoing } from "../letters/outgoing.ts";
import { nameBrowser } from "../pages/browser-name.ts";
import type { KnownBrowsers } from "./known-browsers.ts";

/** A first sign-in this soon after the account was created is that of its person, who knows of it. */
const FRESH_MS = 86_400_000;

export interface AfterSignInOptions {
  readonly store: Pick<Store, "accountStates">;
  readonly outgoing: Outgoing;
  readonly known: KnownBrowsers;
  readonly log: Log;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

/**
 * Remembers the browser, notes the time of a sign-in, and tells the person about a browser that the account does not know (U54). Nobody
 * waits for the database: a sign-in gets no slower, and does not fail with it.
 */
export type AfterSignIn = (request: FastifyRequest, reply: FastifyReply, user: User) => void;

export function openAfterSignIn({ store, outgoing, known, log, now }: AfterSignInOptions): AfterSignIn {
  async function write(user: User, isKnown: boolean, browser: string): Promise<void> {
    const at = now();
    const isFresh = at - Date.parse(user.createdAt) < FRESH_MS;
    const isFirst = !isKnown && isFresh && (await store.accountStates.find(user.id)).lastSignInAt === null;
    await store.accountStates.note(user.id, { lastSignInAt: new Date(at).toISOString() });
    if (!isKnown && !isFirst) await outgoing.notice("new-browser", user, { browser });
  }

  return (request, reply, user) => {
    const isKnown = known.budgetOf(request, user) !== null;
    known.remember(request, reply, user);
    write(user, isKnown, nameBrowser(request.headers["user-agent"])).catch((error: unknown) =>
      log.warn({ event: "sign-in", userId: user.id, error: describeFault(error) }, "the sign-in was not noted"),
    );
  };
}
