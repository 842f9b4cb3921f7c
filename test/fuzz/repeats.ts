import { bytesOf, type RawAnswer, sendRaw } from "./raw-request.ts";

/** One request, sent by its head and its body. */
type Send = (head: string, body: string) => Promise<RawAnswer | null>;

let writes = 0;

/**
 * Sends the same bytes three times: the second time nothing is planned, and the third answer may come from memory. Then it
 * writes, and sends them again: the answer must be the one that bytes get which were never seen, with one more space.
 *
 * @param first answer to the same bytes
 * @param write sends a mutation
 */
export async function repeatFaults(
  { head, body }: { readonly head: string; readonly body: string },
  first: RawAnswer,
  send: Send,
  write: (mutation: string) => Promise<void>,
): Promise<string[]> {
  const faults: string[] = [];
  const canGrow = first.status === 200 && body.startsWith("{") && !/^content-length:/im.test(head);
  /** Some fields tell of what just happened, such as the newest row of the audit: only what stays different is a fault. */
  const isLikeFresh = async () => {
    for (const blanks of [" ", "  "])
      if (shownAnswer(await send(head, body)) === shownAnswer(await send(head, blanks + body))) return true;
    return false;
  };
  for (let time = 2; time <= 3; time++) {
    const again = shownAnswer(await send(head, body));
    if (again !== "none" && again !== shownAnswer(first) && !(canGrow && (await isLikeFresh())))
      faults.push(`answer ${time} is ${again}, and the first was ${shownAnswer(first)}`);
  }
  if (!canGrow) return faults;
  await write(nextWrite());
  if (!(await isLikeFresh()))
    faults.push(`after a write the answer is ${shownAnswer(await send(head, body))}, unlike that to fresh bytes`);
  return faults;
}

/** Changes a title, a name, and what readers may see. `POST` and `OTHER` become ids. */
function nextWrite(): string {
  const number = ++writes;
  return `mutation { updateProfile(input: {name: "Ada ${number}"}) { errors { code } }
    updatePost(id: "POST", input: {title: "Title ${number}", body: "red ${number}"}) { errors { code } }
    ${number % 2 === 0 ? "publishPost" : "archivePost"}(id: "OTHER") { errors { code } } }`;
}

/** Pages and errors name the request. */
function shownAnswer(answer: RawAnswer | null): string {
  if (answer === null) return "none";
  return `${answer.status} ${answer.body.replaceAll(/"requestId":"[^"]*"|<code>[\w-]{8,}<\/code>/g, "")}`;
}

/** @param limit milliseconds */
export function senderOf(port: number, isWhole: boolean, limit: number): Send {
  return (head, body) => sendRaw(port, bytesOf(head, body), isWhole, limit);
}
