import WebSocket from "ws";

/**
 * Sends messages over a WebSocket at `/graphql`, one for each line, then a ping.
 *
 * @returns messages of the server, and the code with which it closed, if it did
 */
export function sendMessages(port: number, text: string, limit: number): Promise<readonly string[]> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, "graphql-transport-ws");
  const heard: string[] = [];
  return new Promise((resolve, reject) => {
    const settle = (error: Error | null) => {
      clearTimeout(timer);
      socket.removeAllListeners();
      socket.on("error", () => {});
      socket.terminate();
      if (error === null) resolve(heard);
      else reject(error);
    };
    const timer = setTimeout(() => settle(new Error(`no pong within ${limit} ms`)), limit);
    socket.on("open", () => {
      // A line that begins with a tab is sent as bytes.
      for (const line of text.split("\n")) {
        const bytes = Buffer.from(line, "latin1");
        socket.send(bytes, { binary: line.startsWith("\t") || bytes.toString("latin1") !== bytes.toString() });
      }
      socket.send('{"type":"ping"}');
    });
    socket.on("message", (message: Buffer) => {
      heard.push(message.toString());
      if (/^\{"type":"pong"/.test(message.toString())) settle(null);
    });
    socket.on("close", (code, reason) => {
      heard.push(`closed ${code} ${reason}`);
      settle(null);
    });
    socket.on("error", () => {}); // followed by close
  });
}
