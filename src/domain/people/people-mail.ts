import type { Id } from "../id.ts";
import type { Once } from "../idempotency.ts";
import type { Invitation } from "./invitation.ts";
import type { User } from "./user.ts";

/** Mails to people that an administrator causes. Where this server sends none, the administrator gets the link to hand it over. */
export interface PeopleMail {
  /** Whether mail is sent at all. */
  readonly isOn: boolean;
  /** @returns the link, which is known this once only; null when it is mailed */
  invite(invitation: Invitation, way?: LinkWay): Promise<string | null>;
  /** A link to set a new password, good for 24 hours. @returns as `invite` */
  recover(user: User, way?: LinkWay): Promise<string | null>;
  /**
   * Tells the administrators that one of them, or an operator, made a link to this person's account; and the person, who has no mail
   * with a shown link.
   */
  tellOfRecovery(user: User, administrators: readonly User[], isShown: boolean): Promise<void>;
  /** Tells a person, and the administrators, that one of them turned off the person's second step (U71). */
  tellOfSecondStep(user: User, administrators: readonly User[]): Promise<void>;
  /** Tells a person who proved their address whether they may sign in here, though their domain signs in at another service. */
  tellOfLocalSignIn(user: User): Promise<void>;
  /** Tells a person that an administrator removed their link to another service. @param service its name, or its id */
  tellOfUnlink(user: User, service: string, account: string | null): Promise<void>;
  /** Tells a person who proved their address that they are an administrator now. */
  tellAdministrator(user: User): Promise<void>;
  /** Tells a person who proved their address that the account will be deleted, or stays. */
  tellOfDeletion(kind: "deletion-asked" | "deletion-undone", user: User): Promise<void>;
  /** @returns the mail, once it is in the outbox */
  test(address: string, once?: Once): Promise<Id>;
}

/** `shown`: the administrator gets the link, also where mail works. */
export type LinkWay = "mailed" | "shown";
