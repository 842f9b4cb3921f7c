/** The settings that letters, and the pages about them, read. */
export interface LetterSettings {
  readonly AUTH_URL: string;
  readonly OPERATOR_NAME: string;
  readonly SUPPORT_CONTACT: string | null;
  readonly SIGN_UP: "closed" | "invitation" | "open";
  readonly SIGN_UP_DOMAINS: readonly string[];
  readonly SIGN_UP_ROLE: "member" | "editor";
  /** Seconds. */
  readonly SESSION_MAX: number;
  /** Seconds. */
  readonly STEP_UP_AGE: number;
  readonly ACCOUNT_DELETION: "self" | "admin";
  /** Seconds. */
  readonly DELETION_DELAY: number;
}
