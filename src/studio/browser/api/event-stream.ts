/**
 * Results of a subscription from Server-Sent Events (GraphQL over SSE, distinct connections mode). Ends with the event
 * `complete` or with the connection.
 */
export async function* readEvents<Data>(answer: Response): AsyncGenerator<{ readonly data?: Data | null }> {
  if (answer.body === null) return;
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const events = (rest + value).split("\n\n");
      rest = events.pop() ?? "";
      for (const event of events) {
        const fields = new Map(event.split("\n").map((line) => splitField(line)));
        if (fields.get("event") === "complete") return;
        if (fields.get("event") === "next") yield JSON.parse(fields.get("data") ?? "null");
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function splitField(line: string): [name: string, value: string] {
  const at = line.indexOf(":");
  return at === -1 ? [line, ""] : [line.slice(0, at), line.slice(at + 1).replace(/^ /, "")];
}
