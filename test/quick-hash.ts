import { argon2Sync } from "node:crypto";

/**
 * A PHC string for people whose password is not what the test is about. The program takes the cost of a check from the
 * string, so signing them in takes next to nothing; `hashPassword` gives what real people have, 20 MiB and 50 ms.
 */
export function quickHash(password: string): string {
  const salt = Buffer.from("a salt for tests");
  const cost = { memory: 8, passes: 1, parallelism: 1 };
  const hash = argon2Sync("argon2id", { message: password, nonce: salt, tagLength: 32, ...cost });
  const [first, second] = [salt, hash].map((bytes) => bytes.toString("base64").replace(/=+$/, ""));
  return `$argon2id$v=19$m=8,t=1,p=1$${first}$${second}`;
}
