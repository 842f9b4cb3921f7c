import { openStdio } from "../../src/mcp/protocol/stdio.ts";
import { openFixtureService } from "./fixture-service.ts";

// Serves the fixtures over standard input and output, as `content-api mcp --stdio` serves posts.
let count = 0;
const write = (fields: object, message: string) =>
  void process.stderr.write(`${JSON.stringify({ ...fields, message })}\n`);
const service = openFixtureService();
const { ended } = openStdio({
  service,
  caller: { name: "caller" },
  refuse: ({ message }) => ({ status: 403, headers: {}, message }),
  log: { debug: write, info: write, warn: write, error: write },
  requestId: () => `request-${++count}`,
  ...{ input: process.stdin, output: process.stdout, maxMessage: 100_000 },
});
const timer = setInterval(() => service.change("test://watched-resource"), 20);
await ended;
clearInterval(timer);
