import type { Client } from "../domain/clients/client.ts";
import { AppError, badInput } from "../domain/errors.ts";
import { isActive, type User } from "../domain/people/user.ts";
import {
  IDENTITY_SCOPES,
  isScope,
  isScopeOfRole,
  OPEN_SCOPES,
  SCOPES,
  withImplied,
  withoutImplied,
} from "../domain/scopes.ts";
import type { Store } from "../domain/store/store.ts";

const TERMINAL = "terminal";

/** The person of that address, or the only one that can be meant. @throws AppError NOT_FOUND, BAD_USER_INPUT */
export async function choosePerson({ users }: Store, email: string | undefined): Promise<User> {
  if (email !== undefined) {
    const user = await users.findByEmail(email);
    if (user !== null && isActive(user)) return user;
    throw new AppError("NOT_FOUND", `There is no active person with the address ${email}.`);
  }
  const active = (await users.list()).filter(isActive);
  const administrators = active.filter(({ role }) => role === "admin");
  const [person, ...others] = administrators.length > 0 ? administrators : active;
  if (person === undefined)
    throw new AppError("NOT_FOUND", "There is nobody yet. Open the set-up link that the server prints when it starts.");
  if (others.length === 0) return person;
  const known = [person, ...others].slice(0, 3).map((other) => other.email);
  throw badInput("user", `--user must name a person, such as ${known.join(" or ")}.`);
}

/** @throws AppError NOT_FOUND */
export async function chooseClient({ clients }: Store, id: string | undefined): Promise<Client> {
  const client = id === undefined || id === TERMINAL ? await putTerminal(clients) : await clients.find(id);
  if (client !== null && client.disabledAt === null) return client;
  throw new AppError("NOT_FOUND", `There is no active client ${id ?? TERMINAL}.`);
}

/** The operator's own client: it has no grant, so that only this command makes tokens for it. */
function putTerminal(clients: Store["clients"]): Promise<Client> {
  return clients.put({
    id: TERMINAL,
    name: "Terminal",
    type: "public",
    secretHash: null,
    redirectUris: [],
    postLogoutRedirectUris: [],
    grantTypes: [],
    scopes: SCOPES.filter((scope) => scope !== "offline_access"),
    firstParty: true,
  });
}

/**
 * Those wanted, or reading and writing content.
 *
 * @throws AppError BAD_USER_INPUT, FORBIDDEN for what the client or the person may not
 */
export function chooseScopes(wanted: readonly string[] | null, client: Client, { role }: User): readonly string[] {
  if (wanted === null) {
    const own = OPEN_SCOPES.filter((scope) => !IDENTITY_SCOPES.has(scope) && client.scopes.includes(scope));
    const scopes = withoutImplied(own);
    if (scopes.length > 0) return scopes;
    throw badInput("scope", `--scope must name scopes of the client: ${client.scopes.join(" ")}.`);
  }
  const unknown = wanted.find((scope) => !isScope(scope));
  if (unknown !== undefined) throw badInput("scope", `"${unknown}" is not a scope of this server.`);
  const allowed = withImplied(client.scopes);
  const beyond = wanted.find((scope) => !allowed.includes(scope));
  if (beyond !== undefined) throw new AppError("FORBIDDEN", `The client may not ask for ${beyond}.`);
  const forOthers = wanted.find((scope) => !isScopeOfRole(scope, role));
  if (forOthers !== undefined) throw new AppError("FORBIDDEN", `The person's role does not allow ${forOthers}.`);
  return wanted;
}
