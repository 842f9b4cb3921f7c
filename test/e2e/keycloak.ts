import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "../port.ts";

const ADMIN = { username: "admin", password: "only-for-this-test" };
/** Milliseconds: the first start builds the server, on a busy machine in minutes. */
const START = 600_000;

/** A Keycloak on this machine, whose data live in memory. */
export interface Keycloak {
  readonly url: string;
  /** Calls its REST API below `/admin/realms`, as its administrator. @returns the JSON of the answer; null for none */
  administer(method: "DELETE" | "GET" | "POST", path: string, body?: unknown): Promise<unknown>;
  stop(): Promise<void>;
}

/** The reason to skip tests that need one; false where KEYCLOAK_HOME names an unpacked distribution. */
export function lacksKeycloak(): string | false {
  const home = process.env.KEYCLOAK_HOME ?? "";
  if (home === "") return "KEYCLOAK_HOME names no Keycloak: unpack a distribution, and set it to that folder";
  return existsSync(join(home, "bin", "kc.sh")) ? false : `KEYCLOAK_HOME is ${home}, in which there is no bin/kc.sh`;
}

export async function startKeycloak(): Promise<Keycloak> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const program = join(process.env.KEYCLOAK_HOME ?? "", "bin", "kc.sh");
  const server = spawn("sh", [program, "start-dev", "--db=dev-mem", "--http-host=127.0.0.1", `--http-port=${port}`], {
    env: {
      ...process.env,
      KC_BOOTSTRAP_ADMIN_USERNAME: ADMIN.username,
      KC_BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
    },
    stdio: ["ignore", "ignore", "inherit"],
    // Its own process group, which ends as a whole.
    detached: true,
  });
  const ended = once(server, "exit");
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  const until = Date.now() + START;
  while (!(await isReady(url))) {
    if (isOver || Date.now() > until) throw new Error("Keycloak did not start: see what it printed.");
    await pause(1_000);
  }

  return {
    url,
    async administer(method, path, body) {
      const answer = await fetch(`${url}/admin/realms${path}`, {
        method,
        headers: { authorization: `Bearer ${await token(url)}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`Keycloak answers ${answer.status} at ${path}: ${text}`);
      return text === "" ? null : JSON.parse(text);
    },
    async stop() {
      if (!isOver && server.pid !== undefined) process.kill(-server.pid);
      await ended;
    },
  };
}

async function isReady(url: string): Promise<boolean> {
  return (await fetch(`${url}/realms/master`).catch(() => null))?.ok === true;
}

async function token(url: string): Promise<string> {
  const answer = await fetch(`${url}/realms/master/protocol/openid-connect/token`, {
    method: "POST",
    body: new URLSearchParams({ grant_type: "password", client_id: "admin-cli", ...ADMIN }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}
