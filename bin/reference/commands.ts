import type { Command, Option } from "commander";
import { EXIT_CODES } from "../../src/cli/terminal/exit-codes.ts";
import { programName } from "../../src/config/command-line.ts";
import { openProgram } from "../../src/main.ts";
import { code, codes, head, type Page, plain, table } from "./markdown.ts";
import type { Since } from "./since.ts";

interface NamedCommand {
  /** Its words, such as `user create`; empty for the program itself. */
  readonly path: string;
  readonly command: Command;
}

const NAME = "content-api";

/** The program as its help prints it in a checkout. */
export function openedProgram(): Command {
  return openProgram(NAME);
}

/** Every command, in the order of the help. */
export function commandsIn(command: Command, path = ""): NamedCommand[] {
  return [
    { path, command },
    ...command.commands.flatMap((child) => commandsIn(child, `${path} ${child.name()}`.trim())),
  ];
}

const INTRODUCTION = `Every command of \`bin/content-api\`, with its arguments and options. Commands read the same
[settings](settings.md) as the server. \`--help\` after a command prints the same facts.
[Deployment](../deployment.md#commands) explains when to use which.`;

export function commandsPage(since: Since): Page {
  const named = commandsIn(openedProgram());
  const sections = named.map(({ path, command }) => describe(path, command, since));
  const exits = table(
    ["code", "meaning"],
    Object.values(EXIT_CODES).map(({ code: number, meaning }) => [code(String(number)), meaning]),
  );
  const text = [head("Commands", ["src/main.ts", "src/cli"], INTRODUCTION), "## Exit codes\n", exits, ...sections].join(
    "\n",
  );
  return { name: "commands", text };
}

function describe(path: string, command: Command, since: Since): string {
  const title = `${NAME} ${path}`.trim();
  const children = command.commands.map((child) => {
    const childPath = `${path} ${child.name()}`.trim();
    return [`[${childPath}](#${anchor(`${NAME} ${childPath}`)})`, sentence(child.description())];
  });
  const operands = command.registeredArguments.map((argument) => [
    code(argument.required ? `<${argument.name()}>` : `[${argument.name()}]`),
    plain(argument.description),
    codes(argument.argChoices ?? []),
    argument.defaultValue === undefined ? "" : code(shown(argument.defaultValue)),
  ]);
  const options = command.options.map((option) => [
    code(option.flags),
    meaning(option),
    defaultOf(option),
    since("commands", path, option.long ?? option.short ?? ""),
  ]);
  return [
    `## ${title}\n`,
    `${sentence(command.description())}${afterwards(command)}\n`,
    `Usage: ${code(`${title} ${command.usage()}`)}. Since ${since("commands", path, ".")}.\n`,
    table(["command", "does"], children),
    table(["argument", "meaning", "choices", "default"], operands),
    table(["option", "meaning", "default", "since"], options),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

/** The anchor that GitHub gives a heading. */
function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, "")
    .replaceAll(" ", "-");
}

function meaning({ description, argChoices, mandatory }: Option): string {
  const choices = argChoices === undefined ? "" : `. One of ${codes(argChoices)}`;
  return `${plain(description)}${choices}${mandatory ? ". Required" : ""}`;
}

function defaultOf({ defaultValue, defaultValueDescription }: Option): string {
  if (defaultValueDescription !== undefined) return plain(defaultValueDescription);
  return defaultValue === undefined || (Array.isArray(defaultValue) && defaultValue.length === 0)
    ? ""
    : code(shown(defaultValue));
}

function shown(value: unknown): string {
  return Array.isArray(value) ? value.join(" ") : String(value);
}

function sentence(text: string): string {
  return text === "" ? "" : plain(`${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, "")}.`);
}

/** The paragraph that the help prints at its end; the settings below `serve` have a page of their own. */
function afterwards(command: Command): string {
  if (command.name() === "serve") return " Settings: [settings.md](settings.md).";
  let printed = "";
  command.configureOutput({ writeOut: (text) => (printed += text) });
  command.outputHelp();
  const [, rest = ""] = printed.replaceAll(programName(), NAME).split(command.helpInformation());
  const lines = rest.trim().split("\n");
  if (rest.trim() === "") return "";
  return lines.length === 1
    ? ` ${plain(rest.trim())}`
    : `\n\n${lines.map((line) => `- ${code(line.trim())}`).join("\n")}`;
}
