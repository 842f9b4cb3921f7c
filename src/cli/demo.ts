import { DEMO_CLIENT, DEMO_EMAILS, DEMO_PASSWORD, holdsDemonstration, publicSetting } from "../app/demonstration.ts";
import { type Config, ConfigError, readTexts } from "../config/config.ts";
import { VARIABLES } from "../config/variables.ts";
import { createUser } from "../domain/people/user.ts";
import { createPost } from "../domain/posts/post.ts";
import type { Store } from "../domain/store/store.ts";
import type { Role } from "../domain/viewer.ts";
import { openMarkdown } from "../markdown/markdown.ts";
import { hashPassword } from "../secrets/passwords.ts";

/** Database of `--demo`, whose people stay apart from anything real. */
const DATABASE_URL = "sqlite:./data/demo.db";

const PEOPLE: readonly { name: string; email: string; role: Role; posts: readonly string[] }[] = [
  {
    name: "Ada Example",
    email: DEMO_EMAILS[0],
    role: "admin",
    posts: ["Welcome", "How scopes work", "Reading with one request"],
  },
  {
    name: "Édouard Démo",
    email: DEMO_EMAILS[1],
    role: "editor",
    posts: ["Notes from the archive", "Ein Gruß aus Köln"],
  },
  { name: "演示 用户", email: DEMO_EMAILS[2], role: "member", posts: ["第一篇文章", "مرحبا بالعالم"] },
];

/** The environment of a demonstration: with a database of its own, unless the settings name one. */
export function demoEnvironment(environment: NodeJS.ProcessEnv, envFile = ".env"): NodeJS.ProcessEnv {
  const isNamed =
    environment.DATABASE_URL !== undefined || readTexts({}, envFile).DATABASE_URL !== VARIABLES.DATABASE_URL.default;
  return isNamed ? environment : { ...environment, DATABASE_URL };
}

/**
 * Fills an empty database with demonstration people, posts and a client, and says so loudly. Its passwords are public,
 * so it refuses an address that others reach, and to pass a real database off as a demonstration.
 *
 * @returns lines for the terminal
 * @throws ConfigError where the address is public, or the database somebody's
 */
export async function fillDemo(config: Config): Promise<string[]> {
  const setting = publicSetting(config);
  if (setting !== null)
    throw new ConfigError(`--demo makes people whose password is public: ${setting} must be a loopback address.`);
  const { openStore } = await import("../storage/open.ts");
  const store = await openStore(config.DATABASE_URL, { engine: config });
  try {
    if (await store.users.isEmpty()) await fill(store);
    else if (!(await holdsDemonstration(store)))
      throw new ConfigError(
        "--demo fills an empty database, and this one has people already. Name another one in DATABASE_URL.",
      );
    return [
      "*** DEMONSTRATION: everybody knows these passwords. Never use this database for anything real. ***",
      "",
      ...PEOPLE.map(({ email, role }) => `  ${email.padEnd(22)}  ${role}`),
      `  The password of each:   ${DEMO_PASSWORD}`,
      "",
    ];
  } finally {
    await store.close();
  }
}

async function fill(store: Store): Promise<void> {
  const passwordHash = await hashPassword(DEMO_PASSWORD);
  await registerClient(store);
  const renderMarkdown = openMarkdown();
  for (const { name, email, role, posts } of PEOPLE) {
    const user = await createUser(store.users, { name, email, role, emailVerified: true, passwordHash });
    const viewer = { userId: user.id, role, clientId: DEMO_CLIENT, scopes: new Set<string>() };
    for (const title of posts) {
      const body = `# ${title}\n\nThis is demonstration text by ${name}.`;
      await createPost({ store, viewer, once: undefined }, { title, body }, renderMarkdown);
    }
  }
}

/** Before the first person: it marks the database for good, also when what follows is interrupted. */
async function registerClient(store: Store): Promise<void> {
  await store.clients.put({
    id: DEMO_CLIENT,
    name: "Demonstration client",
    type: "public",
    secretHash: null,
    redirectUris: ["http://localhost:8080/callback", "http://127.0.0.1/callback"],
    postLogoutRedirectUris: ["http://localhost:8080/"],
    grantTypes: ["authorization_code", "refresh_token"],
    scopes: ["openid", "profile", "email", "offline_access", "posts:read", "posts:write", "users:read"],
    firstParty: false,
  });
}
