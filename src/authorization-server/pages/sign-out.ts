import { type Html, html } from "./layout/html.ts";
import { layout } from "./layout/layout.ts";
import { TICK } from "./layout/marks.ts";

/**
 * Asks before signing out (OpenID Connect RP-Initiated Logout 1.0, section 2).
 *
 * `form` is the protocol library's whole form, with the id `op.logoutForm`. The buttons stand outside it and belong
 * to it by `form=`: with `logout=yes` the session ends, without it the person stays signed in.
 */
export function signOutPage(model: { operator: string; form: Html; clientName: string | null }): string {
  return layout(
    { title: "Sign out", operator: model.operator },
    html`<div class="stack">
<h1>Sign out?</h1>
<p class="muted">${model.clientName !== null && html`<strong><bdi>${model.clientName}</bdi></strong> asks whether you want to sign out. `}This ends your <bdi>${model.operator}</bdi> session in this browser.</p>
</div>
${model.form}
<div class="pair">
<button class="primary" type="submit" form="op.logoutForm" name="logout" value="yes">Sign out</button>
<button type="submit" form="op.logoutForm">Stay signed in</button>
</div>`,
  );
}

/** The end of a sign-out, when the client has named no address to go back to. */
export function signedOutPage(model: {
  operator: string;
  clientName: string | null;
  /** Whether the person has chosen to stay signed in. */
  isSignedIn: boolean;
}): string {
  if (model.isSignedIn)
    return layout(
      { title: "Still signed in", operator: model.operator },
      html`<div class="stack">
<h1>You are still signed in</h1>
<p class="muted">Your <bdi>${model.operator}</bdi> session in this browser continues. ${
        model.clientName !== null && html`<strong><bdi>${model.clientName}</bdi></strong> has lost its access to it. `
      }You can close this page.</p>
</div>`,
    );
  return layout(
    { title: "Signed out", operator: model.operator },
    html`${TICK}
<div class="stack">
<h1>You are signed out</h1>
<p class="muted">Your <bdi>${model.operator}</bdi> session in this browser has ended. ${
      model.clientName !== null &&
      html`<strong><bdi>${model.clientName}</bdi></strong> may keep a session of its own; sign out there too. `
    }You can close this page.</p>
</div>`,
  );
}
