import type { TLSSocket } from "node:tls";
import type { SmtpConnectionOptions } from "./smtp-connection.ts";
import { isAboutTls, reasonOf, type SmtpError, words } from "./smtp-failure.ts";
import type { SmtpServer } from "./smtp-settings.ts";

/** One step of a connection, in words for a terminal. */
export interface SmtpStep {
  readonly name: "connect" | "greeting" | "TLS" | "login";
  readonly isOk: boolean;
  readonly words: string;
}

type StepName = SmtpStep["name"];

/**
 * Connects and logs in without sending anything, and says how each step went. It stops at the first that fails.
 * @param whole milliseconds for all of it
 * @returns whether all went well
 */
export async function probeSmtp(
  server: SmtpServer,
  options: SmtpConnectionOptions,
  whole: number,
  onStep: (step: SmtpStep) => void,
): Promise<boolean> {
  const { default: SMTPConnection } = await import("nodemailer/lib/smtp-connection");
  const connection = new SMTPConnection({ ...options });
  const { promise: broken, reject: breakOff } = Promise.withResolvers<never>();
  broken.catch(() => {}); // nobody may be waiting any more
  connection.on("error", breakOff);
  connection.once("end", () => breakOff({ code: "ECONNECTION" } satisfies SmtpError));
  const late = setTimeout(() => breakOff({ code: "ETIMEDOUT" } satisfies SmtpError), whole);
  const order: StepName[] =
    server.tls === "implicit" ? ["connect", "TLS", "greeting", "login"] : ["connect", "greeting", "TLS", "login"];
  let done = 0;

  function succeedUntil(end: number, login = ""): void {
    for (; done < end; done++) {
      const name = order[done] as StepName;
      onStep({ name, isOk: true, words: name === "login" ? login : wordsFor(name) });
    }
  }

  function wordsFor(name: Exclude<StepName, "login">): string {
    if (name === "connect") return `connected to ${server.host}, port ${server.port}`;
    if (name === "greeting") return "the mail server answers";
    if (server.tls === "none") return "not used: the mail server is on this machine";
    return `${(connection._socket as TLSSocket).getProtocol()}, the certificate is valid`;
  }

  function failAt(name: StepName, error: SmtpError): false {
    succeedUntil(order.indexOf(name));
    onStep({ name, isOk: false, words: explain(error, server) });
    return false;
  }

  try {
    try {
      await Promise.race([broken, settle((done) => connection.connect(done))]);
    } catch (error) {
      return failAt(failedStep(error as SmtpError, connection.stage), error as SmtpError);
    }
    succeedUntil(3);
    const { user } = server;
    if (user === null) {
      succeedUntil(4, "not used: SMTP_URL has no user");
      return true;
    }
    try {
      const login = settle((done) => connection.login({ user: user.name, pass: user.password }, done));
      await Promise.race([broken, login]);
    } catch (error) {
      return failAt("login", error as SmtpError);
    }
    succeedUntil(4, `logged in as ${user.name}`);
    connection.quit();
    return true;
  } finally {
    clearTimeout(late);
    connection.close();
  }
}

function settle(start: (done: (error?: SmtpError | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    start((error) => (error ? reject(error) : resolve()));
  });
}

function failedStep(error: SmtpError, stage: "init" | "connected"): Exclude<StepName, "login"> {
  if (isAboutTls(error) || error.command === "STARTTLS" || error.timeoutType === "UPGRADE_TIMEOUT") return "TLS";
  return stage === "init" ? "connect" : "greeting";
}

/** The server's own words too: it has seen no letter. A password that it repeats is taken out. */
function explain(error: SmtpError, { user }: SmtpServer): string {
  if (!error.response) return reasonOf(error);
  const secrets = user === null ? [] : [user.password, Buffer.from(user.password).toString("base64")];
  const said = secrets.reduce((text, secret) => text.replaceAll(secret, "…"), error.response);
  return `the mail server answered ${words(said)}`;
}
