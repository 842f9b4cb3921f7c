import { type Imprint, type Letter, type RenderedLetter, renderLetter } from "./letter.ts";
import type { MailSender } from "./sender.ts";

/** Letters that are kept; older ones are forgotten. */
const MOST_LETTERS = 50;

export interface KeptLetter extends RenderedLetter {
  /** 1 for the first letter since the start. */
  readonly number: number;
  /** ISO 8601. */
  readonly at: string;
  readonly to: string;
}

export interface MailboxOptions extends Imprint {
  readonly now: () => number;
  /** Base of the pages that show the letters. */
  readonly AUTH_URL: string;
  /** Prints one line on the developer's terminal. */
  readonly announce: (line: string) => void;
}

export interface Mailbox extends MailSender {
  /** Newest first. */
  list(): readonly KeptLetter[];
  /** null for a letter that was never there, or is forgotten. */
  find(number: number): KeptLetter | null;
}

/** Keeps letters in memory instead of sending them, for developers: their links sign people in. */
export function openMailbox(options: MailboxOptions): Mailbox {
  const { now, AUTH_URL, announce } = options;
  const letters: KeptLetter[] = [];
  let last = 0;

  return {
    async send(letter: Letter) {
      const kept = {
        number: ++last,
        at: new Date(now()).toISOString(),
        to: letter.to,
        ...renderLetter(letter, options),
      };
      letters.unshift(kept);
      letters.length = Math.min(letters.length, MOST_LETTERS);
      const page = `${AUTH_URL.replace(/\/$/, "")}/mailbox/${kept.number}`;
      announce(`Mail to ${printable(letter.to)}, "${printable(kept.subject)}": ${page}`);
      return { result: "sent" };
    },
    list: () => [...letters],
    find: (number) => letters.find((letter) => letter.number === number) ?? null,
    close() {},
  };
}

/** Without what a terminal would act on. */
function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, "");
}
