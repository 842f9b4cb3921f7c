import { assertCapable, isInputRequired, requestsIn } from "./input-requests.ts";
import { isObject } from "./json.ts";
import { openResultTexts } from "./results.ts";
import { agreedVersion, SUPPORTED } from "./revision.ts";
import {
  type Call,
  CODES,
  type Era,
  type InputRequired,
  type JsonObject,
  type McpService,
  ProtocolError,
  type ReadyResult,
  type Tool,
} from "./service.ts";

/** A request that is about to run. */
interface Running<Caller> {
  readonly era: Era;
  readonly method: string;
  readonly params: JsonObject;
  readonly call: Call<Caller>;
  /** Sends a request to a client of the handshake era. @throws ProtocolError without a good answer */
  readonly ask: (method: string, params: JsonObject) => Promise<JsonObject>;
}

/** @returns JSON of the result */
type Method<Caller> = (running: Running<Caller>) => string | Promise<string>;

export interface Methods<Caller> {
  /**
   * Runs one request, whatever it came over. `subscriptions/listen` is not among the methods: it has no one result.
   *
   * @returns JSON of the result
   * @throws ProtocolError, and what the service throws
   */
  run(running: Running<Caller>): string | Promise<string>;
}

/** Milliseconds for which clients may keep what changes with a new release, and what changes with a grant. */
const [RELEASE_TTL, GRANT_TTL] = [300_000, 60_000];
const PUBLIC = { ttlMs: RELEASE_TTL, cacheScope: "public" } as const;
const OF_GRANT = { ttlMs: GRANT_TTL, cacheScope: "private" } as const;
const STALE = { ttlMs: 0, cacheScope: "private" } as const;

/** Times that a service may ask a client of the handshake era within one request. */
const MAX_ROUNDS = 8;

/** Code of earlier revisions for a resource that there is not. */
const RESOURCE_NOT_FOUND = -32_002;

export function openMethods<Caller>(service: McpService<Caller>): Methods<Caller> {
  const { name, title, version } = service.info;
  const info = { name, title, version };
  const text = openResultTexts(info);
  const others = { stateless: service.otherMethods?.("stateless"), handshake: service.otherMethods?.("handshake") };
  const prompts = JSON.stringify({ prompts: service.prompts });
  const templates = JSON.stringify({ resourceTemplates: service.resourceTemplates });
  const promptsByName = new Map(service.prompts.map((prompt) => [prompt.name, prompt]));
  /** By list: a service has few, one for each kind of grant. */
  const toolLists = new WeakMap<readonly Tool[], string>();
  const discovery = text.complete(
    "stateless",
    JSON.stringify({
      supportedVersions: SUPPORTED,
      capabilities: capabilities("stateless"),
      instructions: service.instructions,
    }),
    PUBLIC,
  );

  function capabilities(era: Era): JsonObject {
    const listens = era === "stateless" && service.listen !== undefined;
    return { tools: {}, prompts: {}, resources: listens ? { subscribe: true } : {}, ...others[era]?.capabilities };
  }

  /** Runs what may ask the client back. */
  async function run<Result extends object>(
    { era, call, ask }: Running<Caller>,
    work: (call: Call<Caller>) => Result | InputRequired | Promise<Result | InputRequired>,
  ): Promise<string> {
    let result = await work(call);
    for (let round = 1; isInputRequired(result); round++) {
      if (era === "stateless") {
        assertCapable(result, call.clientCapabilities);
        return text.inputRequired(JSON.stringify(result));
      }
      if (round > MAX_ROUNDS) throw new Error("The service asks without end.");
      const inputResponses: Record<string, JsonObject> = {};
      for (const { name, method, params } of requestsIn(result.inputRequests))
        inputResponses[name] = await ask(method, params);
      result = await work({ ...call, inputResponses, requestState: result.requestState ?? null });
    }
    return isReady(result) ? text.ready(era, result.members) : text.complete(era, JSON.stringify(result));
  }

  const shared: Readonly<Record<string, Method<Caller>>> = {
    async "tools/list"({ era, params, call }) {
      assertNoCursor(params);
      const tools = await service.listTools(call);
      let list = toolLists.get(tools);
      if (list === undefined) {
        list = JSON.stringify({ tools });
        toolLists.set(tools, list);
      }
      return text.complete(era, list, OF_GRANT);
    },
    "tools/call"(running) {
      const tool = stringOf(running.params, "name");
      const args = running.params.arguments ?? {};
      if (!isObject(args)) throw invalid("The arguments must be a JSON object.");
      return run(running, (call) => service.callTool(call, tool, args));
    },
    async "resources/list"({ era, params, call }) {
      assertNoCursor(params);
      return text.complete(era, JSON.stringify({ resources: await service.listResources(call) }), STALE);
    },
    "resources/templates/list"({ era, params }) {
      assertNoCursor(params);
      return text.complete(era, templates, PUBLIC);
    },
    async "resources/read"({ era, params, call }) {
      const uri = stringOf(params, "uri");
      try {
        return text.complete(era, JSON.stringify({ contents: await service.readResource(call, uri) }), STALE);
      } catch (error) {
        if (era === "handshake" && error instanceof ProtocolError && error.code === CODES.invalidParams)
          throw new ProtocolError(RESOURCE_NOT_FOUND, error.message, { data: error.data });
        throw error;
      }
    },
    "prompts/list"({ era, params }) {
      assertNoCursor(params);
      return text.complete(era, prompts, PUBLIC);
    },
    "prompts/get"(running) {
      const prompt = promptsByName.get(stringOf(running.params, "name"));
      if (prompt === undefined) throw invalid("There is no such prompt.");
      const args = promptArguments(running.params.arguments ?? {});
      const missing = prompt.arguments.find(({ name, required }) => required && args[name] === undefined);
      if (missing !== undefined) throw invalid(`The argument ${missing.name} is missing.`);
      return run(running, (call) => service.getPrompt(call, prompt.name, args));
    },
  };

  const methods: Readonly<Record<Era, Readonly<Record<string, Method<Caller>>>>> = {
    stateless: { ...shared, "server/discover": () => discovery, ...otherMethods("stateless") },
    handshake: {
      ...shared,
      ping: () => "{}",
      initialize: ({ params }) =>
        JSON.stringify({
          protocolVersion: agreedVersion(params),
          capabilities: capabilities("handshake"),
          serverInfo: info,
          instructions: service.instructions,
        }),
      ...otherMethods("handshake"),
    },
  };

  function otherMethods(era: Era): Record<string, Method<Caller>> {
    const entries = Array.from(others[era]?.methods ?? [], ([method, work]): [string, Method<Caller>] => [
      method,
      async ({ call, params }) => text.complete(era, JSON.stringify(await work(call, params))),
    ]);
    return Object.fromEntries(entries);
  }

  return {
    run(running) {
      const ofEra = methods[running.era];
      const method = Object.hasOwn(ofEra, running.method) ? ofEra[running.method] : undefined;
      if (method === undefined) throw new ProtocolError(CODES.methodNotFound, "This server does not know that method.");
      return method(running);
    },
  };
}

function isReady(result: object): result is ReadyResult {
  return "members" in result;
}

function stringOf(params: JsonObject, name: string): string {
  const value = params[name];
  if (typeof value !== "string") throw invalid(`The parameter ${name} must be a string.`);
  return value;
}

function promptArguments(args: unknown): { readonly [name: string]: string } {
  if (!isObject(args) || Object.values(args).some((value) => typeof value !== "string"))
    throw invalid("The arguments must be a JSON object of strings.");
  return args as { readonly [name: string]: string };
}

/** Lists are whole: no page has a cursor to the next. */
function assertNoCursor({ cursor }: JsonObject): void {
  if (cursor !== undefined) throw invalid("There is no page with that cursor.");
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(CODES.invalidParams, message);
}
