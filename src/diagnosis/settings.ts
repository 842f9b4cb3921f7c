import { statSync } from "node:fs";
import type { Config } from "../config/config.ts";
import { secretPath } from "../config/installation-secret.ts";
import { isLoopback, isPrivate } from "../config/loopback.ts";
import type { Finding } from "./finding.ts";

/** Whether the installation's secret is there, and safe. */
export function checkSecret(config: Config): Finding {
  const check = "secret";
  if (config.SECRET_KEY !== null) return { check, result: "good", detail: "SECRET_KEY is set" };
  const path = secretPath(config);
  if (path === null) return { check, result: "wrong", detail: "SECRET_KEY must be set with PostgreSQL" };
  const file = statSync(path, { throwIfNoEntry: false });
  if (file === undefined)
    return {
      check,
      result: "good",
      detail: `none yet at ${path}: the first start makes it`,
    };
  if ((file.mode & 0o077) !== 0) return { check, result: "wrong", detail: `${path} can be read by others: chmod 600` };
  return {
    check,
    result: "good",
    detail: `${path}, readable by its owner only; back it up apart from the database`,
  };
}

/** Whether the public addresses can be right. */
export function checkAddresses({ BASE_URL, AUTH_URL, HOST }: Config): Finding[] {
  return Object.entries({ BASE_URL, AUTH_URL }).map(([check, address]) => {
    const { hostname, pathname } = new URL(address);
    if (!isPrivate(address))
      return { check, result: "wrong", detail: `${address} is public but not https: tokens would travel in the open` };
    if (check === "BASE_URL" && pathname !== "/")
      return { check, result: "wrong", detail: `${address} must have no path: give the API a host name of its own` };
    if (isLoopback(hostname) && !isLoopback(HOST)) {
      return { check, result: "warning", detail: `${address} works on this machine only, though HOST is ${HOST}` };
    }
    return { check, result: "good", detail: address };
  });
}

/** A clock that is far off makes every token expired or not yet valid. There is no other clock to ask, so only what cannot be is caught. */
export function checkClock(now: Date): Finding {
  return now.getUTCFullYear() < 2026
    ? { check: "clock", result: "wrong", detail: `the machine thinks that it is ${now.toISOString()}: set the clock` }
    : { check: "clock", result: "good", detail: now.toISOString() };
}
