import type { Config } from "../config/config.ts";
import { ConfigError } from "../config/config.ts";
import { createClient } from "../domain/clients/client.ts";
import { createUser } from "../domain/people/user.ts";
import { createPost } from "../domain/posts/post.ts";
import type { Store } from "../domain/store/store.ts";
import type { Role } from "../domain/viewer.ts";
import { openMarkdown } from "../markdown/markdown.ts";
import { hashPassword } from "../secrets/passwords.ts";

const PASSWORD = "for demonstration only";
const CLIENT_ID = "demo";

const PEOPLE: readonly { name: string; email: string; role: Role; posts: readonly string[] }[] = [
  {
    name: "Ada Example",
    email: "ada@example.com",
    role: "admin",
    posts: ["Welcome", "How scopes work", "Reading with one request"],
  },
  {
    name: "Édouard Démo",
    email: "edouard@example.com",
    role: "editor",
    posts: ["Notes from the archive", "Ein Gruß aus Köln"],
  },
  { name: "演示 用户", email: "yanshi@example.com", role: "member", posts: ["第一篇文章", "مرحبا بالعالم"] },
];

const LOOPBACK = ["localhost", "127.0.0.1", "::1", "[::1]"];

/**
 * Fills an empty database with demonstration people, posts and a client, and says so loudly. Its passwords are public,
 * so it refuses an address that others reach, and to pass a real database off as a demonstration.
 *
 * @returns lines for the terminal
 * @throws ConfigError where the address is public, or the database somebody's
 */
export async function fillDemo(config: Config): Promise<string[]> {
  for (const [name, host] of [
    ["BASE_URL", new URL(config.BASE_URL).hostname],
    ["HOST", config.HOST],
  ] as const) {
    if (!LOOPBACK.includes(host))
      throw new ConfigError(`--demo makes people whose passwords everybody knows: ${name} must be a loopback address.`);
  }
  const { openStore } = await import("../storage/open.ts");
  const store = await openStore(config.DATABASE_URL);
  try {
    if (await store.users.isEmpty()) await fill(store);
    else if ((await store.clients.find(CLIENT_ID)) === null)
      throw new ConfigError(
        "--demo fills an empty database, and this one has people already. Name another one in DATABASE_URL.",
      );
    return [
      "*** DEMONSTRATION: everybody knows these passwords. Never use this database for anything real. ***",
      "",
      ...PEOPLE.map(({ email, role }) => `  ${email.padEnd(22)}  ${role}`),
      `  The password of each:   ${PASSWORD}`,
      "",
    ];
  } finally {
    await store.close();
  }
}

async function fill(store: Store): Promise<void> {
  const passwordHash = await hashPassword(PASSWORD);
  const renderMarkdown = openMarkdown();
  for (const { name, email, role, posts } of PEOPLE) {
    const user = await createUser(store.users, { name, email, role, emailVerified: true, passwordHash });
    const viewer = { userId: user.id, role, clientId: CLIENT_ID, scopes: new Set<string>() };
    for (const title of posts) {
      const body = `# ${title}\n\nThis is demonstration text by ${name}.`;
      await createPost({ store, viewer, once: undefined }, { title, body }, renderMarkdown);
    }
  }
  await createClient(store.clients, {
    id: CLIENT_ID,
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
