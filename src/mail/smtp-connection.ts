import type { SmtpServer } from "./smtp-settings.ts";

/** Milliseconds for one attempt. */
export interface SmtpLimits {
  /** From the lookup of the server's name until it has greeted and TLS is there. */
  readonly connect: number;
  /** The whole attempt, also with a server that sends a byte now and then. */
  readonly whole: number;
}

/** Milliseconds that a server has for its side of the end of a connection. */
const LAST_WAIT = 1_000;

export type SmtpConnectionOptions = ReturnType<typeof connectionOptions>;

/**
 * Options of nodemailer, for letters and for a bare connection.
 * @param ca certificates in PEM that are believed instead of those that Node knows
 */
export function connectionOptions(
  { host, port, tls, user }: SmtpServer,
  { connect, whole }: SmtpLimits,
  ca: string | undefined,
) {
  return {
    host,
    port,
    secure: tls === "implicit",
    requireTLS: tls === "starttls",
    ignoreTLS: tls === "none",
    tls: { minVersion: "TLSv1.2", rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) },
    // With forceAuth, a server that offers no login gets no mail either.
    ...(user === null ? {} : { auth: { user: user.name, pass: user.password }, forceAuth: true }),
    connectionTimeout: connect,
    greetingTimeout: connect,
    dnsTimeout: connect,
    socketTimeout: whole,
    socketCloseTimeout: LAST_WAIT,
  } as const;
}
