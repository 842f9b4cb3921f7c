import { type Command, CommanderError } from "commander";
import { programName } from "../../config/command-line.ts";
import { VARIABLES } from "../../config/variables.ts";

/** Methods of commander that its types leave out. */
interface Reporting {
  unknownOption(flag: string): never;
}

/** How a command was used wrongly, in three lines: the error, what may help, and where the help is. */
export function usageLines(program: Command, argv: readonly string[], error: CommanderError): string[] {
  const command = commandOf(program, argv);
  const { message, suggestion } = split(unknownBeforeMissing(command, argv, error));
  return [message, suggestion ?? hintFor(command, argv, message), `Help: ${nameOf(command)} --help`];
}

/** The innermost command that the words name. */
function commandOf(program: Command, argv: readonly string[]): Command {
  let command = program;
  for (const word of argv) {
    const child = command.commands.find((candidate) => candidate.name() === word);
    if (child === undefined) break;
    command = child;
  }
  return command;
}

/** A misspelt option is often why another one is missing, so it comes first. */
function unknownBeforeMissing(command: Command, argv: readonly string[], error: CommanderError): CommanderError {
  if (!/^commander\.(missing|optionMissing|conflicting)/.test(error.code)) return error;
  const unknown = command.parseOptions([...argv]).unknown.find((word) => /^-./.test(word));
  if (unknown === undefined) return error;
  try {
    return (command as Command & Reporting).unknownOption(unknown.replace(/=.*/s, ""));
  } catch (better) {
    if (better instanceof CommanderError) return better;
    throw better;
  }
}

function split({ message }: CommanderError): { message: string; suggestion: string | undefined } {
  const [first = "", second] = message.split("\n");
  return { message: first, suggestion: second?.replace(/^\((.*)\)$/, "$1") };
}

function hintFor(command: Command, argv: readonly string[], message: string): string {
  const flag = /unknown option '--([a-z-]+)/.exec(message)?.[1] ?? "";
  const setting = flag.replaceAll("-", "_").toUpperCase();
  if (Object.hasOwn(VARIABLES, setting)) {
    const value = valueAfter(argv, `--${flag}`);
    return `Settings are environment variables: set ${setting}, as in ${setting}=${value} ${nameOf(command)}`;
  }
  if (command.commands.length > 0) return `Commands: ${command.commands.map((child) => child.name()).join(", ")}`;
  const wanted = command.options.filter(({ mandatory }) => mandatory).map(({ flags }) => flags);
  return `Usage: ${[nameOf(command), ...command.registeredArguments.map((one) => `<${one.name()}>`), ...wanted, "[options]"].join(" ")}`;
}

function valueAfter(argv: readonly string[], flag: string): string {
  const at = argv.findIndex((word) => word === flag || word.startsWith(`${flag}=`));
  const value = argv[at]?.includes("=") ? argv[at].slice(flag.length + 1) : argv[at + 1];
  return value === undefined || !/^[\w./:@-]+$/.test(value) || value.startsWith("-") ? "…" : value;
}

function nameOf(command: Command): string {
  return command.parent === null ? programName() : `${nameOf(command.parent)} ${command.name()}`;
}
