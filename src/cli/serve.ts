import cluster from "node:cluster";
import { writeSync } from "node:fs";
import { Command } from "commander";
import { commandLine, commandOnPages } from "../config/command-line.ts";
import { type Config, describeVariables, readConfig } from "../config/config.ts";
import { loadUpstreams } from "../config/upstreams.ts";
import { demoEnvironment, fillDemo } from "./demo.ts";
import { openServiceManager } from "./service-manager.ts";
import { printLines } from "./terminal/output.ts";
import { reportToSupervisor, superviseWorkers, supervisorChannel } from "./workers.ts";

/** How long accepted requests may take to finish after SIGTERM before the process ends anyway. */
const DRAIN_MS = 10_000;

export function serveCommand(): Command {
  return new Command("serve")
    .description("runs the program")
    .option("--demo", "fill a database of its own (./data/demo.db) with demonstration people, posts and a client")
    .addHelpText("after", `\nSettings (environment, or the file .env):\n\n${describeVariables()}`)
    .action(serve);
}

async function serve(options: { demo?: boolean }): Promise<void> {
  const environment = options.demo ? demoEnvironment(process.env) : process.env;
  const config = readConfig(environment);
  const manager = openServiceManager(cluster.isPrimary ? process.env : {});
  if (config.WORKERS > 1 && cluster.isPrimary) {
    const notes = await prepare(config, options);
    const { setUpUrl } = await superviseWorkers(config.WORKERS, manager.stopping);
    manager.ready();
    process.once("exit", (code) => code === 0 && sayStopped());
    await printLines([...banner(config, setUpUrl, commandLine(environment)), ...notes]);
    return;
  }
  const notes = cluster.isPrimary && options.demo ? await prepare(config, options) : [];
  const { openApp } = await import("../app/app.ts");
  // Before anything is opened: it listens before it says so, and what has been accepted by then is answered as well.
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    manager.stopping();
    const delay = config.SHUTDOWN_DELAY * 1_000;
    setTimeout(() => process.exit(1), delay + DRAIN_MS).unref();
    const app = await opening.catch(() => null);
    await app?.close(delay);
    if (app !== null && cluster.isPrimary) sayStopped();
    if (process.connected) process.disconnect();
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  const channel = supervisorChannel();
  const command = commandOnPages(config, environment);
  const opening = openApp(config, { command, ...(channel !== undefined && { channel }) });
  const app = await opening;
  if (!stopping) manager.ready();
  if (cluster.isWorker) reportToSupervisor({ setUpUrl: app.setUpUrl }, stop);
  else await printLines([...banner(config, app.setUpUrl, commandLine(environment)), ...notes]);
}

/** After the last log line. Nobody may be there to read it: that is no failure. */
function sayStopped(): void {
  try {
    writeSync(1, "Stopped.\n");
  } catch {
    // The terminal is gone.
  }
}

/** Makes, migrates and fills the database once, however many workers there are. @returns lines for the terminal */
async function prepare(config: Config, options: { demo?: boolean }): Promise<string[]> {
  const { assertUsable } = await import("../app/usable.ts");
  await assertUsable(config, loadUpstreams(config, process.env));
  const { openStore } = await import("../storage/open.ts");
  await (await openStore(config.DATABASE_URL)).close();
  return options.demo ? fillDemo(config) : [];
}

function banner(config: Config, setUpUrl: string | null, command: string): string[] {
  const addresses = [
    ["Start page", `${config.BASE_URL}/`],
    ...(config.STUDIO ? [["Studio", `${config.BASE_URL}/studio`]] : []),
    ["GraphQL", `${config.BASE_URL}/graphql`],
    ...(config.MCP === "off" ? [] : [["Agents", `${config.BASE_URL}/mcp`]]),
    ["Discovery", `${config.AUTH_URL}/.well-known/openid-configuration`],
  ];
  const lines = [
    "",
    `${config.OPERATOR_NAME} is ready.`,
    "",
    ...addresses.map(([name = "", url = ""]) => `  ${name.padEnd(10)}  ${url}`),
    "",
    "Commands, in a second terminal in this folder:",
    "",
    `  ${command} --help`,
    "",
  ];
  return setUpUrl === null
    ? lines
    : [
        ...lines,
        "There is nobody yet. Become the administrator at this address, which works once:",
        "",
        `  ${setUpUrl}`,
        "",
      ];
}
