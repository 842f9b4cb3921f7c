import { createServer } from "node:net";
import type { Config } from "../config/config.ts";
import { isLoopback } from "../config/loopback.ts";
import type { Finding } from "../diagnosis/finding.ts";
import { listenAddresses, ownHosts } from "../http/listen-addresses.ts";

/** Milliseconds that an address may take to answer. */
const PATIENCE = 3_000;

/** Whether the server can listen, or does so already. */
export async function checkPort({ HOST, PORT }: Config): Promise<Finding> {
  const check = "port";
  const [address] = await listenAddresses(HOST);
  const failure = await new Promise<string | null>((done) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
    server.listen(PORT, address, () => server.close(() => done(null)));
  });
  if (failure === null) return { check, result: "good", detail: `${HOST}:${PORT} is free` };
  if (failure !== "EADDRINUSE")
    return { check, result: "wrong", detail: `${HOST}:${PORT} cannot be listened on (${failure}): set HOST and PORT` };
  const [host] = await ownHosts(HOST);
  const problem = await problemAt(`http://${host}:${PORT}/livez`);
  return problem === null
    ? { check, result: "good", detail: `a server answers at ${HOST}:${PORT}` }
    : { check, result: "warning", detail: `${HOST}:${PORT} is in use by another program: set PORT` };
}

/** Whether the public addresses lead to a server. On this machine alone they say nothing that `port` does not. */
export async function checkReach({ BASE_URL, AUTH_URL }: Config): Promise<Finding[]> {
  const check = "public address";
  const addresses = [...new Set([BASE_URL, AUTH_URL])].filter((address) => !isLoopback(new URL(address).hostname));
  if (addresses.length === 0) return [];
  const asked = await Promise.all(
    addresses.map(async (address): Promise<Finding> => {
      const problem = address.startsWith("https:") ? await problemAt(`${address}/livez`) : "it is not https";
      return problem === null
        ? { check, result: "good", detail: `${address} answers` }
        : { check, result: "warning", detail: `${address} does not answer from here (${problem})` };
    }),
  );
  return [...asked, { check, result: "unchecked", detail: "whether others reach it, and their name servers" }];
}

/** The reason why an address does not answer; null for one that does. */
async function problemAt(url: string): Promise<string | null> {
  try {
    const { status } = await fetch(url, { signal: AbortSignal.timeout(PATIENCE), redirect: "manual" });
    return status === 200 ? null : `status ${status}`;
  } catch (error) {
    const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException };
    return cause?.code ?? message;
  }
}
