import { type Config, ConfigError } from "../config/config.ts";
import { isLoopback } from "../config/loopback.ts";
import type { Store } from "../domain/store/store.ts";
import { verifyPassword } from "../secrets/passwords.ts";

/** The password of every demonstration person. It is public. */
export const DEMO_PASSWORD = "for demonstration only";
/** The demonstration client. It is registered before the first person, and nothing deletes it. */
export const DEMO_CLIENT = "demo";
export const DEMO_EMAILS = ["ada@example.com", "edouard@example.com", "yanshi@example.com"] as const;

/** Whether `serve --demo` has filled this database, whatever was changed in it since. */
export async function holdsDemonstration({ clients }: Pick<Store, "clients">): Promise<boolean> {
  return (await clients.find(DEMO_CLIENT)) !== null;
}

/**
 * Keeps people whose password everybody knows off addresses that others reach (A49), however the server was started.
 *
 * @throws ConfigError that names the setting
 */
export async function refusePublicDemonstration(config: Config, store: Store): Promise<void> {
  const setting = publicSetting(config);
  if (setting === null) return;
  if (!(await holdsPublicPasswords(store))) return;
  throw new ConfigError(
    `${setting} must be a loopback address: this database holds demonstration people, whose password is public. Name another database in DATABASE_URL.`,
  );
}

/** The first setting that others could reach this server by; null for a server on this machine alone. */
export function publicSetting({ HOST, BASE_URL, AUTH_URL }: Config): "HOST" | "BASE_URL" | "AUTH_URL" | null {
  if (!isLoopback(HOST)) return "HOST";
  if (!isLoopback(new URL(BASE_URL).hostname)) return "BASE_URL";
  return isLoopback(new URL(AUTH_URL).hostname) ? null : "AUTH_URL";
}

/** Whether demonstration people may sign in here, in databases from before the client came first and in copies too. */
export async function holdsPublicPasswords(store: Pick<Store, "clients" | "users">): Promise<boolean> {
  return (await holdsDemonstration(store)) || (await opensWithDemoPassword(store));
}

/** Checking takes 30 ms for each person who is there. */
async function opensWithDemoPassword({ users }: Pick<Store, "users">): Promise<boolean> {
  for (const email of DEMO_EMAILS) {
    const user = await users.findByEmail(email);
    if (user?.passwordHash != null && (await verifyPassword(user.passwordHash, DEMO_PASSWORD))) return true;
  }
  return false;
}
