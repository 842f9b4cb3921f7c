import { localTimeOf } from "./moments.ts";

export interface Scheduled {
  readonly publishAt: string | null;
}

export interface ScheduledDay<Post extends Scheduled> {
  /** `2027-01-05`, in the zone of the installation. */
  readonly date: string;
  readonly posts: readonly Post[];
}

/** Posts by the day on which they go live, in the order that they came in. */
export function scheduledDays<Post extends Scheduled>(
  posts: readonly Post[],
  zone: string,
): readonly ScheduledDay<Post>[] {
  const days = new Map<string, Post[]>();
  for (const post of posts) {
    if (post.publishAt === null) continue;
    const { date } = localTimeOf(Date.parse(post.publishAt), zone);
    days.set(date, [...(days.get(date) ?? []), post]);
  }
  return [...days].map(([date, posts]) => ({ date, posts }));
}

/** `Tuesday, 5 January 2027`. */
export function dayName(date: string, locale?: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: "full", timeZone: "UTC" }).format(
    Date.parse(`${date}T00:00:00Z`),
  );
}
