import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

export interface ReceivedMail {
  /** Of the envelope. */
  readonly from: string;
  readonly to: readonly string[];
  readonly isSecure: boolean;
  readonly email: Email;
  readonly source: string;
}

export interface MailServer {
  readonly port: number;
  readonly mails: ReceivedMail[];
  close(): Promise<void>;
}

/**
 * A mail server on this machine that keeps what it gets. It takes the login `ada` with the password `s3cret pass`.
 *
 * @param hold is waited for between a mail's last byte and the answer to it
 */
export async function openMailServer(
  options: SMTPServerOptions = {},
  hold: (mail: ReceivedMail) => Promise<unknown> | undefined = () => undefined,
): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: 50,
    logger: false,
    ...options,
    onAuth({ username, password }, _session, done) {
      if (username === "ada" && password === "s3cret pass") return done(null, { user: username });
      done(replied(535, `5.7.8 ${password} is not right`));
    },
    onData(stream, { envelope, secure }, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", async () => {
        const source = Buffer.concat(chunks).toString("utf8");
        const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        const mail = { from, to, isSecure: secure, email: await PostalMime.parse(source), source };
        mails.push(mail);
        await hold(mail);
        done();
      });
    },
  });
  server.on("error", () => {}); // a client that breaks off
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** An error that smtp-server answers with. */
export function replied(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

/** A server that says what the test wants it to, line by line. */
export async function openRawServer(
  serve: (socket: Socket, lines: AsyncIterator<string>) => Promise<void>,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => sockets.delete(socket));
    serve(socket, linesOf(socket)).catch(() => socket.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Speaks SMTP up to the answer to DATA's end, which `end` gives. */
export async function serveUntilEnd(
  socket: Socket,
  lines: AsyncIterator<string>,
  end: (socket: Socket) => void,
  hear: (command: string) => void = () => {},
): Promise<void> {
  socket.write("220 ready\r\n");
  let isData = false;
  for (;;) {
    const { value: line, done } = await lines.next();
    if (done) return;
    if (isData && line === ".") return end(socket);
    if (isData) continue;
    hear(line);
    isData = line === "DATA";
    socket.write(isData ? "354 go on\r\n" : "250 fine\r\n");
  }
}

async function* linesOf(socket: Socket): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of socket) {
    rest += chunk;
    const lines = rest.split("\r\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}
