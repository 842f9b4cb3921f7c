import { Command } from "commander";
import { type Config, describeVariables, readConfig } from "../config.ts";

/** How long accepted requests may take to finish after SIGTERM before the process ends anyway. */
const DRAIN_MS = 10_000;

export function serveCommand(): Command {
  return new Command("serve")
    .description("runs the program")
    .option("--demo", "fill an empty database with demonstration people, posts and clients")
    .addHelpText("after", `\nSettings (environment, or the file .env):\n\n${describeVariables()}`)
    .action(serve);
}

async function serve(options: { demo?: boolean }): Promise<void> {
  const config = readConfig(process.env);
  const { openApp } = await import("../app.ts");
  const demo = options.demo ? await import("./demo.ts") : null;
  const notes = demo === null ? [] : await demo.fillDemo(config);
  const app = await openApp(config, { demo: demo !== null });
  for (const line of [...banner(config, app.setUpUrl), ...notes]) console.log(line);

  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), DRAIN_MS).unref();
    await app.close();
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}

function banner(config: Config, setUpUrl: string | null): string[] {
  const addresses = [
    ["Start page", `${config.BASE_URL}/`],
    ["GraphQL", `${config.BASE_URL}/graphql`],
    ["Discovery", `${config.AUTH_URL}/.well-known/openid-configuration`],
  ];
  const lines = [
    "",
    `${config.OPERATOR_NAME} is ready.`,
    "",
    ...addresses.map(([name = "", url = ""]) => `  ${name.padEnd(10)}  ${url}`),
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
