import { AppError } from "../../src/domain/errors.ts";
import {
  CODES,
  type Era,
  type JsonObject,
  type McpService,
  type OtherMethods,
  type Prompt,
  ProtocolError,
  type Tool,
} from "../../src/mcp/protocol/service.ts";
import { elicitation, embedded, image, object, resourceAt, text } from "./fixture-content.ts";
import { FIXTURE_TOOLS } from "./fixture-tools.ts";

const NO_ARGUMENTS: JsonObject = { type: "object", properties: {}, additionalProperties: false };

const TOOLS: readonly Tool[] = Object.entries(FIXTURE_TOOLS).map(([name, { inputSchema, outputSchema }]) => ({
  name,
  title: name.replaceAll("_", " "),
  description: `The conformance suite's ${name}.`,
  inputSchema: inputSchema ?? NO_ARGUMENTS,
  ...(outputSchema === undefined ? {} : { outputSchema }),
}));

const prompt = (name: string, ...names: readonly string[]): Prompt => ({
  name,
  title: name.replaceAll("_", " "),
  description: `The conformance suite's ${name}.`,
  arguments: names.map((argument) => ({ name: argument, description: `The ${argument}.`, required: true })),
});

const user = (content: JsonObject): JsonObject => ({ role: "user", content });

/** A caller of the fixture server. */
export interface FixtureCaller {
  readonly name: string;
}

export interface FixtureService extends McpService<FixtureCaller> {
  /** Tells everybody who listens to the resource. */
  change(uri: string): void;
  /** Ends what listens, as the end of a token does. */
  endListening(): void;
  /** The number of listeners. */
  readonly listening: number;
}

/** The content for the conformance suite and the clients of the tests. Tools named `fail_…` throw. */
export function openFixtureService(): FixtureService {
  const listeners = new Set<{ readonly uris: ReadonlySet<string>; updated(uri: string): void; ended(): void }>();
  return {
    info: { name: "fixture", title: "Fixture", version: "1.0.0" },
    instructions: "Serves the fixtures of the conformance suite.",
    listTools: () => TOOLS,
    callTool(call, name, args) {
      if (name === "fail_scope") throw new AppError("FORBIDDEN", "The token lacks a scope.", { scopes: ["a", "b"] });
      if (name === "fail_rate") throw new AppError("RATE_LIMITED", "Too many requests.", { retryAfter: 7 });
      if (name === "fail_busy") throw new AppError("UNAVAILABLE", "The server is busy.", { retryAfter: 1 });
      if (name === "fail_bug") throw new Error("secret detail");
      if (name === "fail_late") {
        call.notify("notifications/progress", { progressToken: "t", progress: 1 });
        throw new AppError("RATE_LIMITED", "Too many requests.", { retryAfter: 7 });
      }
      if (name === "test_trace") return { content: [text(String(call.traceparent))] };
      const tool = Object.hasOwn(FIXTURE_TOOLS, name) ? FIXTURE_TOOLS[name] : undefined;
      if (tool === undefined) throw new ProtocolError(CODES.invalidParams, "There is no such tool.");
      return tool.run(call, args);
    },
    resourceTemplates: [
      {
        uriTemplate: "test://template/{id}/data",
        name: "template",
        title: "Template",
        description: "Data by id.",
        mimeType: "application/json",
      },
    ],
    listResources: () => [
      { uri: "test://static-text", name: "text", mimeType: "text/plain" },
      { uri: "test://static-binary", name: "binary", mimeType: "image/png" },
    ],
    readResource(_call, uri) {
      const resource = resourceAt(uri);
      if (resource === null) throw new ProtocolError(CODES.invalidParams, "Resource not found", { data: { uri } });
      return [resource];
    },
    prompts: [
      prompt("test_simple_prompt"),
      prompt("test_prompt_with_arguments", "arg1", "arg2"),
      prompt("test_prompt_with_embedded_resource", "resourceUri"),
      prompt("test_prompt_with_image"),
      prompt("test_input_required_result_prompt"),
    ],
    getPrompt({ inputResponses }, name, { arg1, arg2, resourceUri = "" }) {
      const description = `The conformance suite's ${name}.`;
      switch (name) {
        case "test_prompt_with_arguments":
          return { description, messages: [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))] };
        case "test_prompt_with_embedded_resource": {
          const resource = embedded(resourceUri, "text/plain", "Embedded resource content for testing.");
          return { description, messages: [user(resource), user(text("Please process the resource above."))] };
        }
        case "test_prompt_with_image":
          return { description, messages: [user(image), user(text("Please analyze the image above."))] };
        case "test_input_required_result_prompt": {
          if (inputResponses?.user_context !== undefined)
            return { description, messages: [user(text(JSON.stringify(inputResponses.user_context)))] };
          const schema = object({ context: { type: "string" } });
          return { inputRequests: { user_context: elicitation("What context should the prompt use?", schema) } };
        }
        default:
          return { description, messages: [user(text("This is a simple prompt for testing."))] };
      }
    },
    otherMethods,
    async listen(_call, uris, updated, ended) {
      const known = uris.filter((uri) => resourceAt(uri) !== null);
      const listener = { uris: new Set(known), updated, ended };
      listeners.add(listener);
      return { uris: known, end: () => void listeners.delete(listener) };
    },
    change(uri) {
      for (const listener of listeners) if (listener.uris.has(uri)) listener.updated(uri);
    },
    endListening() {
      for (const { ended } of listeners) ended();
    },
    get listening() {
      return listeners.size;
    },
  };
}

/** Methods of the suite that no product of ours has. */
function otherMethods(era: Era): OtherMethods<FixtureCaller> {
  const complete = () => ({ completion: { values: ["test"], total: 1, hasMore: false } });
  if (era === "stateless")
    return { capabilities: { completions: {} }, methods: new Map([["completion/complete", complete]]) };
  return {
    capabilities: { completions: {}, logging: {}, resources: { subscribe: true } },
    methods: new Map<string, () => JsonObject>([
      ["completion/complete", complete],
      ["logging/setLevel", () => ({})],
      ["resources/subscribe", () => ({})],
      ["resources/unsubscribe", () => ({})],
    ]),
  };
}
