/* The forms that a setting may have, each as a function from its text to its value. */

/** Reads one setting. @throws Rule with what it must be */
export type Read<T> = (text: string) => T;

export class Rule extends Error {}

/** A setting of one form. */
function matching<T>(pattern: RegExp, rule: string, convert: (text: string) => T): Read<T> {
  return (text) => {
    if (!pattern.test(text)) throw new Rule(rule);
    return convert(text);
  };
}

/** A whole number within bounds. */
export function count(least: number, most: number): Read<number> {
  return (text) => {
    const number = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new Rule(`must be a whole number from ${least} to ${most}`);
  };
}

export function oneOf<T extends string>(...values: readonly T[]): Read<T> {
  return (text) => {
    const value = values.find((candidate) => candidate === text);
    const others = values.slice(0, -1).join(", ");
    if (value === undefined) throw new Rule(`must be ${others === "" ? "" : `${others} or `}${values.at(-1)}`);
    return value;
  };
}

export const flag: Read<boolean> = (text) => oneOf("true", "false")(text) === "true";

/** Text of at least one character. */
export function text(most: number): Read<string> {
  return (value) => {
    if (value.length >= 1 && value.length <= most) return value;
    throw new Rule(`must have 1 to ${most} characters`);
  };
}

const UNITS: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** `900`, `15m`, `12h`, `30d` → seconds. */
export function parseDuration(text: string): number | null {
  const match = /^(\d{1,9})([smhd]?)$/.exec(text);
  const seconds = match === null ? 0 : Number(match[1]) * (UNITS[match[2] || "s"] ?? 0);
  return seconds > 0 ? seconds : null;
}

const YEAR = 365 * 86_400;

export const duration: Read<number> = (text) => {
  const seconds = parseDuration(text);
  if (seconds === null || seconds > YEAR)
    throw new Rule("must be a duration such as 900, 15m, 12h or 30d, 365d at most");
  return seconds;
};

/** A short duration, or 0 for none. */
export const grace: Read<number> = (text) => {
  const seconds = text === "0" ? 0 : parseDuration(text);
  if (seconds === null || seconds > 300) throw new Rule("must be 0 or a duration such as 30s, 5m at most");
  return seconds;
};

/** A short time such as `500ms` or `1s`, as milliseconds. */
export function milliseconds(least: number, most: number): Read<number> {
  return (text) => {
    const [, digits, unit] = /^(\d{1,6})(ms|s)$/.exec(text) ?? [];
    const time = Number(digits) * (unit === "s" ? 1_000 : 1);
    if (time >= least && time <= most) return time;
    throw new Rule(`must be a time such as 500ms or 1s, from ${least}ms to ${most}ms`);
  };
}

/** An http(s) address without query, fragment, user information or trailing slash; kept character by character. */
export const publicUrl: Read<string> = (text) => {
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol)) throw new Rule("must be an http or https address");
  if (url.search || url.hash || url.username || url.password) {
    throw new Rule("must have no query, fragment or user information");
  }
  if (text.endsWith("/")) throw new Rule("must not end with a slash");
  const written = url.href.replace(/\/$/, "");
  if (written !== text) throw new Rule(`must be written as ${written}`);
  return text;
};

export const databaseUrl = matching(
  /^(sqlite:|postgres(ql)?:\/\/)./,
  "must be sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE",
  String,
);

export const postgresUrl = matching(
  /^postgres(ql)?:\/\/./,
  "must be postgres://USER:PASSWORD@HOST:PORT/DATABASE",
  String,
);

export const secretKey = matching(
  /^[A-Za-z0-9_-]{43}$/,
  "must be 32 random bytes in base64url (43 characters), as made by: openssl rand -base64 32 | tr '+/' '-_' | tr -d '='",
  String,
);

/** A bearer token (RFC 6750 section 2.1) that nobody guesses. */
export const bearerToken = matching(/^[\w.~+/-]{32,500}=*$/, "must have 32 to 500 characters of a token", String);

export const trustProxy = matching<false | string[]>(
  /^(false|[0-9a-fA-F.:]+(\/\d{1,3})?( *, *[0-9a-fA-F.:]+(\/\d{1,3})?)*)$/,
  "must be false, or the proxies' addresses, such as 127.0.0.1,10.0.0.0/8",
  (text) => text !== "false" && text.split(/ *, */),
);

/** The entries of a list, which commas separate. */
function listed(text: string): string[] {
  return text.split(/ *, */).filter((part) => part !== "");
}

export const origins: Read<string[]> = (text) => {
  const list = listed(text);
  if (list.every((origin) => URL.parse(origin)?.origin === origin)) return list;
  throw new Rule("must be origins such as https://app.example.com, separated by commas");
};

/** An API elsewhere that tokens may be for, and what those are signed with. */
interface ResourceSetting {
  readonly identifier: string;
  readonly algorithm: "ES256" | "RS256";
}

/** Resource identifiers (RFC 8707 section 2), each alone or followed by a space and an algorithm. */
export const resources: Read<ResourceSetting[]> = (text) => {
  const list = listed(text);
  const read = list.flatMap((part): ResourceSetting[] => {
    const [identifier = "", algorithm = "ES256", ...more] = part.split(/ +/);
    const isKnown = algorithm === "ES256" || algorithm === "RS256";
    return isKnown && more.length === 0 && isResourceIdentifier(identifier) ? [{ identifier, algorithm }] : [];
  });
  if (read.length === list.length && new Set(read.map(({ identifier }) => identifier)).size === list.length)
    return read;
  throw new Rule(
    "must be different addresses such as https://api.example.com/v1, without query or fragment, each alone or followed by a space and ES256 or RS256, separated by commas",
  );
};

function isResourceIdentifier(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol) || /[?#]/.test(text)) return false;
  return url.username === "" && url.password === "" && (url.href === text || url.href === `${text}/`);
}

/** Hosts as a URL has them. */
export const hosts: Read<string[]> = (text) => {
  const list = listed(text);
  if (list.every((host) => URL.parse(`https://${host}/`)?.hostname === host)) return list;
  throw new Rule("must be host names such as intranet.example.com, in lower case, separated by commas");
};

/** Schemes that a browser itself acts on, or that lead to a web page, and so are no program's own. */
const NOT_NATIVE: ReadonlySet<string> = new Set(
  "about blob data file filesystem ftp http https javascript mailto vbscript view-source ws wss".split(" "),
);

/** URI schemes (RFC 3986 section 3.1) of programs. */
export const schemes: Read<string[]> = (text) => {
  const list = text.split(/ +/).filter((part) => part !== "");
  if (list.every((scheme) => /^[a-z][a-z\d+.-]*$/.test(scheme) && !NOT_NATIVE.has(scheme))) return list;
  throw new Rule(
    `must be schemes such as cursor, in lower case, separated by spaces; never one of ${[...NOT_NATIVE].join(", ")}`,
  );
};

/** Scopes (RFC 6749 section 3.3), each once. Their names are checked by `serve` (app/usable.ts). */
export const scopes: Read<string[]> = (text) => {
  const list = text.split(/ +/).filter((part) => part !== "");
  if (list.length > 0 && list.every((scope) => /^[\w:.-]+$/.test(scope)) && new Set(list).size === list.length)
    return list;
  throw new Rule("must be different scopes such as posts:read, separated by spaces");
};

/** `POINTS/SECONDS`: what a bucket holds, and how long it takes to fill up; `off` for no bucket. */
export const quota: Read<{ readonly points: number; readonly seconds: number } | null> = (text) => {
  if (text === "off") return null;
  const [points = 0, seconds = 0] = /^[1-9]\d{0,9}\/[1-9]\d{0,5}$/.test(text) ? text.split("/").map(Number) : [];
  // Clients read the points as an Int of GraphQL.
  if (points > 0 && points < 2 ** 31) return { points, seconds };
  throw new Rule("must be POINTS/SECONDS such as 600000/60, with fewer than 2147483648 points, or off");
};

/** `20/h`: how many, and in which time. */
export const rate: Read<{ readonly count: number; readonly seconds: number }> = (text) => {
  const [, number, unit = ""] = /^([1-9]\d{0,5})\/([mhd])$/.exec(text) ?? [];
  const seconds = UNITS[unit];
  if (number === undefined || seconds === undefined)
    throw new Rule("must be a number per minute, hour or day, such as 20/h");
  return { count: Number(number), seconds };
};

/**
 * The mail server: `smtps://USER@HOST:PORT` for TLS from the first byte, `smtp://` for STARTTLS, without which nothing is sent.
 * Only to this machine may it be in the clear.
 */
export const smtpUrl: Read<string> = (text) => {
  const url = URL.parse(text);
  if (url === null || !["smtp:", "smtps:"].includes(url.protocol) || url.hostname === "")
    throw new Rule("must be smtps://USER@HOST:PORT or smtp://USER@HOST:PORT");
  if (url.search || url.hash || !["", "/"].includes(url.pathname))
    throw new Rule("must have no path, query or fragment");
  return text;
};

/** The sender: `Name <address>`, or an address alone. `serve` judges the address by its whole grammar (app/usable.ts). */
export const mailbox: Read<string> = (text) => {
  const match = /^(?:[^<>"\\\p{Cc}]{1,60} )?<([^<>\s]+)>$|^([^<>\s]+)$/u.exec(text);
  const address = match?.[1] ?? match?.[2];
  if (address === undefined || !/^[^@]+@[^@]+\.[^@]+$|^[^@]+@localhost$/.test(address))
    throw new Rule("must look like Name <name@example.com> or name@example.com");
  return text;
};

/** An e-mail address or an https URL. */
export const contact: Read<string> = (text) => {
  if (/^[^\s@<>"]+@[^\s@<>"]+$/.test(text) || URL.parse(text)?.protocol === "https:") return text;
  throw new Rule("must be an e-mail address or an https URL");
};

/** A domain as DNS has it, of one label or more. */
export const domainName: Read<string> = (text) => {
  if (isDomain(text)) return text;
  throw new Rule("must be a domain such as example.com, in lower case and ASCII");
};

function isDomain(text: string): boolean {
  return URL.parse(`https://${text}/`)?.hostname === text && !/^[\d.]+$/.test(text);
}

/** Domains of addresses: `example.com` is that one alone, `.example.com` every one below it. */
export const mailDomains: Read<string[]> = (text) => {
  const list = listed(text);
  const isAllowed = (domain: string) => domain.includes(".") && isDomain(domain);
  if (list.every((entry) => isAllowed(entry.replace(/^\./, "")))) return list;
  throw new Rule(
    "must be domains such as example.com, or .example.com for all below it, in lower case and ASCII, separated by commas",
  );
};
