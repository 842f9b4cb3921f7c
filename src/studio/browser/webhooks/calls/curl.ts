interface SentCall {
  readonly url: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body: string;
}

/** A command for a POSIX shell that makes the same call. */
export function curlCommand({ url, headers, body }: SentCall): string {
  const parts = [
    `curl --include ${quoted(url)}`,
    ...headers.map(({ name, value }) => `--header ${quoted(`${name}: ${value}`)}`),
    `--data-raw ${quoted(body)}`,
  ];
  return parts.join(" \\\n  ");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
