import {
  EndAllSessions,
  EndOneSession,
  ForgetAttempts,
  LockPerson,
  SendRecovery,
  SetLocalSignIn,
  UnlinkService,
  WithdrawConsent,
} from "../../documents/person.ts";
import type { Account, PersonModel } from "./person-model.ts";

/** A change that a question comes before, without anything to choose. */
export type PlainStep =
  | { readonly kind: "lock" | "recovery" | "sessions" | "attempts" }
  | { readonly kind: "local"; readonly isAllowed: boolean }
  | { readonly kind: "unlink"; readonly link: Account["upstreams"][number] }
  | { readonly kind: "session"; readonly session: Account["sessions"][number] }
  | { readonly kind: "client"; readonly client: Account["clients"][number] };

export type Step =
  | PlainStep
  | { readonly kind: "role" }
  | { readonly kind: "second-step" }
  | { readonly kind: "export" }
  | { readonly kind: "delete" };

interface Question {
  readonly title: string;
  /** Says what will happen, and what will stay. */
  readonly sentences: readonly string[];
  readonly action: string;
  /** Said once the change is made. */
  readonly done: string;
  /** @returns a link to hand over; null where the server mailed it, or there is none. @throws ApiFailure */
  run(model: PersonModel): Promise<string | null>;
}

/** The question before a change, and the change. @param isMe whether administrators do it to themselves */
export function questionOf(step: PlainStep, { id, name }: Pick<Account, "id" | "name">, isMe: boolean): Question {
  switch (step.kind) {
    case "lock":
      return {
        title: `Lock ${name} out?`,
        sentences: [
          "Sign-ins fail, and all sessions and tokens end within a second.",
          "Invitations by this person are withdrawn. Posts stay. You can let the person in again.",
        ],
        action: "Lock out",
        done: `${name} is locked out.`,
        run: (model) => plain(model.change(LockPerson, { id })),
      };
    case "recovery":
      return {
        title: `Send ${name} a link for a new password?`,
        sentences: [
          "The link is good for 24 hours. Nothing changes until the person chooses a new password. Then all sessions end.",
          "The server mails the link. A server that sends no mail shows it here, for you to hand over. Check who is asking before you do: the link is the account.",
        ],
        action: "Send link",
        done: `There is a link for ${name}.`,
        run: async (model) => (await model.change(SendRecovery, { id })).sendRecovery?.link ?? null,
      };
    case "attempts":
      return {
        title: `Reset the failed attempts of ${name}?`,
        sentences: [
          "The person can try the password and the second step again immediately. Only in a browser in which they have signed in before, attempts at the password count for 15 minutes all the same.",
          "Somebody may be guessing. Check who is asking first.",
        ],
        action: "Reset failed attempts",
        done: `${name} can try again.`,
        run: (model) => plain(model.change(ForgetAttempts, { id })),
      };
    case "local": {
      const { isAllowed } = step;
      return {
        title: isAllowed ? `Allow ${name} to sign in here?` : `End the sign-in of ${name} here?`,
        sentences: [
          isAllowed
            ? "The person can sign in with a password or a passkey, although the domain of the e-mail address signs in with another service. Other domains need no permission."
            : "If the domain of the e-mail address signs in with another service, the person can sign in with that service only. Sessions go on until they end.",
          "A mail tells the person, if this server sends mail.",
        ],
        action: isAllowed ? "Allow sign-in here" : "End sign-in here",
        done: isAllowed ? `${name} can sign in here.` : `${name} signs in as the domain does.`,
        run: (model) => plain(model.change(SetLocalSignIn, { id, isAllowed })),
      };
    }
    case "sessions":
      return {
        title: isMe ? "Sign out everywhere?" : `Sign ${name} out everywhere?`,
        sentences: [
          "All sessions and tokens end within a second, and those of clients too.",
          isMe ? "You are signed out here as well." : "The person can sign in again.",
        ],
        action: "Sign out everywhere",
        done: `${name} is signed out everywhere.`,
        run: (model) => plain(model.change(EndAllSessions, { id })),
      };
    case "unlink": {
      const { provider, subject, email } = step.link;
      return {
        title: `Remove the link to ${provider}?`,
        sentences: [
          `${name} can no longer sign in as ${email ?? subject} at ${provider}. A mail tells the person, if this server sends mail.`,
          "Sessions go on until they end.",
        ],
        action: "Remove link",
        done: `The link to ${provider} is removed.`,
        run: (model) => plain(model.change(UnlinkService, { id, provider, subject })),
      };
    }
    case "session": {
      const browser = step.session.browser ?? "a browser";
      return {
        title: "End this session?",
        sentences: [
          `${name} is signed out of ${browser}. Clients that were allowed in it lose their access within a second.`,
          ...(isMe ? ["If it is the browser that you use now, you are signed out here."] : []),
        ],
        action: "End session",
        done: `${name} is signed out of ${browser}.`,
        run: (model) => plain(model.change(EndOneSession, { id: step.session.id })),
      };
    }
    case "client": {
      const client = step.client.name;
      return {
        title: `Withdraw the access of ${client}?`,
        sentences: [
          `Its tokens for ${name} end within a second. It has to ask the person again.`,
          ...(isMe && step.client.clientId === "studio" ? ["You are signed out here."] : []),
        ],
        action: "Withdraw access",
        done: `${client} no longer has access to the account of ${name}.`,
        run: (model) => plain(model.change(WithdrawConsent, { id, clientId: step.client.clientId })),
      };
    }
  }
}

async function plain(change: Promise<unknown>): Promise<null> {
  await change;
  return null;
}
