import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { assertClient, type Client, type NewClient } from "../../domain/clients/client.ts";
import type { ClientStore } from "../../domain/clients/client-store.ts";
import { AppError } from "../../domain/errors.ts";
import { networkOf } from "../../domain/network.ts";
import type { AttemptStore } from "../../domain/store/attempts.ts";
import type { Log } from "../../observe/log.ts";
import { newClientId, newClientSecret } from "../../secrets/client-secret.ts";
import { equalInConstantTime } from "../../secrets/seal.ts";
import { hashToken } from "../../secrets/token-hash.ts";
import type { Audit } from "../engine/audit.ts";
import { BUSY_ANSWER, errorCode, RETRY_AFTER, statusOf } from "../http/client-errors.ts";
import { mountPath, PATHS } from "../http/endpoints.ts";
import { knownAgentHost } from "./agent-clients.ts";
import type { CertificateMode } from "./client-certificates.ts";
import { type Described, InvalidMetadata, readClientMetadata } from "./client-metadata.ts";
import { describeRegistration } from "./registration-answer.ts";

/** The settings for registration of clients: nobody, holders of the token, or anybody. */
export interface RegistrationSettings {
  readonly REGISTRATION: "off" | "token" | "open";
  readonly REGISTRATION_TOKEN: string | null;
  /** For one network. */
  readonly REGISTRATION_RATE: { readonly count: number; readonly seconds: number };
  readonly KNOWN_AGENTS: readonly string[];
}

/** Agents that run at a service register from its one network, for all of its people: their hosts have this many times the rate. */
const KNOWN_AGENT_FACTOR = 10;

/** Agents leave `grant_types` out, and expect to stay connected (A25). */
const USUAL_GRANTS = ["authorization_code", "refresh_token"] as const;

class TooManyClients extends Error {
  override readonly name = "TooManyClients";
  readonly seconds: number;

  constructor(seconds: number) {
    super("too many new clients");
    this.seconds = seconds;
  }
}

export interface RegistrationOptions {
  readonly settings: RegistrationSettings & {
    readonly AUTH_URL: string;
    readonly CLIENT_CERTIFICATES: CertificateMode;
    readonly NATIVE_SCHEMES: readonly string[];
  };
  readonly store: { readonly clients: ClientStore; readonly attempts: AttemptStore };
  readonly log: Log;
  readonly audit: Audit;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

/** Clients that register themselves (RFC 7591), and read, change and end their registration (RFC 7592). */
export function registrationRoutes(options: RegistrationOptions): FastifyPluginAsync {
  const { settings, store, log, now, audit } = options;
  const { AUTH_URL: issuer, CLIENT_CERTIFICATES: certificates, REGISTRATION: mode } = settings;
  const rules = { certificates, nativeSchemes: settings.NATIVE_SCHEMES, usualGrants: USUAL_GRANTS };
  const tokenHash = hashToken(settings.REGISTRATION_TOKEN ?? "");
  const path = mountPath(issuer) + PATHS.registration;

  const describe = (client: Client, authentication?: Described["authentication"]) =>
    describeRegistration(client, { issuer, certificates }, authentication);

  return async (server) => {
    if (mode === "off") return;
    server.addHook("onRequest", async (_request, reply) => {
      reply.header("cache-control", "no-store");
      // Nothing is sent along by browsers on their own, and a client of a browser has no origin here yet.
      reply.header("access-control-allow-origin", "*");
    });
    server.setErrorHandler((error, request, reply) => {
      if (error instanceof TooManyClients)
        return refuse(reply.header("retry-after", String(error.seconds)), 429, BUSY_ANSWER.error, error.message);
      if (error instanceof InvalidMetadata) return refuse(reply, 400, error.code, error.message);
      if (error instanceof AppError && (error.code === "BAD_USER_INPUT" || error.code === "CONFLICT")) {
        const isUri = error.details.field === "redirectUris";
        return refuse(reply, 400, isUri ? "invalid_redirect_uri" : "invalid_client_metadata", error.message);
      }
      const status = statusOf(error, request.id, log);
      if (status < 500) return refuse(reply, status, "invalid_client_metadata", (error as Error).message);
      if (status !== 503) return refuse(reply, status, errorCode(status), "something failed on our side");
      const { error: busy, error_description } = BUSY_ANSWER;
      return refuse(reply.header("retry-after", RETRY_AFTER), status, busy, error_description);
    });
    const preflight = async (_request: FastifyRequest, reply: FastifyReply) =>
      reply
        .code(204)
        .headers({
          "access-control-allow-methods": "GET, POST, PUT, DELETE",
          "access-control-allow-headers": "Authorization, Content-Type",
          "access-control-max-age": "3600",
        })
        .send();
    server.options(path, preflight);
    server.options(`${path}/:id`, preflight);
    server.post(path, register);
    server.get<ById>(`${path}/:id`, async (request, reply) => {
      const client = await clientOf(request);
      return client === null ? unauthorized(reply) : reply.send(read(request, client));
    });
    server.put<ById>(`${path}/:id`, change);
    server.delete<ById>(`${path}/:id`, async (request, reply) => {
      const client = await clientOf(request);
      if (client === null) return unauthorized(reply);
      await store.clients.update(client.id, { disabledAt: new Date(now()).toISOString() });
      await told(request, client, "ended itself");
      return reply.code(204).send();
    });
  };

  async function register(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (mode === "token" && !equalInConstantTime(hashToken(bearer(request)), tokenHash)) return unauthorized(reply);
    const described = await readCounted(request);
    const secret = needsSecret(described) ? newClientSecret() : null;
    const token = newClientSecret();
    const input = toClient(newClientId(), described, secret === null ? null : hashToken(secret), hashToken(token));
    assertClient(input, rules.nativeSchemes);
    const client = await store.clients.create(input);
    await told(request, client, "registered itself");
    return reply.code(201).send({
      ...describe(client, described.authentication),
      ...(secret === null ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
      registration_access_token: token,
    });
  }

  /** Reads the metadata, and counts the attempt. @throws TooManyClients, InvalidMetadata, AppError BAD_USER_INPUT */
  async function readCounted(request: FastifyRequest): Promise<Described> {
    let described: Described;
    try {
      described = readClientMetadata(readJson(request), "client_secret_basic", rules);
    } catch (error) {
      await count(request, null);
      throw error;
    }
    await count(request, knownAgentHost(described.redirectUris, settings.KNOWN_AGENTS));
    return described;
  }

  /** @param agent the host of a well-known agent, which has a count of its own in each network */
  async function count({ ip }: FastifyRequest, agent: string | null): Promise<void> {
    const { count: most, seconds } = settings.REGISTRATION_RATE;
    const name = `registration ${networkOf(ip)}${agent === null ? "" : ` ${agent}`}`;
    const tried = await store.attempts.add(name, seconds, Math.floor(now() / 1000));
    if (tried > most * (agent === null ? 1 : KNOWN_AGENT_FACTOR)) throw new TooManyClients(seconds);
  }

  async function change(request: FastifyRequest<ById>, reply: FastifyReply): Promise<FastifyReply> {
    const client = await clientOf(request);
    if (client === null) return unauthorized(reply);
    const metadata = readJson(request) as { client_id?: unknown };
    if (metadata?.client_id !== client.id) throw new InvalidMetadata("client_id must be the client's own");
    const described = readClientMetadata(metadata, client.type === "public" ? "none" : "client_secret_basic", rules);
    if (needsSecret(described) !== (client.secretHash !== null))
      throw new InvalidMetadata("how the client says who it is cannot be changed: register another one");
    const input = toClient(client.id, described, client.secretHash, client.registrationTokenHash);
    assertClient(input, rules.nativeSchemes);
    const changed = await store.clients.put(input);
    await told(request, changed, "changed itself");
    return reply.send(read(request, changed, described.authentication));
  }

  async function told(request: FastifyRequest, { id: clientId }: Client, detail: string): Promise<void> {
    const event = { event: "client", clientId, requestId: request.id } as const;
    log.info(event, detail);
    await audit.record({ ...event, result: "ok", address: request.ip, detail });
  }

  /** The client that the address names, if the request has its token. */
  async function clientOf(request: FastifyRequest<ById>): Promise<Client | null> {
    const { id } = request.params;
    const client = /^[\da-f]{1,64}$/.test(id) ? await store.clients.find(id) : null;
    const expected = client?.registrationTokenHash ?? null;
    if (client === null || expected === null || client.disabledAt !== null) return null;
    return equalInConstantTime(hashToken(bearer(request)), expected) ? client : null;
  }

  /** RFC 7592 section 3: with the token that the request has shown. */
  function read(request: FastifyRequest, client: Client, authentication?: Described["authentication"]): object {
    return { ...describe(client, authentication), registration_access_token: bearer(request) };
  }
}

type ById = { Params: { id: string } };

function needsSecret({ authentication }: Described): boolean {
  return authentication === "client_secret_basic" || authentication === "client_secret_post";
}

function toClient(
  id: string,
  { authentication, ...described }: Described,
  secretHash: string | null,
  registrationTokenHash: string | null,
): NewClient {
  const type = authentication === "none" ? "public" : "confidential";
  return { ...described, id, type, secretHash, firstParty: false, origin: "registration", registrationTokenHash };
}

function readJson({ headers, body }: FastifyRequest): unknown {
  if (!/^application\/json\s*(?:;|$)/i.test(headers["content-type"] ?? ""))
    throw new InvalidMetadata("the metadata must be application/json");
  try {
    return JSON.parse(Buffer.isBuffer(body) ? body.toString("utf8") : "");
  } catch {
    throw new InvalidMetadata("the metadata is not JSON");
  }
}

function bearer({ headers }: FastifyRequest): string {
  return /^bearer +([\w.~+/-]+=*) *$/i.exec(headers.authorization ?? "")?.[1] ?? "";
}

function unauthorized(reply: FastifyReply): FastifyReply {
  reply.header("www-authenticate", 'Bearer error="invalid_token"');
  return refuse(reply, 401, "invalid_token", "this needs the token of the registration");
}

function refuse(reply: FastifyReply, status: number, error: string, error_description: string): FastifyReply {
  return reply.code(status).send({ error, error_description });
}
