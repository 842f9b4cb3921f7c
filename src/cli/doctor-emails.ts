import type { Finding } from "../diagnosis/finding.ts";
import { emailKey, isEmail } from "../domain/people/email.ts";
import type { UserStore } from "../domain/people/user.ts";

/** People read from the database at once. */
const PAGE = 1_000;
/** Ids in one line. */
const SHOWN = 20;

/** Lists people from before one grammar and one key held for all addresses (U31): they can sign in, and get no mail. */
export async function checkEmails(users: UserStore): Promise<Finding[]> {
  const check = "e-mail";
  const keys = new Set<string>();
  const odd: string[] = [];
  for (let page = await users.listNewest(undefined, PAGE); page.length > 0; ) {
    for (const { id, email, deletedAt } of page) {
      if (deletedAt !== null) continue;
      const key = isEmail(email) ? emailKey(email) : null;
      if (key === null || keys.has(key)) odd.push(id);
      else keys.add(key);
    }
    page = await users.listNewest(page.at(-1)?.id, PAGE);
  }
  if (odd.length === 0) return [];
  const more = odd.length > SHOWN ? ` and ${odd.length - SHOWN} more` : "";
  const people = `${odd.slice(0, SHOWN).join(", ")}${more}`;
  const detail = `addresses that no new person could have, or that another person has in another spelling: ${people}`;
  return [{ check, result: "warning", detail }];
}
