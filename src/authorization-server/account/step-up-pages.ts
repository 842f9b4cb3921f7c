/** Pages below `/account` that want a recent sign-in. A request names one of them, and never a URL (U03). */
export const STEP_UP_PAGES = [
  "email",
  "password",
  "passkeys",
  "links",
  "link",
  "second-step",
  "authenticator",
  "export",
  "delete",
] as const;

export type StepUpPage = (typeof STEP_UP_PAGES)[number];

/** @returns null for anything that names no such page */
export function stepUpPageNamed(name: unknown): StepUpPage | null {
  return STEP_UP_PAGES.find((page) => page === name) ?? null;
}
