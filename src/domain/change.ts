/**
 * A change, in this process or in another one. It carries an id only: listeners read more from the store,
 * which already has the change.
 */
export interface Change {
  /**
   * The kind of change: an access token was destroyed (its hash), a grant or everything of a person was revoked, a
   * person or client has other settings, the signing keys are others, the outbox has a new
   * event, a mail waits to be sent, or agents were stopped or let in again.
   */
  readonly kind: ChangeKind;
  /** null: an unknown one of them, possibly none: a notification may be a false alarm. */
  readonly id: string | null;
}

export const CHANGE_KINDS = ["token", "grant", "user", "client", "keys", "event", "mail", "agents"] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** Must not throw. */
export type ChangeListener = (change: Change) => void;
