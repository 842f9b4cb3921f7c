import { readFileSync } from "node:fs";
import { type Config, ConfigError } from "./config.ts";
import { Rule } from "./setting.ts";
import {
  assertKeys,
  boolean,
  choice,
  endpoint,
  mailDomain,
  matching,
  nameText,
  record,
  secret,
  texts,
} from "./value.ts";

/** Another service at which people sign in: one entry of the file UPSTREAMS, which docs/accounts.md explains. */
export type UpstreamSetting = Readonly<ReturnType<typeof readEntry>>;

const KEYS = [
  ...["id", "name", "issuer", "oauth2", "client_id", "client_secret", "scopes"],
  ...["domains", "enforced", "sign_up", "trust_email", "mfa", "scim_client", "scim_subject"],
];
const ENDPOINTS = ["authorize", "token", "user", "emails"] as const;
const [OIDC_SCOPES, OAUTH2_SCOPES] = [
  ["openid", "profile", "email"],
  ["read:user", "user:email"],
];

const idText = matching(/^[a-z0-9-]{1,40}$/, "must have 1 to 40 of a-z, 0-9 and -");
const clientText = matching(/^[\x21-\x7e]{1,255}$/, "must have 1 to 255 characters without spaces");

/**
 * Reads the file UPSTREAMS, and judges all of it.
 *
 * @param environment for secrets that are written as `{ "env": "NAME" }`
 * @throws ConfigError naming each entry and key that is wrong. No message has a part of a secret in it.
 */
export function loadUpstreams(
  { UPSTREAMS: path, PRIVATE_HOSTS: hosts }: Pick<Config, "UPSTREAMS" | "PRIVATE_HOSTS">,
  environment: NodeJS.ProcessEnv,
): readonly UpstreamSetting[] {
  if (path === null) return [];
  const problems: string[] = [];
  const upstreams = readEntries(path).flatMap((entry, index) => {
    const where = `UPSTREAMS, entry ${nameOf(entry, index)}`;
    try {
      return [readEntry(entry, environment, hosts)];
    } catch (error) {
      if (!(error instanceof Rule)) throw error;
      problems.push(`${where}: ${error.message}.`);
      return [];
    }
  });
  problems.push(...conflicts(upstreams));
  if (problems.length > 0) throw new ConfigError(problems.join("\n"));
  return upstreams;
}

function readEntries(path: string): unknown[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new ConfigError(
      `UPSTREAMS names the file ${path}, which cannot be read (${(error as { code?: string }).code}).`,
    );
  }
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch (error) {
    // The whole message quotes the file, in which there are secrets.
    const place = /line \d+ column \d+/.exec((error as Error).message)?.[0];
    throw new ConfigError(`UPSTREAMS names the file ${path}, which is not valid JSON${place ? `: see ${place}` : ""}.`);
  }
  if (!Array.isArray(list))
    throw new ConfigError(`UPSTREAMS names the file ${path}, which must have a list of entries.`);
  return list;
}

/** The id of an entry where it has a good one, else its place in the list. */
function nameOf(entry: unknown, index: number): string {
  const id = (entry as { id?: unknown } | null)?.id;
  return typeof id === "string" && /^[a-z0-9-]{1,40}$/.test(id) ? id : String(index + 1);
}

function readEntry(entry: unknown, environment: NodeJS.ProcessEnv, hosts: readonly string[]) {
  const values = named("it", () => record(entry));
  assertKeys(values, KEYS);
  const read = <T>(key: string, rule: (value: unknown) => T, fallback?: T): T => {
    const value = values[key];
    if (value === undefined && fallback !== undefined) return fallback;
    return named(key, () => rule(value));
  };
  const isOidc = values.issuer !== undefined;
  if (isOidc === (values.oauth2 !== undefined)) throw new Rule("it must have either issuer or oauth2");
  const upstream = {
    id: read("id", idText),
    name: read("name", nameText),
    issuer: isOidc ? read("issuer", (value) => endpoint(value, hosts, true)) : null,
    oauth2: isOidc ? null : readOAuth2(values.oauth2, hosts),
    clientId: read("client_id", clientText),
    clientSecret: read("client_secret", (value) => secret(value, environment)),
    scopes: read(
      "scopes",
      (value) => texts(value, /^[\x21\x23-\x5b\x5d-\x7e]{1,255}$/),
      isOidc ? OIDC_SCOPES : OAUTH2_SCOPES,
    ),
    domains: read("domains", (value) => texts(value, /./).map(mailDomain), []),
    enforced: read("enforced", boolean, false),
    signUp: read("sign_up", (value) => choice(value, ["no", "yes"]), "no") === "yes",
    trustEmail: read("trust_email", boolean, false),
    mfa: read("mfa", readMfa, null),
    scimClient: read("scim_client", clientText, null),
    scimSubject: read("scim_subject", boolean, false),
  };
  assertTogether(upstream);
  return upstream;
}

function readOAuth2(value: unknown, hosts: readonly string[]) {
  const values = named("oauth2", () => record(value));
  named("oauth2", () => assertKeys(values, ENDPOINTS));
  const urls = ENDPOINTS.map((key) => [key, named(`oauth2.${key}`, () => endpoint(values[key], hosts, false))]);
  return Object.fromEntries(urls) as Record<(typeof ENDPOINTS)[number], string>;
}

function readMfa(value: unknown) {
  if (value === "ignore") return null;
  const form = 'must be "ignore" or {"trust": {"acr": [..], "amr": [..]}}';
  if (typeof value !== "object" || value === null || Object.keys(value).join() !== "trust") throw new Rule(form);
  const lists = named("trust", () => record((value as { trust: unknown }).trust));
  assertKeys(lists, ["acr", "amr"]);
  const [acr, amr] = [lists.acr ?? [], lists.amr ?? []].map((list) => texts(list, /^[^\p{Cc}]{1,255}$/u));
  if (acr === undefined || amr === undefined || acr.length + amr.length === 0) throw new Rule(form);
  return { acr, amr };
}

/** @throws Rule for values of which each is good alone */
function assertTogether(upstream: UpstreamSetting): void {
  const { issuer, scopes, domains, enforced, trustEmail, mfa, scimClient, scimSubject } = upstream;
  if (issuer !== null && !scopes.includes("openid"))
    throw new Rule("scopes must include openid, because it has an issuer");
  if (enforced && domains.length === 0) throw new Rule("enforced needs domains, whose people sign in there");
  if (trustEmail && domains.length === 0) throw new Rule("trust_email needs domains, whose addresses it may prove");
  if (mfa !== null && issuer === null) throw new Rule("mfa needs issuer: oauth2 says nothing about how people sign in");
  if (scimClient !== null && domains.length === 0)
    throw new Rule("scim_client needs domains, whose addresses it may give to people");
  if (scimSubject && scimClient === null) throw new Rule("scim_subject needs scim_client");
}

/** Finds entries that contradict each other. */
function conflicts(upstreams: readonly UpstreamSetting[]): string[] {
  const ids = new Set<string>();
  const enforcers = new Map<string, string>();
  const clients = new Map<string, string>();
  return upstreams.flatMap(({ id, enforced, domains, scimClient }) => {
    const found = ids.has(id) ? [`UPSTREAMS, entry ${id}: id must be unique.`] : [];
    ids.add(id);
    if (scimClient !== null && clients.has(scimClient))
      found.push(`UPSTREAMS, entry ${id}: scim_client must not be that of ${clients.get(scimClient)}.`);
    if (scimClient !== null) clients.set(scimClient, id);
    for (const domain of enforced ? new Set(domains) : []) {
      const other = enforcers.get(domain);
      if (other === undefined) enforcers.set(domain, id);
      else found.push(`UPSTREAMS, entry ${id}: domains must not have ${domain}, which ${other} enforces already.`);
    }
    return found;
  });
}

/** Has each broken rule name the key. */
function named<T>(key: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof Rule ? new Rule(`${key} ${error.message}`) : error;
  }
}
