import { count, type Read, Rule } from "./setting.ts";
import { variable } from "./variable.ts";

/** The IANA name of a time zone. Offsets such as +01:00 are rejected: they have no summer time. */
const timeZone: Read<string> = (text) => {
  if (/^[A-Za-z]/.test(text) && knowsZone(text)) return text;
  throw new Rule("must be the IANA name of a time zone, such as Europe/Berlin or UTC");
};

function knowsZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** An http(s) URL in which at least one of these names stands in braces, behind the host. */
function urlTemplate(...names: readonly string[]): Read<string> {
  const places = names.map((name) => `{${name}}`);
  return (text) => {
    const url = URL.parse(text);
    const [, origin = ""] = /^(https?:\/\/[^/?#{}\s]+)[/?#]/.exec(text) ?? [];
    if (url === null || origin === "" || url.username || url.password) throw new Rule("must be an http or https URL");
    const rest = places.reduce((left, place) => left.replaceAll(place, ""), text);
    if (rest === text || /[{}\s]/.test(rest))
      throw new Rule(`must have ${places.join(" or ")} behind the host, and no other braces`);
    return text;
  };
}

/** Posts: where they are read and previewed, in which time zone they are planned, and how long their history and deleted posts are kept. */
export const CONTENT_VARIABLES = {
  TIME_ZONE: variable(
    timeZone,
    null,
    "IANA name of the operator's time zone, such as Europe/Berlin. Writers plan publications in it. Defaults to the time zone of the system.",
  ),
  POST_URL: variable(
    urlTemplate("slug", "id"),
    null,
    "URL of a post on your own site, with {slug} or {id}, such as https://example.com/blog/{slug}. It is the url of a post, and preview links of published posts lead there.",
  ),
  PREVIEW_URL: variable(
    urlTemplate("token"),
    null,
    "URL of your own page for previews, with {token}, such as https://example.com/preview?token={token}. Preview links lead there. The page asks for preview(token). Defaults to BASE_URL/preview/{token}, a page of this server.",
  ),
  REVISION_DAYS: variable(
    count(1, 36_500),
    "365",
    "Days for which the history of a post keeps its earlier texts. Published ones stay for as long as the post.",
  ),
  DELETED_DAYS: variable(
    count(0, 36_500),
    "30",
    "Days for which a deleted post can be restored, by its author, editors and administrators. Then it is gone for good, with its history. 0: a deleted post is gone immediately.",
  ),
} as const;
