import type { FastifyPluginAsync } from "fastify";
import { endTokensOfOwner } from "../domain/clients/own-clients.ts";
import { deleteDueAccounts } from "../domain/people/account-deletion.ts";
import type { Mail } from "../domain/people/mail.ts";
import type { AccessControl } from "../domain/people/person-access.ts";
import type { User } from "../domain/people/user.ts";
import { deletePostsOf } from "../domain/posts/post-changes.ts";
import type { Letter } from "../mail/letter.ts";
import { openPasswordRules } from "../secrets/password-rules.ts";
import { openSealer } from "../secrets/seal.ts";
import { exportAccount } from "./account/account-export.ts";
import { mailboxRoutes } from "./account/mailbox.ts";
import { startRoute } from "./account/start.ts";
import { registrationRoutes } from "./clients/registration.ts";
import { openAudit } from "./engine/audit.ts";
import type { CreatedAccessToken, NewAccessToken, NewClientToken } from "./grants/operator-token.ts";
import { type CrossOriginHeaders, openCrossOriginHeaders } from "./http/client-cors.ts";
import { isClientPath, mountPath } from "./http/endpoints.ts";
import { openRequestLimit } from "./http/request-limit.ts";
import { openCompose } from "./letters/compose.ts";
import { openMailedSecrets } from "./letters/mailed-secrets.ts";
import { openOutgoing } from "./letters/outgoing.ts";
import type { AuthorizationServerOptions } from "./options.ts";
import { openPasskeys } from "./passkeys/passkeys.ts";
import { passkeyRoutes } from "./passkeys/script.ts";
import type { Protocol } from "./protocol.ts";
import { openSecondStep } from "./second-step/second-step.ts";
import { openKnownBrowsers } from "./sign-in/known-browsers.ts";
import { openSetUp } from "./sign-in/set-up.ts";
import type { SignUpMode } from "./sign-in/sign-in-links.ts";
import { emailUndoRoutes } from "./sign-up/email-undo.ts";
import { invitationRoutes } from "./sign-up/invitation.ts";
import { recoveryRoutes } from "./sign-up/recovery.ts";
import { signUpRoutes } from "./sign-up/sign-up.ts";
import { openTokenRoute, type TokenRoute, type TokenRouteOptions } from "./token-route.ts";
import { type KeySet, openKeyRing } from "./tokens/key-ring.ts";
import { openUpstreams } from "./upstreams/upstreams.ts";

export interface AuthorizationServer {
  /** Everything that it answers. To be registered at the root. */
  readonly routes: FastifyPluginAsync;
  /** To be asked before `routes`: a shorter way for most of the traffic. */
  tokenRoute(options: TokenRouteOptions): TokenRoute;
  /** Whether clients talk to it at this path, not people. */
  isClientPath(path: string): boolean;
  /** The headers by which pages of clients read an answer at such a path, also one that this server does not make. */
  readonly crossOriginHeaders: CrossOriginHeaders;
  /** The one-time link at which the first administrator is made; it opens something only while there is nobody. */
  setUpUrl(): string;
  /** The letter for a mail of the outbox whose turn has come; null where there is nothing to send. */
  compose(mail: Mail): Promise<Letter | null>;
  /** Deletes accounts whose time has come (U72). @returns `limit` as long as there may be more to do */
  deleteDueAccounts(limit: number): Promise<number>;
  /** Sessions and clients of people, for administrators. */
  readonly access: AccessControl;
  /** Everything about a person, as the pieces of one JSON document (U73). */
  exportAccount(user: User): Promise<AsyncIterable<string>>;
  /** @throws AppError NOT_FOUND for a client that is unknown or disabled */
  createAccessToken(input: NewAccessToken): Promise<CreatedAccessToken>;
  /** @throws AppError as `createAccessToken` */
  createClientToken(input: NewClientToken): Promise<Omit<CreatedAccessToken, "id">>;
  /** Whether the signing keys that this process has are known to be all there are. */
  areKeysFresh(): boolean;
  close(): Promise<void>;
}

/**
 * OAuth 2.0 and OpenID Connect: oidc-provider speaks the protocols; storage, pages, policy and keys are ours.
 *
 * @throws AppError INTERNAL when the signing keys were sealed under another secret
 */
export async function openAuthorizationServer(options: AuthorizationServerOptions): Promise<AuthorizationServer> {
  const { settings, services, isDemo = false, command = "bin/content-api" } = options;
  const { AUTH_URL: issuer, BASE_URL: baseUrl, OPERATOR_NAME: operator } = settings;
  const { secret, previousSecret, store, isClientOrigin, log, now } = services;
  const sealer = openSealer(secret, previousSecret);
  const limit = openRequestLimit(settings, services);
  const audit = openAudit(store.audit, {
    days: settings.AUDIT_DAYS,
    now,
    log,
    ...(services.countDecision !== undefined && { count: services.countDecision }),
  });
  const secrets = openMailedSecrets(store.accountTokens, secret, now);
  const passwords = openPasswordRules(settings);
  const outgoing = openOutgoing(services.sendsMail, store, now);
  const signUp: SignUpMode = outgoing.isOn ? settings.SIGN_UP : "closed";
  const known = openKnownBrowsers(issuer, sealer);
  const { fetch, waiting } = services;
  const upstreams = openUpstreams(services.upstreams, {
    ...{ issuer, sealer, attempts: store.attempts, fetch, waiting, log, now },
  });
  const { policy } = upstreams;
  const passkeys = openPasskeys({ settings, services: { store, sealer, policy, audit, outgoing, now } });
  const secondStep = openSecondStep({ settings, store, sealer, outgoing, audit, now });
  const people = { upstreams, audit, outgoing, secrets, passwords, known, passkeys, secondStep, signUp };
  const shared = { ...services, sealer, ...people };
  const ring = await openKeyRing(store, sealer, now, log);
  let clientChanges = 0;
  const unwatch = store.watch(["client"], () => {
    clientChanges++;
  });
  let opened: { keys: KeySet; protocol: Protocol } | null = null;
  /** Opens at the first use, and again when the keys change: the engine reads them once. */
  async function protocol(): Promise<Protocol> {
    if (opened?.keys === ring.current()) return opened.protocol;
    return services.loading(loadProtocol);
  }
  async function loadProtocol(): Promise<Protocol> {
    const { openProtocol } = await import("./protocol.ts");
    const keys = ring.current(); // they may have changed meanwhile, or another request was first
    if (opened?.keys !== keys)
      opened = {
        keys,
        protocol: openProtocol(settings, {
          ...shared,
          ...{ keys, limit, command },
          clientChanges: () => clientChanges,
          areKeysFresh: ring.isFresh,
        }),
      };
    return opened.protocol;
  }
  const mount = mountPath(issuer);
  const crossOriginHeaders = openCrossOriginHeaders(isClientOrigin);
  const setUp = openSetUp({
    ...{ issuer, baseUrl, operator, secret, previousSecret, store, command, log, audit, passwords },
    hasStudio: settings.STUDIO,
  });
  const start = startRoute({
    ...{ issuer, baseUrl, operator, store, command, demo: isDemo, isOpen: signUp === "open" },
    hasStudio: settings.STUDIO,
    hasDocs: settings.DOCS,
    hasAgents: settings.MCP !== "off",
    personOf: async (request, reply) => (await protocol()).account.personOf(request, reply),
  });
  const mailed = { settings, services: shared, protocol };
  return {
    // Loaded when the first request comes that needs them, or soon after the start.
    routes: async (server, none) => {
      const { authorizationRoutes } = await import("./routes.ts");
      await authorizationRoutes({
        ...{ issuer, operator, protocol, limit, log },
        registration: registrationRoutes({ settings, store, log, now, audit }),
        setUp: setUp.routes,
        signUp: signUpRoutes(mailed),
        invitation: invitationRoutes(mailed),
        recovery: recoveryRoutes(mailed),
        emailUndo: emailUndoRoutes(mailed),
        passkeys: passkeys === null ? null : passkeyRoutes(issuer),
        mailbox: mailboxRoutes({ issuer, operator, mailbox: services.mailbox }),
        start,
      })(server, none);
    },
    tokenRoute: (about) => openTokenRoute({ issuer, protocol, limit, crossOriginHeaders, log }, about),
    isClientPath: (path) => path.startsWith(mount) && isClientPath(path.slice(mount.length)),
    crossOriginHeaders,
    setUpUrl: setUp.url,
    compose: openCompose({ settings, store, secrets, policy, now }),
    deleteDueAccounts: (limit) =>
      deleteDueAccounts(
        {
          deletions: store.deletions,
          deletePosts: (author, most) => deletePostsOf(store.posts, author, most),
          forgetDeletedPosts: (author, most) => store.deletedPosts.forgetOfAuthor(author, most),
          endOwnClients: (owner) => endTokensOfOwner(store, owner),
          now: new Date(now()).toISOString(),
          farewell: ({ posts }) => outgoing.draft("deletion-done", { posts }),
          record: audit.record,
        },
        limit,
      ),
    access: {
      listOfEach: async (userIds) => (await protocol()).overview.listOfEach(userIds),
      ownerOf: async (sessionId) => (await protocol()).overview.ownerOf(sessionId),
      endSession: async (userId, sessionId) => (await protocol()).access.endSession(userId, sessionId),
      endClient: async (userId, clientId) => (await protocol()).access.endClient(userId, clientId),
    },
    exportAccount: async (user) => exportAccount({ store, access: (await protocol()).access, now }, user),
    createAccessToken: async (input) => (await protocol()).createAccessToken(input),
    createClientToken: async (input) => (await protocol()).createClientToken(input),
    areKeysFresh: ring.isFresh,
    async close() {
      unwatch();
      await ring.close();
      await audit.close();
    },
  };
}
