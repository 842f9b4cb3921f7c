// @ts-check

/**
 * The execution results of an answer by the GraphQL over SSE protocol. Whoever stops reading ends the subscription.
 *
 * @param {ReadableStream<Uint8Array>} body
 * @returns {AsyncGenerator<unknown, void, undefined>}
 */
export async function* readResults(body) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) throw new Error("The connection has ended. Run the subscription again.");
      const events = (text + decoder.decode(value, { stream: true })).split("\n\n");
      text = events.pop() ?? "";
      for (const event of events) {
        const lines = event.split("\n");
        if (lines.includes("event: complete")) return;
        const data = lines.find((line) => line.startsWith("data: "));
        if (data !== undefined) yield JSON.parse(data.slice("data: ".length));
      }
    }
  } finally {
    await reader.cancel();
  }
}
