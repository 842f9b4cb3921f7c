import { FEW_CODES } from "../../domain/people/second-step.ts";
import { dataSection } from "./account-data.ts";
import { eventsSection, type ShownEvent } from "./account-events.ts";
import { fewCodesBanner, type ShownSecondStep, secondStepSection } from "./account-second-step.ts";
import {
  type ActingClient,
  appsSections,
  profileSection,
  type SectionTools,
  type ShownPerson,
  type ShownSession,
  sessionsSection,
  stepForm,
  waysSection,
} from "./account-sections.ts";
import { html } from "./layout/html.ts";
import { layout } from "./layout/layout.ts";
import { letterTile, TICK, WARNING } from "./layout/marks.ts";

const NOTES = {
  session: "The session has ended, and with it all that apps were given in it.",
  client: "The app has no access any more. It has to ask you again.",
  password: "Your password has changed. Every other browser is signed out, and every app has to reconnect.",
  name: "Your name has changed.",
  email: "Your e-mail address has changed. You sign in with the new one.",
  proved: "Your e-mail address is confirmed.",
  stale: "The page was out of date. Nothing was changed. This is the current state.",
} as const;

/** The name of a note that says what the last form has done. */
export type AccountNote = keyof typeof NOTES;

export function isAccountNote(name: unknown): name is AccountNote {
  return typeof name === "string" && Object.hasOwn(NOTES, name);
}

export interface AccountModel extends SectionTools {
  readonly operator: string;
  readonly person: ShownPerson;
  /** `canSend`: whether this server sends mail. `isFailing`: the last mail to the address came back. */
  readonly mail: { readonly canSend: boolean; readonly isFailing: boolean };
  readonly secondStep: ShownSecondStep;
  readonly sessions: readonly ShownSession[];
  /** Clients that the person has allowed. */
  readonly clients: readonly ActingClient[];
  /** Clients to which the operator has given access in the person's name. */
  readonly given: readonly ActingClient[];
  readonly events: readonly ShownEvent[];
  readonly note: AccountNote | null;
}

/**
 * Page on which people see how they get in, where they are signed in, and what they allowed, and end it. Each form posts `csrf` to a step
 * below `root`.
 */
export function accountPage(model: AccountModel): string {
  const { operator, person, mail, secondStep, note } = model;
  return layout(
    { title: "Your account", operator, width: "wide" },
    html`<div class="entry">
${letterTile(person.name, "round")}
<div><h1>Your account</h1></div>
<div class="entry-actions">${stepForm(model, "sign-out", "Sign out")}</div>
</div>
${note !== null && html`<div class="note${note === "stale" && " danger"}" role="status">${note === "stale" && WARNING}<div>${NOTES[note]}</div></div>`}
${!person.emailVerified && mail.canSend && unconfirmedBanner(model)}
${mail.isFailing && html`<div class="note danger">${WARNING}<div>Mails to your address come back. <a href="${model.root}/email">Use an address that you can read</a>, or you miss what we have to tell you.</div></div>`}
${secondStep.isOn && secondStep.codesLeft <= FEW_CODES && fewCodesBanner(model, secondStep)}
${profileSection(model, person)}
${waysSection(model, person)}
${secondStepSection(model, secondStep)}
${sessionsSection(model, model.sessions)}
${appsSections(model, operator, model)}
${eventsSection(model.events, model.times, model.root)}
${dataSection(model)}`,
  );
}

function unconfirmedBanner(model: AccountModel) {
  return html`<div class="note">${WARNING}<div><p>Your e-mail address is not confirmed yet. Send a mail there, and open the link in it.</p>
${stepForm(model, "email/prove", "Send the mail")}</div></div>`;
}

export function signedOutEverywherePage(model: { operator: string; signInHref: string }): string {
  return layout(
    { title: "Signed out everywhere", operator: model.operator },
    html`${TICK}
<div class="stack">
<h1>You are signed out everywhere</h1>
<p class="muted">Every session of yours at <bdi>${model.operator}</bdi> has ended, and no app has access any more. If somebody else may know your password, sign in and change it.</p>
</div>
<p><a class="button full" href="${model.signInHref}">Sign in</a></p>`,
  );
}
