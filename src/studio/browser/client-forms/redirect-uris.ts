import { assertRedirectUri } from "../../../domain/clients/redirect-uri.ts";

/** One URI of a list, as somebody typed it. */
export interface JudgedUri {
  readonly uri: string;
  /** Why the server rejects it, and what helps; null for a good one. */
  readonly error: string | null;
  /** Advice about a common mistake with such a URI; null where there is none. */
  readonly advice: string | null;
}

/** Schemes that no server accepts for a program of the device. */
const SCHEMES_OF_BROWSERS = new Set(["about", "blob", "data", "file", "ftp", "javascript", "vbscript", "ws", "wss"]);

/** URIs of a text with one in each line. Empty lines are left out. */
export function urisOf(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** Judges redirect URIs by the rule of the server, and explains common mistakes. */
export function judgeUris(text: string): readonly JudgedUri[] {
  const seen = new Set<string>();
  return urisOf(text).map((uri) => {
    const error = mistakeIn(uri) ?? brokenRule(uri) ?? (seen.has(uri) ? "This URI is in the list twice." : null);
    seen.add(uri);
    return { uri, error, advice: error === null ? adviceFor(uri) : null };
  });
}

/** A sentence for a form that cannot be sent; null where all URIs are good. */
export function urisError(text: string): string | null {
  const wrong = judgeUris(text).filter(({ error }) => error !== null);
  if (wrong.length === 0) return null;
  return wrong.length === 1
    ? `“${wrong[0]?.uri}” is not possible. ${wrong[0]?.error}`
    : `${wrong.length} of the URIs are not possible.`;
}

/** A mistake for which the server's words say less than can be said here. */
function mistakeIn(uri: string): string | null {
  if (/[\s,;]+[a-z][\w+.-]*:\/\//i.test(uri)) return "Write one URI in each line.";
  if (/^(localhost|[\w-]+(\.[\w-]+)+|\[[\da-f:]+\])(:\d{1,5})?([/?#]|$)/i.test(uri))
    return /^(localhost|127\.|\[::1\])/i.test(uri)
      ? `Begin with http://, such as http://${uri}`
      : `Begin with https://, such as https://${uri}`;
  if (uri.includes("*"))
    return URL.parse(uri)?.hostname.includes("*") === true || /^\w+:\/\/[^/]*\*/.test(uri)
      ? "Wildcards are not possible, because URIs are compared character by character. Write each host in a line of its own."
      : null;
  const hash = uri.indexOf("#");
  if (hash > 0 && URL.canParse(uri)) return `Leave out the part from # on: ${uri.slice(0, hash)}`;
  if (/^http:\/\//i.test(uri) && brokenRule(uri) !== null && brokenRule(uri.replace(/^http:/i, "https:")) === null)
    return `Use https, such as ${uri.replace(/^http:/i, "https:")}. Plain http works for 127.0.0.1, [::1] and localhost only.`;
  return null;
}

/** The rule of the server, in its words without the URI; null for a good one. */
function brokenRule(uri: string): string | null {
  const scheme = URL.parse(uri)?.protocol.slice(0, -1) ?? "";
  // The server has a list of schemes without a dot (NATIVE_SCHEMES), which is not known here.
  const known = SCHEMES_OF_BROWSERS.has(scheme) || /^https?$/.test(scheme) ? [] : [scheme];
  try {
    assertRedirectUri("redirectUris", uri, known);
    return null;
  } catch (error) {
    return (error as Error).message.replace(`"${uri}" `, "It ");
  }
}

function adviceFor(uri: string): string | null {
  const url = new URL(uri);
  const scheme = url.protocol.slice(0, -1);
  if (!/^https?$/.test(scheme))
    return scheme.includes(".")
      ? null
      : "The server accepts a scheme without a dot only if its setting NATIVE_SCHEMES names it.";
  if (url.hostname === "localhost")
    return "localhost and 127.0.0.1 are two hosts. The program must send exactly this one. 127.0.0.1 is safer, and its port may differ.";
  if (url.pathname.length > 1 && url.pathname.endsWith("/"))
    return "With and without the slash at the end are two URIs. The program must send it with the slash.";
  if (url.pathname === "/" && url.search === "")
    return uri.endsWith("/")
      ? "With and without the slash at the end are two URIs. The program must send it with the slash."
      : "With and without a slash at the end are two URIs. The program must send it without one.";
  if (url.search !== "") return "The query is compared too. The program must send the same one.";
  if (/[A-Z]/.test(url.pathname)) return "Upper and lower case count. The program must send it exactly so.";
  return null;
}
