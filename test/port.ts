import { createServer } from "node:net";

/** Below what Linux gives to connections by itself, so that none takes a port between its choice and its use. */
const [FIRST, LAST] = [12_000, 32_000];

/** Files of tests run at the same time, each in a process: each begins elsewhere. */
let next = FIRST + ((process.pid * 100) % (LAST - FIRST));

/** A port that was free a moment ago: the public address must be known before the program listens. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = next++;
    if (next > LAST) next = FIRST;
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE" || error.code === "EACCES") resolve(false);
      else reject(error);
    });
    server.listen(port, () => server.close(() => resolve(true)));
  });
}
