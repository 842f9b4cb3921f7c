import { isPrivilegedScope, type Scope, withImplied } from "./scopes.ts";

interface LevelRow {
  /** Its name on pages. */
  readonly title: string;
  /** What it means, in one line. */
  readonly meaning: string;
  /** The scopes that it has beyond the level before. */
  readonly adds: readonly Scope[];
}

/** How far an agent may go for a person, the lowest level first. Each has all of the one before. */
const LEVELS = {
  read: {
    title: "Read",
    meaning: "It sees posts, your drafts and people's names. It changes nothing.",
    adds: ["posts:read", "users:read"],
  },
  draft: {
    title: "Read and write drafts",
    meaning: "It also writes drafts. You publish them yourself.",
    adds: ["posts:draft"],
  },
  write: {
    title: "Read, write, publish and delete",
    meaning: "It also publishes, changes and deletes your posts. Everybody sees that immediately.",
    adds: ["posts:write"],
  },
} as const satisfies Record<string, LevelRow>;

export type AgentLevel = keyof typeof LEVELS;

/** The lowest first. */
export const AGENT_LEVELS = Object.keys(LEVELS) as readonly AgentLevel[];

/** The scopes that a level decides about. */
export const LEVEL_SCOPES: ReadonlySet<string> = new Set(
  AGENT_LEVELS.flatMap((level): readonly Scope[] => LEVELS[level].adds),
);

/** The level that an agent has by default. */
export const USUAL_LEVEL: AgentLevel = "draft";

/** All scopes of a level. */
export function scopesOfLevel(level: AgentLevel): readonly Scope[] {
  return AGENT_LEVELS.slice(0, AGENT_LEVELS.indexOf(level) + 1).flatMap((each): readonly Scope[] => LEVELS[each].adds);
}

export function titleOfLevel(level: AgentLevel): string {
  return LEVELS[level].title;
}

export function meaningOfLevel(level: AgentLevel): string {
  return LEVELS[level].meaning;
}

/** The highest level that has one of these scopes; null where none has. */
export function levelOf(scopes: Iterable<string>): AgentLevel | null {
  const held = new Set(scopes);
  return AGENT_LEVELS.findLast((level) => LEVELS[level].adds.some((scope) => held.has(scope))) ?? null;
}

/** One answer of a person to what an agent asks for. */
export interface AgentChoice {
  readonly level: AgentLevel;
  /** Everything that the agent gets then. */
  readonly scopes: readonly string[];
  /** The scopes of other answers that the agent does not get then. */
  readonly declined: readonly string[];
}

/**
 * The answers that a person may give, the lowest level first; none where the agent asks for nothing that has a level. Scopes
 * without a level stay in each of them, but privileged ones in none: an agent reads the texts of strangers.
 *
 * @param asked the scopes that the agent asks for. A client that asks for posts:write may be given posts:draft instead
 */
export function agentChoices(asked: readonly string[]): readonly AgentChoice[] {
  const besides = asked.filter((scope) => !LEVEL_SCOPES.has(scope) && !isPrivilegedScope(scope));
  const has = (scope: Scope, level: AgentLevel) =>
    asked.includes(scope) || (scope === "posts:draft" && level === "draft" && asked.includes("posts:write"));
  return AGENT_LEVELS.filter((level) => LEVELS[level].adds.some((scope) => has(scope, level))).map((level) => {
    const scopes = [...besides, ...scopesOfLevel(level).filter((scope) => has(scope, level))];
    const held = withImplied(scopes);
    return {
      level,
      scopes,
      declined: withImplied(asked).filter((scope) => LEVEL_SCOPES.has(scope) && !held.includes(scope)),
    };
  });
}

/**
 * The choice that is marked before the person has chosen: the highest that is not above the level they agreed to before.
 *
 * @param choices at least one
 * @param agreed null where they have agreed to none yet
 */
export function markedChoice(choices: readonly AgentChoice[], agreed: AgentLevel | null): AgentChoice {
  const most = AGENT_LEVELS.indexOf(agreed ?? USUAL_LEVEL);
  const within = choices.findLast(({ level }) => AGENT_LEVELS.indexOf(level) <= most);
  return (within ?? choices[0]) as AgentChoice;
}
