import type { FastifyReply, FastifyRequest } from "fastify";
import type Provider from "oidc-provider";
import type { AuditEventName } from "../../domain/audit.ts";
import type { User, UserStore } from "../../domain/people/user.ts";
import { findActiveUser } from "../../domain/people/user.ts";
import type { Log } from "../../observe/log.ts";
import type { Signer } from "../../secrets/seal.ts";
import type { Audit } from "../engine/audit.ts";
import { sessionSeconds } from "../grants/lifetimes.ts";
import { mountPath } from "../http/endpoints.ts";
import { engineRequest } from "../http/engine-request.ts";
import { readForm, redirect } from "../http/forms.ts";
import { hostCookieOptions } from "../http/host-cookies.ts";
import type { AccountNote } from "../pages/account.ts";
import { originOf, type SeenSession } from "./session-origin.ts";

/** One request of a person who is signed in. */
export interface Visit {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly session: SeenSession;
  readonly user: User;
  readonly field: (name: string) => string;
}

export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

export interface Visits {
  /** The path of the account page, which the other pages stand below. */
  readonly root: string;
  /** Finds the person signed in in this browser; null for a stranger or a disabled person. */
  personOf(request: FastifyRequest, reply: FastifyReply): Promise<User | null>;
  /** Shows a page to a person who is signed in in this browser, and another to anybody else. */
  signedIn(show: (visit: Visit) => Promise<FastifyReply> | FastifyReply, other: Handler): Handler;
  /** Takes a form of ours with its proof that it came from this session (A12); `act` gets no other. */
  onPost(act: (visit: Visit) => Promise<FastifyReply>): Handler;
  /** Gives the browser the session under a new id, so that a former holder of the id has none (A13). */
  saveAnew(session: SeenSession, request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Leads to the account page, which says what was done. */
  leave(visit: Visit, done: AccountNote): FastifyReply;
  /** Writes down what the person has done: durable when it resolves. @param detail a few words of ours */
  tell(visit: Visit, event: AuditEventName, detail: string, clientId?: string): Promise<void>;
  contextOf(request: FastifyRequest, reply: FastifyReply): ReturnType<Provider["createContext"]>;
}

export interface VisitOptions {
  readonly issuer: string;
  readonly provider: Provider;
  readonly store: { readonly users: UserStore };
  /** Signs the proof of the forms at `/account`. */
  readonly forms: Signer;
  readonly settings: { readonly SESSION_MAX: number };
  readonly log: Log;
  readonly audit: Audit;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

/** Work that every page at `/account` shares: finding the signed-in person, and checking that a form is ours. */
export function openVisits({ provider, store, forms, settings, log, audit, now, ...options }: VisitOptions): Visits {
  const issuer = new URL(options.issuer);
  const root = `${mountPath(options.issuer)}/account`;
  const cookie = { ...hostCookieOptions(options.issuer), signed: true };

  async function find(request: FastifyRequest, reply: FastifyReply) {
    const session = (await provider.Session.get(contextOf(request, reply))) as SeenSession;
    const user = session.accountId === undefined ? null : await findActiveUser(store, session.accountId);
    return { session, user };
  }

  function signedIn(show: (visit: Visit) => Promise<FastifyReply> | FastifyReply, other: Handler): Handler {
    return async (request, reply) => {
      const { session, user } = await find(request, reply);
      return user === null ? other(request, reply) : show({ request, reply, session, user, field: readForm(request) });
    };
  }

  function contextOf(request: FastifyRequest, reply: FastifyReply) {
    return provider.createContext(engineRequest(request, issuer), reply.raw);
  }

  return {
    root,
    personOf: async (request, reply) => (await find(request, reply)).user,
    signedIn,
    onPost: (act) =>
      signedIn(
        async (visit) => {
          const isOurs = forms.verify(visit.session.uid, visit.field("csrf"));
          return isOurs ? act(visit) : redirect(visit.reply, `${root}?done=stale`);
        },
        async (_request, reply) => redirect(reply, root),
      ),
    async saveAnew(session, request, reply) {
      const context = contextOf(request, reply);
      session.seen = originOf({ headers: request.headers, address: request.ip }, now());
      session.resetIdentifier();
      await session.save(sessionSeconds(session, settings, now()));
      const expires = new Date(session.exp * 1_000);
      context.cookies.set(provider.cookieName("session"), session.jti, { ...cookie, expires });
    },
    leave: ({ reply }, done) => redirect(reply, `${root}?done=${done}`),
    async tell({ request, user }, event, detail, clientId) {
      const facts = { event, userId: user.id, clientId: clientId ?? null, requestId: request.id };
      log.info(facts, detail);
      await audit.record({ ...facts, result: "ok", address: request.ip, detail });
    },
    contextOf,
  };
}
