import { randomUUID } from "node:crypto";
import type { Channel } from "./channel.ts";
import type { ClientAnswer } from "./message.ts";
import { CODES, type JsonObject, ProtocolError } from "./service.ts";

/** Milliseconds that a client, and the person in front of it, has for an answer. */
const PATIENCE = 300_000;

interface Waiting {
  readonly resolve: (result: JsonObject) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Requests of the server to a client of the handshake era, which answers each with a message of its own. Over HTTP that is
 * another POST, and it must reach the same process: nothing that several processes serve may depend on it.
 */
export class ClientRequests {
  /** By ids that cannot be guessed, so that only the client asked can answer. */
  readonly #waiting = new Map<string, Waiting>();

  /**
   * @param channel way to the client; once it has ended, the client can no longer answer
   * @throws ProtocolError where the client answers with an error, or not in time
   */
  async ask(method: string, params: JsonObject, channel: Channel): Promise<JsonObject> {
    const id = randomUUID();
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<JsonObject>((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject });
        timer = setTimeout(() => reject(noAnswer()), PATIENCE).unref();
        void channel.ended.then(() => reject(noAnswer()));
        channel.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
      });
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(id);
    }
  }

  /** Takes an answer; one that nobody waits for is ignored. */
  answered({ id, result }: ClientAnswer): void {
    const waiting = this.#waiting.get(String(id));
    if (result === null) waiting?.reject(noAnswer());
    else waiting?.resolve(result);
  }

  /** Waits no longer: no answer can come any more. */
  close(): void {
    for (const { reject } of this.#waiting.values()) reject(noAnswer());
  }
}

function noAnswer(): ProtocolError {
  return new ProtocolError(CODES.invalidRequest, "The client did not answer the server's request.", { status: 200 });
}
