import { RevertAgentChanges, type RevertAgentChangesData } from "../../documents/agents.ts";
import { type Api, ApiFailure } from "../../ports.ts";

type Payload = NonNullable<RevertAgentChangesData["revertAgentChanges"]>;

/** Changes that are to be taken back. */
export interface RevertWindow {
  readonly clientId: string;
  /** null for everybody for whom the client acts. */
  readonly personId: string | null;
  /** RFC 3339. */
  readonly since: string;
  /** null: until now. */
  readonly until: string | null;
}

export interface Reverted {
  readonly reverted: NonNullable<Payload["reverted"]>;
  /** Posts that stay as they are. */
  readonly left: NonNullable<Payload["left"]>;
  readonly isComplete: boolean;
}

/** A field that somebody filled in wrong. */
interface Mistake {
  readonly field: "since" | "until";
  readonly message: string;
}

/** Time of this device as a field for date and time has it, to the minute. */
export function localTime(time: number): string {
  return new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Times of two fields in RFC 3339, or what is wrong with them. @param since, until of this device's zone; `until` may be empty */
export function periodOf(
  { since, until }: { readonly since: string; readonly until: string },
  now: number,
): { readonly since: string; readonly until: string | null } | Mistake {
  const [from, to] = [Date.parse(since), until === "" ? null : Date.parse(until)];
  if (Number.isNaN(from)) return { field: "since", message: "Enter a date and a time." };
  if (from > now) return { field: "since", message: "This time has not come yet." };
  if (to !== null && Number.isNaN(to))
    return { field: "until", message: "Enter a date and a time, or leave it empty." };
  if (to !== null && to <= from) return { field: "until", message: "This must be later than the beginning." };
  return { since: new Date(from).toISOString(), until: to === null ? null : new Date(to).toISOString() };
}

/** Says what would be done. At most 100 posts. @throws ApiFailure */
export function tryRevert(api: Api, window: RevertWindow): Promise<Reverted> {
  return ask(api, window, true);
}

/**
 * Takes changes back, 100 posts with each request, until none is left.
 *
 * @param onProgress called with the number of posts so far
 * @throws ApiFailure posts that were taken back before it stay so: calling again goes on with the rest
 */
export async function revert(
  api: Api,
  window: RevertWindow,
  onProgress: (count: number) => void,
  newKey: () => string,
): Promise<Reverted> {
  const reverted = new Map<string, Reverted["reverted"][number]>();
  for (;;) {
    const part = await ask(api, window, false, newKey());
    for (const post of part.reverted) reverted.set(post.postId, post);
    onProgress(reverted.size);
    if (part.isComplete) return { reverted: [...reverted.values()], left: part.left, isComplete: true };
    if (part.reverted.length === 0)
      throw new ApiFailure({
        kind: "failed",
        message: "The server stopped half-way. Try again to go on with the rest.",
      });
  }
}

async function ask(api: Api, window: RevertWindow, isDryRun: boolean, key?: string): Promise<Reverted> {
  const input = { ...window, isDryRun };
  const { revertAgentChanges } = await api.run(RevertAgentChanges, { input }, key === undefined ? {} : { key });
  const { reverted, left, isComplete } = revertAgentChanges ?? {};
  return { reverted: reverted ?? [], left: left ?? [], isComplete: isComplete === true };
}

/** Sentences about posts that are or were taken back, one for each kind. */
export function revertWords({ reverted }: Pick<Reverted, "reverted">): readonly string[] {
  const count = (wanted: string) => reverted.filter(({ as }) => as === wanted).length;
  const line = (number: number, one: string, many: string) =>
    number === 0 ? [] : [number === 1 ? one : `${number} ${many}`];
  return [
    ...line(count("RESTORED"), "1 post gets its former text and state", "posts get their former texts and states"),
    ...line(count("DELETED"), "1 post that the agent created is deleted", "posts that the agent created are deleted"),
    ...line(
      count("CREATED_AGAIN"),
      "1 post that the agent deleted comes back",
      "posts that the agent deleted come back",
    ),
  ];
}

/** The end of taking back in one sentence. */
export function doneWords({ reverted, left }: Pick<Reverted, "reverted" | "left">): string {
  const posts = (count: number) => (count === 1 ? "1 post" : `${count} posts`);
  const done = `The changes of ${posts(reverted.length)} are taken back.`;
  if (left.length === 0) return done;
  return `${done} ${posts(left.length)} ${left.length === 1 ? "stays as it is" : "stay as they are"}.`;
}
