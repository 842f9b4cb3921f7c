import { spawn } from "node:child_process";
import { join } from "node:path";

/** One of the examples, running as its README says. */
export interface Example {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a file of examples/ and waits until it prints its address. */
export async function startExample(file: string, environment: Record<string, string>): Promise<Example> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "../../examples", file)], { env: environment });
  let output = "";
  child.stderr.on("data", (chunk) => (output += chunk));
  const exited = new Promise<void>((resolve) => child.on("exit", () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (chunk) => {
      output += chunk;
      const address = /^http\S+$/m.exec(output)?.[0];
      if (address !== undefined) resolve(address);
    });
    child.on("exit", () => reject(new Error(`examples/${file} ended: ${output}`)));
  });
  return {
    url,
    async close() {
      child.kill();
      await exited;
    },
  };
}
