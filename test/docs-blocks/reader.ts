import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { readConfig } from "../../src/config/config.ts";
import { VARIABLES } from "../../src/config/variables.ts";
import { freePort } from "../port.ts";
import { type Block, ROOT } from "./blocks.ts";
import { assertOutput } from "./output.ts";
import { openPerson } from "./person.ts";
import { openReaderServer } from "./reader-server.ts";
import { readStatements, startOf } from "./statements.ts";
import { openTerminal } from "./terminal.ts";
import { openValues } from "./values.ts";

/** A clone, without the minute that installing takes (test/e2e/fresh-clone.slow.ts). */
const CLONE = ["bin", "deploy", "node_modules", "package.json", "schema.graphql", ".env.example"];

/** The place of a reader. */
export interface Place {
  readonly baseUrl: string;
  readonly folder: string;
  /** A port that is free, for a program of the reader. */
  readonly port: number;
}

export interface ReaderOptions {
  /** The reason why this machine cannot run the document; null when it can. */
  readonly lacks?: () => string | null;
  /** Settings of the server that the document takes for granted. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Variables of the reader's terminal, beside the settings. */
  readonly terminal?: Readonly<Record<string, string>>;
  /** Commands before the first block, and after the last one. */
  readonly before?: string;
  readonly after?: string;
  /** Commands after a statement of the document: what happens elsewhere meanwhile. */
  readonly meanwhile?: readonly (readonly [statement: RegExp, commands: string])[];
  /** The server is stopped before this statement, as the document says. */
  readonly stopsAt?: RegExp;
  /** Texts of the document, and what stands in their place here. */
  readonly values?: (place: Place) => Readonly<Record<string, string>>;
  /** Blocks in other languages than the shell, by language. */
  readonly languages?: Readonly<Record<string, (text: string, place: Place) => Promise<void>>>;
}

/** Somebody who goes through one document in an empty folder, with a server of their own. */
export interface Reader extends Place {
  /** Does what a block says, and compares what comes out with the block that follows, if that shows it. */
  follow(block: Block, next?: Block): Promise<void>;
  /** Ends everything, after the last commands. */
  close(): Promise<void>;
}

/** @param startsServer the document starts the server: none runs before */
export async function openReader(options: ReaderOptions, startsServer: boolean): Promise<Reader> {
  const folder = await mkdtemp(join(tmpdir(), "content-api-docs-"));
  for (const name of CLONE) await symlink(join(ROOT, name), join(folder, name));
  await cp(join(ROOT, "examples"), join(folder, "examples"), { recursive: true });
  const [serverPort, port] = [await freePort(), await freePort()];
  const place: Place = { baseUrl: `http://localhost:${serverPort}`, folder, port };
  const { baseUrl } = place;
  const environment = {
    ...{ ...machineVariables(), PORT: String(serverPort), MAX_DELAY: "60000" },
    ...options.settings,
  };
  const here = { "http://localhost:4000": baseUrl, "{BASE_URL}": baseUrl, "{AUTH_URL}": baseUrl };
  const values = openValues({ ...options.values?.(place), ...here });
  const person = openPerson(baseUrl);
  const server = openReaderServer(folder, environment);
  const terminal = await openTerminal(folder, { ...environment, ...options.terminal }, (text) => person.read(text));

  /** Types each statement, in which words have the values that those before have printed. @returns what the last one printed */
  async function type(text: string, mayFail = false): Promise<string> {
    let printed = "";
    for (const statement of readStatements(text)) {
      const filled = values.fill(statement);
      const start = startOf(filled);
      if (options.stopsAt?.test(filled)) await server.stop();
      printed = start === null ? await terminal.run(filled, mayFail) : await server.start(start);
      person.read(`${printed}\n`);
      await person.done();
      values.set("CODE", person.code() ?? "…");
      values.learn(printed);
      for (const [pattern, commands] of options.meanwhile ?? []) if (pattern.test(statement)) await type(commands);
    }
    return printed.trim();
  }

  if (!startsServer) await server.start("bin/content-api serve");
  await type(options.before ?? "");
  return {
    ...place,
    async follow(block, next) {
      const { language, detail, text } = block;
      if (detail !== "") return write(join(folder, detail), values.place(text));
      const inLanguage = options.languages?.[language];
      if (inLanguage !== undefined) return inLanguage(values.fill(text), place);
      if (language === "ini") return checkSettings(join(folder, "checked.env"), values.fill(text));
      if (language !== "sh") throw new Error(`nobody knows how to run ${language}`);
      const printed = await type(text, next?.kind === "output");
      if (next?.kind !== "output" && printed.includes('"errors":[{')) throw new Error(`the answer: ${printed}`);
      if (next?.kind === "output") assertOutput(values.fill(next.text), printed, next.language);
    },
    async close() {
      try {
        await type(options.after ?? "");
      } finally {
        await terminal.close();
        await server.stop();
        await rm(folder, { recursive: true });
      }
    },
  };
}

/** Environment for npm, pip and others, without settings of the program and words of the test runner. */
function machineVariables(): NodeJS.ProcessEnv {
  const isOurs = (name: string) =>
    Object.hasOwn(VARIABLES, name) || name.startsWith("NODE_TEST") || name.startsWith("TEST_");
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOurs(name)));
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

/** The lines of a file `.env`. @throws ConfigError for an unknown setting or value */
async function checkSettings(path: string, text: string): Promise<void> {
  await write(path, text);
  readConfig({}, path);
}
