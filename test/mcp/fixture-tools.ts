import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { missingCapability } from "../../src/mcp/protocol/input-requests.ts";
import {
  type Call,
  CODES,
  type InputRequired,
  type Json,
  type JsonObject,
  ProtocolError,
  type ToolResult,
} from "../../src/mcp/protocol/service.ts";
import {
  audio,
  DEFAULTS,
  ENUMS,
  elicitation,
  embedded,
  image,
  object,
  ROOTS,
  sampling,
  text,
  WIDE_SCHEMA,
} from "./fixture-content.ts";

export interface FixtureTool {
  readonly inputSchema?: JsonObject;
  readonly outputSchema?: JsonObject;
  run(call: Call<unknown>, args: JsonObject): ToolResult | InputRequired | Promise<ToolResult | InputRequired>;
}

const stringOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");

const said = (value: string): ToolResult => ({ content: [text(value)] });

/** Answers once the client has answered all of these. */
function asking(requests: (args: JsonObject) => JsonObject, done: (answers: JsonObject) => string): FixtureTool["run"] {
  return ({ inputResponses }, args) => {
    const inputRequests = requests(args);
    const isAnswered = Object.keys(inputRequests).every((name) => inputResponses?.[name] !== undefined);
    return isAnswered ? said(done(inputResponses ?? {})) : { inputRequests };
  };
}

const key = randomBytes(32);

/** A state that only we can have written, with the round that it leads to. */
function sealed(round: string): string {
  return `${round}.${createHmac("sha256", key).update(round).digest("base64url")}`;
}

/** @throws ProtocolError invalidParams */
function opened(state: string): string {
  const round = state.slice(0, state.indexOf("."));
  const [given, right] = [Buffer.from(state), Buffer.from(sealed(round))];
  if (given.length === right.length && timingSafeEqual(given, right)) return round;
  throw new ProtocolError(CODES.invalidParams, "The requestState is not ours.");
}

const CONFIRM = { confirm: elicitation("Please confirm", object({ ok: { type: "boolean" } })) };
const NAME = elicitation("What is your name?", object({ name: { type: "string" } }));

const confirmed: FixtureTool["run"] = ({ requestState }) => {
  if (requestState === null) return { inputRequests: CONFIRM, requestState: sealed("confirmed") };
  opened(requestState);
  return said("state-ok");
};

async function log({ notify }: Call<unknown>, lines: readonly string[]): Promise<void> {
  for (const data of lines) {
    notify("notifications/message", { level: "info", logger: "fixture", data });
    await pause(20);
  }
}

/** The tools by which the conformance suite judges a transport; their names and texts are the suite's. */
export const FIXTURE_TOOLS: Readonly<Record<string, FixtureTool>> = {
  test_simple_text: { run: () => said("This is a simple text response for testing.") },
  test_image_content: { run: () => ({ content: [image] }) },
  test_audio_content: { run: () => ({ content: [audio] }) },
  test_embedded_resource: {
    run: () => ({
      content: [embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")],
    }),
  },
  test_multiple_content_types: {
    run: () => ({
      content: [
        text("Multiple content types test:"),
        image,
        embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
      ],
    }),
  },
  test_error_handling: {
    run: () => ({ isError: true, content: [text("This tool intentionally returns an error for testing")] }),
  },
  test_structured: {
    inputSchema: object({ count: { type: "integer" } }),
    outputSchema: object({ count: { type: "integer" } }),
    run: (_call, { count }) => ({
      content: [text(JSON.stringify({ count }))],
      structuredContent: { count: count ?? 0 },
    }),
  },
  test_tool_with_progress: {
    async run({ meta, notify }) {
      const progressToken = meta?.progressToken;
      for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
        notify("notifications/progress", { progressToken: progressToken ?? "", progress, total: 100 });
        await pause(20);
      }
      return said("Done.");
    },
  },
  test_tool_with_logging: {
    async run(call) {
      await log(call, ["Tool execution started", "Tool processing data", "Tool execution completed"]);
      return said("Done.");
    },
  },
  test_logging_tool: {
    async run(call) {
      if (call.meta?.["io.modelcontextprotocol/logLevel"] !== undefined) await log(call, ["Logged as asked."]);
      return said("Done.");
    },
  },
  test_sampling: {
    inputSchema: object({ prompt: { type: "string" } }),
    run: asking(
      ({ prompt }) => ({ answer: sampling(stringOf(prompt)) }),
      ({ answer }) => `LLM response: ${JSON.stringify(answer)}`,
    ),
  },
  test_elicitation: {
    inputSchema: object({ message: { type: "string" } }),
    run: asking(
      ({ message }) => ({
        user: elicitation(stringOf(message), object({ username: { type: "string" }, email: { type: "string" } })),
      }),
      ({ user }) => `User response: ${JSON.stringify(user)}`,
    ),
  },
  test_elicitation_sep1034_defaults: {
    run: asking(
      () => ({ form: elicitation("Please look at the defaults", DEFAULTS) }),
      ({ form }) => `Elicitation completed: ${JSON.stringify(form)}`,
    ),
  },
  test_elicitation_sep1330_enums: {
    run: asking(
      () => ({ form: elicitation("Please choose", ENUMS) }),
      ({ form }) => `Elicitation completed: ${JSON.stringify(form)}`,
    ),
  },
  test_streaming_elicitation: {
    run: asking(
      () => CONFIRM,
      () => "Confirmed.",
    ),
  },
  test_missing_capability: {
    run({ clientCapabilities }) {
      if (clientCapabilities.sampling === undefined) throw missingCapability({ sampling: {} });
      return said("The client can sample.");
    },
  },
  test_input_required_result_elicitation: {
    run: asking(
      () => ({ user_name: NAME }),
      (answers) => `Hello, ${JSON.stringify(answers.user_name)}!`,
    ),
  },
  test_input_required_result_sampling: {
    run: asking(
      () => ({ capital_question: sampling("What is the capital of France?") }),
      (answers) => `The client says ${JSON.stringify(answers.capital_question)}.`,
    ),
  },
  test_input_required_result_list_roots: {
    run: asking(
      () => ({ client_roots: ROOTS }),
      (answers) => `The roots are ${JSON.stringify(answers.client_roots)}.`,
    ),
  },
  test_input_required_result_request_state: { run: confirmed },
  test_input_required_result_tampered_state: { run: confirmed },
  test_input_required_result_multiple_inputs: {
    run({ requestState }) {
      const inputRequests = { user_name: NAME, greeting: sampling("Generate a greeting", 50), client_roots: ROOTS };
      if (requestState === null) return { inputRequests, requestState: sealed("answered") };
      opened(requestState);
      return said("All of it was answered.");
    },
  },
  test_input_required_result_multi_round: {
    run({ requestState }) {
      const round = requestState === null ? "first" : opened(requestState);
      if (round === "first") return { inputRequests: { step1: NAME }, requestState: sealed("second") };
      const color = elicitation("What is your favourite colour?", object({ color: { type: "string" } }));
      if (round === "second") return { inputRequests: { step2: color }, requestState: sealed("third") };
      return said("Both steps were answered.");
    },
  },
  test_input_required_result_capabilities: {
    run({ clientCapabilities }) {
      const inputRequests: Record<string, JsonObject> = {};
      if (clientCapabilities.elicitation !== undefined) inputRequests.user_name = NAME;
      if (clientCapabilities.sampling !== undefined) inputRequests.greeting = sampling("Generate a greeting");
      return { inputRequests, requestState: sealed("answered") };
    },
  },
  json_schema_2020_12_tool: { inputSchema: WIDE_SCHEMA, run: () => said("Done.") },
};
