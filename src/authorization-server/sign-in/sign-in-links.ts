import { mountPath } from "../http/endpoints.ts";

/** Ways on from a sign-in page, for people who cannot sign in yet. */
export interface SignInLinks {
  /** null where nobody can sign up. */
  readonly signUp: string | null;
  readonly recover: string;
}

/** Query parameter of an interaction's page that shows the sign-in, though its client asked for a sign-up. */
export const EXISTING_ACCOUNT = "existing-account";

/** The way back to the sign-in, of an interaction or at the account page. @param interaction its `uid`; empty for none */
export function backToSignIn(issuer: string, interaction: string): string {
  const mount = mountPath(issuer);
  return interaction === "" ? `${mount}/account` : `${mount}/interaction/${interaction}?${EXISTING_ACCOUNT}`;
}

/** How people can get an account: `closed` too where this server sends no mail (U51). */
export type SignUpMode = "closed" | "invitation" | "open";

/** @param interaction the `uid` of a sign-in for a client, which goes on afterwards; null for none */
export function signInLinks(issuer: string, signUp: SignUpMode, interaction: string | null): SignInLinks {
  const mount = mountPath(issuer);
  const query = interaction === null ? "" : `?interaction=${interaction}`;
  return { signUp: signUp === "closed" ? null : `${mount}/sign-up${query}`, recover: `${mount}/recover${query}` };
}
