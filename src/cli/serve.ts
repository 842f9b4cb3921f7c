import cluster from "node:cluster";
import { writeSync } from "node:fs";
import { Command } from "commander";
import { commandLine, commandOnPages } from "../config/command-line.ts";
import { type Config, describeVariables, readConfig } from "../config/config.ts";
import { loadUpstreams } from "../config/upstreams.ts";
import { openListeners } from "../http/listener.ts";
import { openLog } from "../observe/log.ts";
import { runAlone } from "./alone.ts";
import { demoEnvironment, fillDemo } from "./demo.ts";
import { takeInheritedSockets } from "./inherited-sockets.ts";
import { openServiceManager } from "./service-manager.ts";
import { followSignals } from "./signals.ts";
import { reportToPredecessor } from "./successor.ts";
import { printLines } from "./terminal/output.ts";
import {
  followSupervisor,
  leaveSupervisor,
  listenersOfSupervisor,
  superviseWorkers,
  supervisorChannel,
} from "./workers.ts";

export function serveCommand(): Command {
  return new Command("serve")
    .description("runs the program")
    .option("--demo", "fill a database of its own (./data/demo.db) with demonstration people, posts and a client")
    .addHelpText("after", `\n${SIGNALS}\n\nSettings (environment, or the file .env):\n\n${describeVariables()}`)
    .action(serve);
}

const SIGNALS = `Signals: SIGTERM and SIGINT stop it. SIGHUP restarts it under systemd, without a refused connection.`;

async function serve(options: { demo?: boolean }): Promise<void> {
  const environment = options.demo ? demoEnvironment(process.env) : process.env;
  const config = readConfig(environment);
  const command = commandOnPages(config, environment);
  if (cluster.isWorker) {
    const listeners = listenersOfSupervisor(config.OPERATIONS_PORT !== null);
    const running = runAlone(config, { command, listeners, channel: supervisorChannel() }, leaveSupervisor);
    process.on("SIGTERM", running.stop);
    process.on("SIGINT", running.stop);
    process.on("SIGHUP", () => {}); // it is the supervisor's; a terminal sends it to all
    return followSupervisor(running);
  }
  const inherited = takeInheritedSockets(process.env, process);
  const isSuccessor = process.connected && inherited.main.length > 0;
  const isAlone = config.WORKERS === 1;
  const listeners = openListeners(config, inherited, !isAlone);
  const manager = openServiceManager(process.env);
  const notes = options.demo || !isAlone ? await prepare(config, options) : [];
  const running = isAlone
    ? runAlone(config, { command, listeners }, (isHandedOver) => isHandedOver || sayStopped())
    : superviseWorkers(config, listeners);
  const signals = followSignals({ running, listeners, manager, log: openLog(config) });
  const setUpUrl = await running.setUpUrl;
  signals.ready(isSuccessor);
  if (isSuccessor) reportToPredecessor();
  if (!isAlone) process.once("exit", (code) => code === 0 && !signals.isReplaced() && sayStopped());
  await printLines([...banner(config, setUpUrl, commandLine(environment)), ...notes]);
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
  await (await openStore(config.DATABASE_URL, { engine: config })).close();
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
