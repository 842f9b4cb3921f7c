import { type Html, html } from "./layout/html.ts";
import { layout } from "./layout/layout.ts";

/**
 * A mailed link that opens nothing (U15).
 *
 * `unknown`: it was never sent, or lost letters on its way. `withdrawn`: an invitation. `changed`: the account has changed since.
 * `other`: another link for the address was used.
 */
export type BadLink =
  | { readonly why: "unknown" | "withdrawn" | "changed" }
  | { readonly why: "expired" | "used" | "other"; readonly at: Html };

export function badLinkPage(
  model: BadLink & {
    readonly operator: string;
    /** The form that sends a new mail; null where there is none. */
    readonly againHref: string | null;
    readonly signInHref: string;
    readonly isInvitation: boolean;
  },
): string {
  const { title, text, next } = explain(model);
  const href = next === "again" ? model.againHref : next === "sign-in" ? model.signInHref : null;
  return layout(
    { title, operator: model.operator },
    html`<div class="stack">
<h1>${title}</h1>
<p>${text}</p>
</div>
${href !== null && html`<p><a class="button primary full" href="${href}">${next === "again" ? "Send a new one" : "Sign in"}</a></p>`}`,
  );
}

function explain({ isInvitation, ...link }: BadLink & { readonly isInvitation: boolean }): {
  title: string;
  text: Html | string;
  next: "again" | "sign-in" | null;
} {
  switch (link.why) {
    case "unknown":
      return {
        title: "This link is not complete",
        text: "Copy the whole address from the mail. Nothing was changed.",
        next: null,
      };
    case "expired":
      return {
        title: "This link ran out",
        text: html`It was good until ${link.at}.${isInvitation && " Ask the person who invited you for a new one."}`,
        next: "again",
      };
    case "used":
      return { title: "This link was used", text: html`That was on ${link.at}. A link works once.`, next: "sign-in" };
    case "other":
      return {
        title: "Another link was used",
        text: html`It made the account on ${link.at}. This link has no use any more.`,
        next: "sign-in",
      };
    case "withdrawn":
      return {
        title: "This invitation was withdrawn",
        text: "Ask the person who invited you for a new one.",
        next: null,
      };
    case "changed":
      return {
        title: "This link ran out",
        text: "The account has changed since this mail was sent. Nothing was changed now.",
        next: "again",
      };
  }
}
