/** Words that stand in documents for what a reader has, and what printed them. */
const PRINTED: readonly [name: string, pattern: RegExp][] = [
  ["CLIENT_ID", /^client_id +(\S+)$|"client_id":"([^"]+)"/m],
  ["CLIENT_SECRET", /^client_secret +(\S+)$|"client_secret":"([^"]+)"/m],
  ["SECRET_ID", /^id +ending.*\n(?:.*\n)*([\w-]{36}) /m],
  ["DELIVERY-ID", /^id +event.*\n([\w-]{36}) /m],
  ["ID", /^id +([\w-]{20,})$/m],
  ["ID", /^id +user.*\n([\w-]{20,}) /m],
  ["DEVICE_CODE", /"device_code":"([^"]+)"/],
  ["POST_ID", /"post_id":"([^"]+)"/],
  ["USER_ID", /"user_id":"([^"]+)"/],
  ["WEBHOOK_SECRET", /(whsec_[\w+/=-]+)/],
];

/** Values that the reader of one document has seen so far, by the word that stands for each in the documents. */
export interface Values {
  /** Remembers what a block has printed. */
  learn(printed: string): void;
  set(name: string, value: string): void;
  /** The block as the reader types it: `NAME`, `{NAME}` and `NAME=…` have their values. */
  fill(text: string): string;
  /** The same without names: a file has them as names. */
  place(text: string): string;
}

/** @param here replaces of texts, such as the URL of the documents by that of the test */
export function openValues(here: Readonly<Record<string, string>>): Values {
  const known = new Map<string, string>();
  const place = (text: string) =>
    Object.entries(here).reduce((placed, [from, to]) => placed.replaceAll(from, to), text);
  return {
    learn(printed) {
      for (const [name, pattern] of PRINTED) {
        const value = pattern
          .exec(printed)
          ?.slice(1)
          .find((one) => one !== undefined);
        if (value !== undefined) known.set(name, value);
      }
    },
    place,
    set: (name, value) => known.set(name, value),
    fill(text) {
      let filled = place(text);
      for (const [name, value] of known) {
        filled = filled
          .replaceAll(new RegExp(`(?<=\\b${name}=)"?…"?`, "g"), () => value)
          .replaceAll(new RegExp(`\\{${name}\\}|(?<![\\w$\\{.-])${name}(?![\\w=}.-])`, "g"), () => value);
      }
      return filled;
    },
  };
}
