/** The exit codes of every command, each with its meaning for operators and scripts. */
export const EXIT_CODES = {
  done: { code: 0, meaning: "The command has done its work." },
  failed: {
    code: 1,
    meaning:
      "The command failed, and standard error says why. `doctor`, `healthcheck`, `upstream test` and `webhook test` found a fault.",
  },
  misused: {
    code: 2,
    meaning: "The command was used wrongly: an unknown option, a malformed value, or a setting that cannot work.",
  },
  expandOnly: {
    code: 3,
    meaning: "`upgrade --check`: the database needs an upgrade, and older nodes go on during it.",
  },
  needsStop: { code: 4, meaning: "`upgrade --check`: the database needs an upgrade, and all nodes must stop for it." },
  interrupted: { code: 130, meaning: "Somebody pressed Ctrl+C at a question." },
} as const;
