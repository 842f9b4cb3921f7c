/** Characters of a reason that are kept. */
const MOST_CHARACTERS = 200;

const DNS = /^(?:ENOTFOUND|EAI_\w+|ENODATA|ESERVFAIL)$/;
const TLS = /^(?:CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|EPROTO)/;

const CONNECTIONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the host refused the connection",
  ECONNRESET: "the receiver closed the connection",
  EPIPE: "the receiver closed the connection",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the host cannot be reached",
  ETIMEDOUT: "the host did not accept the connection in time",
};

/** The reason why a call failed, in a few words. Errors of the system are named, and their words never name an IP address. */
export function failureWords(thrown: unknown): string {
  if (!(thrown instanceof Error)) return "the call failed";
  const { code } = thrown as NodeJS.ErrnoException;
  return wordsFor(thrown.message, code, thrown.name).slice(0, MOST_CHARACTERS);
}

function wordsFor(message: string, code: string | undefined, name: string): string {
  if (typeof code !== "string") return message || name;
  if (DNS.test(code)) return `DNS: the host name was not found (${code})`;
  if (TLS.test(code)) return `TLS: the connection is not secure (${code})`;
  const known = CONNECTIONS[code];
  return known === undefined ? message || code : `${known} (${code})`;
}

/** The answer as an error; null for 2xx. */
export function statusWords(status: number): string | null {
  return status >= 200 && status <= 299 ? null : `the receiver answered ${status}`;
}

/** As `statusWords`, with what a person has to know about a redirect. */
export function explain(status: number | null, error: string | null): string | null {
  return error !== null && status !== null && status >= 300 && status <= 399
    ? `${error}, and redirects are not followed`
    : error;
}
