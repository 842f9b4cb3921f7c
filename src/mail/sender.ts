import type { Letter } from "./letter.ts";

/** The outcome of one attempt. A reason is short, and never has a secret or a part of the letter in it. */
export type SendOutcome =
  | { readonly result: "sent" }
  /** It may work later: the server was busy, slow or out of reach. It may even have taken the letter. */
  | { readonly result: "retry"; readonly reason: string }
  /** The server does not take this letter, or none for this recipient. */
  | { readonly result: "refused"; readonly reason: string }
  /** Nothing can be sent now, through no fault of this letter: our login, our TLS or our sender's address. */
  | { readonly result: "unavailable"; readonly reason: string };

export interface MailSender {
  /**
   * Makes one attempt. It never rejects.
   * @param messageId with its angle brackets
   */
  send(letter: Letter, messageId: string): Promise<SendOutcome>;
  /** Breaks off attempts that are under way. */
  close(): void;
}
