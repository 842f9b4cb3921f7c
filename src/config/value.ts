/* The forms that a value in a JSON file of settings may have. Each throws Rule with what it must be. */

import { isLoopback, isPrivate } from "./loopback.ts";
import { mailDomains, Rule } from "./setting.ts";

export function record(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  throw new Rule("must be an object");
}

export function assertKeys(values: Readonly<Record<string, unknown>>, known: readonly string[]): void {
  const unknown = Object.keys(values).find((key) => !known.includes(key));
  if (unknown !== undefined)
    throw new Rule(`${JSON.stringify(unknown.slice(0, 60))} is not a key. The keys are ${known.join(", ")}`);
}

export function matching(pattern: RegExp, rule: string): (value: unknown) => string {
  return (value) => {
    if (typeof value === "string" && pattern.test(value)) return value;
    throw new Rule(rule);
  };
}

/** A name on a button. */
export const nameText = matching(
  /^(?=.*[^\p{Cf}\p{Zs}])[^\p{Cc}\p{Zl}\p{Zp}]{1,60}$/u,
  "must have 1 to 60 characters in one line",
);

export function boolean(value: unknown): boolean {
  if (typeof value === "boolean") return value;
  throw new Rule("must be true or false, without quotes");
}

export function choice<T extends string>(value: unknown, choices: readonly T[]): T {
  const found = choices.find((one) => one === value);
  if (found !== undefined) return found;
  throw new Rule(`must be ${choices.map((one) => JSON.stringify(one)).join(" or ")}`);
}

/** A list of up to 50 texts. */
export function texts(value: unknown, pattern: RegExp): string[] {
  const isGood = (one: unknown): one is string => typeof one === "string" && pattern.test(one);
  if (Array.isArray(value) && value.length <= 50 && value.every(isGood)) return value;
  throw new Rule("must be a list of texts");
}

/** One domain, in lower case and ASCII. */
export function mailDomain(domain: string): string {
  if (!/^\.|,|\s/.test(domain) && mailDomains(domain).length === 1) return domain;
  throw new Rule("must be domains such as example.com, each that one alone");
}

/** A secret, or the name of the environment variable that has it. */
export function secret(value: unknown, environment: NodeJS.ProcessEnv): string {
  if (typeof value === "string") {
    if (value.length >= 1 && value.length <= 1_000) return value;
    throw new Rule("must have 1 to 1000 characters");
  }
  const name = typeof value === "object" && value !== null ? (value as { env?: unknown }).env : undefined;
  if (typeof name !== "string" || !/^\w{1,100}$/.test(name) || Object.keys(value as object).length !== 1)
    throw new Rule('must be a text or {"env": "NAME"}');
  const found = environment[name];
  if (found === undefined || found === "") throw new Rule(`needs the environment variable ${name}, which is not set`);
  return secret(found, environment);
}

/**
 * An https URL; http only to this machine. It is kept character by character.
 *
 * @param privateHosts the setting PRIVATE_HOSTS, without which this server calls nothing by http
 * @param isIssuer whether it must have no query (OpenID Connect Core section 1.2)
 */
export function endpoint(value: unknown, privateHosts: readonly string[], isIssuer: boolean): string {
  const url = typeof value === "string" && value.length <= 2_000 ? URL.parse(value) : null;
  if (url === null || typeof value !== "string" || !/^https?:\/\//.test(value) || !isPrivate(value))
    throw new Rule("must be an https URL, or an http URL at this machine such as http://localhost:8080");
  if (url.username || url.password || value.includes("#") || (isIssuer && value.includes("?")))
    throw new Rule(`must have no user information${isIssuer ? ", query" : ""} or fragment`);
  if (url.href !== value && url.href !== `${value}/`) throw new Rule(`must be written as ${url.href}`);
  if (isLoopback(url.hostname) && !privateHosts.includes(url.hostname))
    throw new Rule(`is at ${url.hostname}, which PRIVATE_HOSTS must list`);
  return value;
}
