import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { User, UserStore } from "../../domain/people/user.ts";
import { sendPage } from "../http/forms.ts";
import { hostCookieName } from "../http/host-cookies.ts";
import { startPage } from "../pages/start.ts";

export interface StartOptions {
  readonly issuer: string;
  /** Public address of the API. */
  readonly baseUrl: string;
  readonly operator: string;
  readonly store: { readonly users: UserStore };
  readonly hasStudio: boolean;
  readonly hasDocs: boolean;
  readonly hasAgents: boolean;
  readonly demo: boolean;
  /** Whether anybody may create an account. */
  readonly isOpen: boolean;
  /** The words before a command that pages print. */
  readonly command: string;
  /** Finds the person signed in in this browser; null for a stranger or a disabled person. Loads the engine. */
  readonly personOf: (request: FastifyRequest, reply: FastifyReply) => Promise<User | null>;
}

/** The page at `/`. The engine is loaded only for browsers that hold a session's cookie. */
export function startRoute({ store, personOf, ...about }: StartOptions): FastifyPluginAsync {
  const cookie = `${hostCookieName(about.issuer, "session")}=`;
  return async (server) => {
    server.get("/", async (request, reply) => {
      const isEmpty = await store.users.isEmpty();
      const mayBeSignedIn = request.headers.cookie?.includes(cookie) === true;
      const user = !isEmpty && mayBeSignedIn ? await personOf(request, reply) : null;
      const person = user === null ? null : { name: user.name, isAdministrator: user.role === "admin" };
      return sendPage(reply, startPage({ ...about, state: isEmpty ? "needs-set-up" : "ready", person }));
    });
  };
}
