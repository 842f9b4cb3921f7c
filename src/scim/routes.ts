import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { NewAuditEvent } from "../domain/audit.ts";
import { AppError } from "../domain/errors.ts";
import { parseId } from "../domain/id.ts";
import {
  changeScimPerson,
  createScimPerson,
  deleteScimPerson,
  getScimPerson,
  type ScimRequest,
} from "../domain/people/scim-administration.ts";
import type { ScimPerson } from "../domain/people/scim-user.ts";
import type { Viewer } from "../domain/viewer.ts";
import type { Log } from "../observe/log.ts";
import { listAnswer, serviceProviderConfig, userLocation, userResource, userSchema, userType } from "./answers.ts";
import { type BoundService, callerOf, challengeOf } from "./authorize.ts";
import { readPatch, readUser } from "./document.ts";
import { openModel, USER_SCHEMA } from "./model.ts";
import { type Choose, readChoice, readQuery } from "./query.ts";
import { errorBody, ScimError, toScimError } from "./scim-error.ts";

/** Bytes of a body: a user of the largest directories has a tenth of it. */
const BODY_LIMIT = 65_536;

const MEDIA_TYPE = "application/scim+json";

export interface ScimOptions extends Pick<ScimRequest, "store" | "now" | "deletionDelay"> {
  /** `AUTH_URL`: SCIM is at `/scim/v2` below it. */
  readonly issuer: string;
  readonly services: readonly BoundService[];
  /** @throws AppError UNAUTHENTICATED without a token, and with a bad one */
  readonly authenticate: (request: FastifyRequest) => Viewer | Promise<Viewer>;
  /** Writes down what was decided. */
  readonly record: (event: NewAuditEvent) => Promise<void>;
  readonly log: Log;
}

/** Everything at `/scim/v2`. To be registered at the root. */
export function scimRoutes(options: ScimOptions): FastifyPluginAsync {
  const { issuer, log } = options;
  const prefix = `${new URL(issuer).pathname.replace(/\/$/, "")}/scim/v2`;
  return async (root) => {
    await root.register(
      async (server) => {
        server.removeAllContentTypeParsers();
        server.addContentTypeParser(
          [MEDIA_TYPE, "application/json"],
          { parseAs: "string", bodyLimit: BODY_LIMIT },
          (_request, body, done) => done(null, body),
        );
        server.setErrorHandler((error, request, reply) => fail(reply, toScimError(error, request.id, log), error));
        server.setNotFoundHandler((_request, reply) => fail(reply, new ScimError(404, null, "There is nothing here.")));
        addRoutes(server, options);
      },
      { prefix },
    );
  };
}

function addRoutes(server: FastifyInstance, { issuer, services, authenticate, record, ...tools }: ScimOptions): void {
  const base = `${issuer}/scim/v2`;

  async function requestOf(request: FastifyRequest): Promise<ScimRequest> {
    const { service, clientId } = callerOf(await authenticate(request), services);
    const from = { clientId, address: request.ip, requestId: request.id };
    return { ...tools, service, record: (event) => record({ ...event, ...from }) };
  }

  function sendUser(reply: FastifyReply, person: ScimPerson, choose: Choose, status = 200): FastifyReply {
    return send(reply.header("location", userLocation(base, person)), choose(userResource(base, person)), status);
  }

  server.get("/Users", async (request, reply) => {
    const { store, service } = await requestOf(request);
    const { filter, startIndex, count } = readQuery(parametersOf(request));
    const choose = readChoice(parametersOf(request));
    const page = { skip: startIndex - 1, limit: count };
    const { total, people } = await store.scimUsers.list(service, filter, page);
    const resources = people.map((person) => choose(userResource(base, person)));
    return send(reply, listAnswer(total, resources, startIndex));
  });
  server.post("/Users", async (request, reply) => {
    const scim = await requestOf(request);
    const choose = readChoice(parametersOf(request));
    const input = readUser(bodyOf(request), await openModel());
    return sendUser(reply, await createScimPerson(scim, input), choose, 201);
  });
  server.get("/Users/:id", async (request, reply) => {
    const scim = await requestOf(request);
    const person = await getScimPerson(scim, idOf(request));
    return sendUser(reply, person, readChoice(parametersOf(request)));
  });
  server.put("/Users/:id", async (request, reply) => {
    const scim = await requestOf(request);
    const choose = readChoice(parametersOf(request));
    await getScimPerson(scim, idOf(request)); // 404 says nothing about the body
    const { externalId = null, ...input } = readUser(bodyOf(request), await openModel());
    return sendUser(reply, await changeScimPerson(scim, idOf(request), { ...input, externalId }), choose);
  });
  server.patch("/Users/:id", async (request, reply) => {
    const scim = await requestOf(request);
    const choose = readChoice(parametersOf(request));
    await getScimPerson(scim, idOf(request));
    const input = readPatch(bodyOf(request), await openModel());
    return sendUser(reply, await changeScimPerson(scim, idOf(request), input), choose);
  });
  server.delete("/Users/:id", async (request, reply) => {
    await deleteScimPerson(await requestOf(request), idOf(request));
    return reply.code(204).header("cache-control", "no-store").send();
  });

  const schema = async () => userSchema(base, await openModel());
  const documents: Record<string, () => Promise<object>> = {
    "/ServiceProviderConfig": async () => serviceProviderConfig(base),
    "/ResourceTypes": async () => listAnswer(1, [userType(base)]),
    "/ResourceTypes/User": async () => userType(base),
    "/Schemas": async () => listAnswer(1, [await schema()]),
    [`/Schemas/${USER_SCHEMA.replaceAll(":", "::")}`]: schema, // Fastify takes a colon for a parameter
  };
  for (const [path, document] of Object.entries(documents))
    server.get(path, async (request, reply) => {
      await requestOf(request);
      return send(reply, await document());
    });
}

function send(reply: FastifyReply, body: object, status = 200): FastifyReply {
  return reply.code(status).type(MEDIA_TYPE).header("cache-control", "no-store").send(JSON.stringify(body));
}

function fail(reply: FastifyReply, failure: ScimError, cause?: unknown): FastifyReply {
  if (cause instanceof AppError) {
    const challenge = cause.code === "UNAUTHENTICATED" || cause.code === "FORBIDDEN" ? challengeOf(cause) : null;
    if (challenge !== null) reply.header("www-authenticate", challenge);
    if (cause.code === "UNAVAILABLE") reply.header("retry-after", String(cause.details.retryAfter ?? 1));
  }
  return send(reply, errorBody(failure), failure.status);
}

/** @throws ScimError with status 400 */
function bodyOf({ body }: FastifyRequest): unknown {
  try {
    return JSON.parse(typeof body === "string" ? body : "");
  } catch {
    throw new ScimError(400, "invalidSyntax", "The body must be JSON.");
  }
}

function parametersOf({ query }: FastifyRequest): Readonly<Record<string, unknown>> {
  return query as Record<string, unknown>;
}

function idOf({ params }: FastifyRequest) {
  return parseId((params as { id: string }).id);
}
