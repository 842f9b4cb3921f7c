import { html } from "./layout/html.ts";
import { layout } from "./layout/layout.ts";
import { type NewAccountModel, newAccountForm } from "./new-account-form.ts";

/** The account of an invited person. */
export function invitationPage(
  model: NewAccountModel & {
    /** The administrator's name; null for the operator at the terminal. */
    readonly inviter: string | null;
  },
): string {
  const { operator, inviter, goodUntil } = model;
  return layout(
    { title: "Your invitation", operator },
    html`<div class="stack">
<h1>Create your account</h1>
<p>${
      inviter === null
        ? html`You are invited to <bdi>${operator}</bdi>.`
        : html`<bdi>${inviter}</bdi> invites you to <bdi>${operator}</bdi>.`
    }</p>
<p class="muted">This link is good until ${goodUntil}.</p>
</div>
${newAccountForm(model)}`,
  );
}
