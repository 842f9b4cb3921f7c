import { Argument, Command } from "commander";
import { printLines } from "./terminal/output.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

/** A command by its words, with the words that can follow it. */
interface Choice {
  /** Such as `user create`; empty for the program itself. */
  readonly path: string;
  /** Whether operands, such as an e-mail address, follow and not another command. */
  readonly isLast: boolean;
  readonly next: readonly { readonly word: string; readonly help: string }[];
}

/** Prints a script that completes commands and options; it is made of the commands themselves. */
export function completionCommand(program: Command): Command {
  return new Command("completion")
    .description("prints a script that completes commands in a shell")
    .addArgument(new Argument("<shell>", "shell that runs the script").choices(SHELLS))
    .addHelpText(
      "after",
      [
        "",
        "bash: add to ~/.bashrc:  source <(bin/content-api completion bash)",
        "zsh:  add to ~/.zshrc:   source <(bin/content-api completion zsh)",
        "fish: run once:          bin/content-api completion fish > ~/.config/fish/completions/content-api.fish",
      ].join("\n"),
    )
    .action((shell: Shell) => printLines(SCRIPTS[shell](choicesOf(program, []))));
}

function choicesOf(command: Command, path: readonly string[]): Choice[] {
  const options = command.options.flatMap(({ long, description }) =>
    long == null ? [] : [{ word: long, help: description }],
  );
  const next = [
    ...command.commands.map((child) => ({ word: child.name(), help: child.description() })),
    ...command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices.map((word) => ({ word, help: "" }))),
    ...options,
    { word: "--help", help: "prints the help" },
  ];
  return [
    { path: path.join(" "), isLast: command.commands.length === 0, next },
    ...command.commands.flatMap((child) => choicesOf(child, [...path, child.name()])),
  ];
}

/** Bash and zsh call the function with the words so far; zsh by its own bash emulation. */
function bash(choices: readonly Choice[]): string[] {
  return [
    "_content_api() {",
    "  local path='' word",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's
    '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
    '    case "$word" in -*) break ;; esac',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's
    '    path="${path:+$path }$word"',
    "  done",
    "  local next=''",
    '  case "$path" in',
    ...choices.map(
      ({ path, isLast, next }) =>
        `    '${path}'${isLast ? `|'${path} '*` : ""}) next='${next.map(({ word }) => word).join(" ")}' ;;`,
    ),
    "  esac",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's
    '  COMPREPLY=($(compgen -W "$next" -- "${COMP_WORDS[COMP_CWORD]}"))',
    "}",
    "complete -o default -F _content_api content-api bin/content-api ./bin/content-api",
  ];
}

function zsh(choices: readonly Choice[]): string[] {
  return ["autoload -Uz compinit bashcompinit && compinit && bashcompinit", ...bash(choices)];
}

function fish(choices: readonly Choice[]): string[] {
  return [
    "function __content_api_path",
    "  set -l words (commandline -opc)",
    "  string join ' ' (string match -v -- '-*' $words[2..-1])",
    "end",
    "complete -c content-api -f",
    ...choices.flatMap(({ path, isLast, next }) =>
      next.map(({ word, help }) => {
        const condition = `string match -qr -- '^${path}${isLast ? "( |$)" : "$"}' (__content_api_path)`;
        const what = word.startsWith("--") ? `-l ${word.slice(2)}` : `-a ${word}`;
        return `complete -c content-api -n ${fishWord(condition)} ${what} -d ${fishWord(help)}`;
      }),
    ),
  ];
}

function fishWord(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

const SCRIPTS: { readonly [S in Shell]: (choices: readonly Choice[]) => string[] } = { bash, zsh, fish };
