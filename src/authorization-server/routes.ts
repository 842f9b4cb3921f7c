import type { FastifyError, FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { AppError } from "../domain/errors.ts";
import { BUSY, FAILED } from "../domain/failure-texts.ts";
import type { Log } from "../observe/log.ts";
import { accountRoutes } from "./account/account.ts";
import { errorCode, RETRY_AFTER, statusOf } from "./http/client-errors.ts";
import { engineRoutes, isClientPath, isLimited, mountPath, PATHS } from "./http/endpoints.ts";
import { BODY_LIMIT, parseForm, redirect, sendErrorPage } from "./http/forms.ts";
import type { RequestLimit } from "./http/request-limit.ts";
import type { Protocol } from "./protocol.ts";
import { interactionRoutes } from "./sign-in/interaction-routes.ts";

export interface RouteOptions {
  readonly issuer: string;
  readonly operator: string;
  readonly setUp: FastifyPluginAsync;
  readonly signUp: FastifyPluginAsync;
  readonly invitation: FastifyPluginAsync;
  readonly recovery: FastifyPluginAsync;
  readonly emailUndo: FastifyPluginAsync;
  /** null: there are no passkeys. */
  readonly passkeys: FastifyPluginAsync | null;
  readonly start: FastifyPluginAsync;
  readonly registration: FastifyPluginAsync;
  readonly mailbox: FastifyPluginAsync;
  readonly protocol: () => Promise<Protocol>;
  readonly limit: RequestLimit;
  readonly log: Log;
}

/** Everything that the authorization server answers, as one plugin with its own body parser and error answers. */
export function authorizationRoutes(options: RouteOptions): FastifyPluginAsync {
  const { issuer, operator, setUp, start, protocol, log } = options;
  const mount = mountPath(issuer);

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    // The engine looks for the path as it is written, and no address of ours needs an escape.
    if (/^[^?]*%/.test(request.url)) return reply.callNotFound();
    // `/device/:uid` also matches `/device/auth`, which has no GET.
    const [path = ""] = request.url.split("?", 1);
    if (path !== request.routeOptions.url && isClientPath(path.slice(mount.length))) return reply.callNotFound();
    const { callEngine } = await protocol();
    reply.hijack();
    await callEngine(request, reply.raw);
  }

  return async (server) => {
    server.removeAllContentTypeParsers();
    // As bytes: the engine and our forms each read them in their own way, and any type but a form is refused there.
    server.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: BODY_LIMIT }, (_request, body, done) =>
      done(null, body),
    );
    server.setErrorHandler(errorAnswers(operator, mount, log));

    server.addHook("onRequest", refuseTooMany(options, mount));

    for (const route of engineRoutes(mount)) server.route({ ...route, handler: answer });
    asGet(server, mount + PATHS.authorization);
    asGet(server, mount + PATHS.end_session);
    await server.register(interactionRoutes(mount, async () => (await protocol()).interactions));
    await server.register(accountRoutes(mount, async () => (await protocol()).account));
    await server.register(setUp);
    await server.register(options.signUp);
    await server.register(options.invitation);
    await server.register(options.recovery);
    await server.register(options.emailUndo);
    if (options.passkeys !== null) await server.register(options.passkeys);
    await server.register(start);
    await server.register(options.mailbox);
    await server.register(options.registration);
  };
}

/** RFC 6585 section 4, in the form that OAuth has for errors. Its own bounds keep one caller from taking all of us. */
function refuseTooMany({ operator, limit }: RouteOptions, mount: string) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const path = pathOf(request, mount);
    const wait = isLimited(request.method, path) ? limit.ofAddress(request.ip) : 0;
    if (wait === 0) return undefined;
    reply.header("retry-after", String(wait));
    if (!isClientPath(path))
      return sendErrorPage(reply, operator, {
        status: 429,
        title: "Too many requests",
        message: `Wait ${wait} seconds, then try again. Nothing was lost.`,
      });
    const error_description = `too many requests from this address, try again in ${wait} s`;
    return reply
      .code(429)
      .header("cache-control", "no-store")
      .send({ error: "temporarily_unavailable", error_description });
  };
}

/**
 * OpenID Connect Core 1.0 section 3.1.2.1 wants requests by POST too. One from another site comes without our cookies
 * (SameSite=Lax), so the browser is sent here once more, by GET, and brings them.
 */
function asGet(server: FastifyInstance, path: string): void {
  server.post(path, { bodyLimit: 8_192 }, async (request, reply) => redirect(reply, `${path}?${parseForm(request)}`));
}

function errorAnswers(operator: string, mount: string, log: Log) {
  return (error: FastifyError | AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const status = statusOf(error, request.id, log);
    if (status === 503) reply.header("retry-after", RETRY_AFTER);
    if (isClientPath(pathOf(request, mount))) {
      return reply
        .code(status)
        .header("cache-control", "no-store")
        .send({ error: errorCode(status) });
    }
    return sendErrorPage(reply, operator, {
      status,
      ...explain(status),
      ...(status >= 500 ? { requestId: request.id } : {}),
    });
  };
}

/** The path of the request's route, below the issuer's. */
function pathOf(request: FastifyRequest, mount: string): string {
  return request.routeOptions.url?.slice(mount.length) ?? "";
}

function explain(status: number): { title: string; message: string } {
  if (status === 503) return BUSY;
  if (status < 500)
    return { title: "This cannot be read", message: "Your browser sent a request that is too long or malformed." };
  return FAILED;
}
