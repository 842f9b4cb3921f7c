import { type SectionTools, stepForm } from "./account-sections.ts";
import { type Html, html } from "./layout/html.ts";
import { layout } from "./layout/layout.ts";
import { WARNING } from "./layout/marks.ts";

export interface ShownSecondStep {
  /** Whether the person has turned it on. */
  readonly isOn: boolean;
  /** Whether `SECOND_STEP` demands it of the person. */
  readonly isDemanded: boolean;
  readonly hasAuthenticator: boolean;
  /** Whether the authenticator app does not count for now, after too many wrong digits. */
  readonly isOffDuty: boolean;
  readonly codesLeft: number;
  /** Number of passkeys that can be used here; null where passkeys are off. */
  readonly passkeys: number | null;
}

const NOTES = {
  on: "The second step is on. Every other browser is signed out, and every app has to reconnect.",
  off: "The second step is off. Your authenticator app and recovery codes are removed.",
  app: "The authenticator app is set up. An app from before does not count any more.",
  removed: "The authenticator app is removed. Delete it on your phone too.",
  "removed-off": "The authenticator app is removed, and the second step is off. Delete it on your phone too.",
} as const;

export type SecondStepNote = keyof typeof NOTES;

export function isSecondStepNote(name: unknown): name is SecondStepNote {
  return typeof name === "string" && Object.hasOwn(NOTES, name);
}

/** The lines of the account page. @param root the path of the account page */
export function secondStepSection({ root }: Pick<SectionTools, "root">, shown: ShownSecondStep): Html {
  const { isOn, isDemanded, hasAuthenticator } = shown;
  return html`<section>
<h2>Second step</h2>
<ul role="list" class="entries">
<li class="entry"><div><p><strong>${isOn ? "On" : "Off"}</strong></p><p class="small muted">With a second step, your password alone is not enough to sign in.${isDemanded && " Your account must have one."}</p></div>
<div class="entry-actions"><a class="button" href="${root}/second-step">${isOn ? "Manage the second step" : "Turn on a second step"}</a></div></li>
<li class="entry"><div><p><strong>Authenticator app</strong></p><p class="small muted">${hasAuthenticator ? "Set up" : "Not set up"}</p></div></li>
<li class="entry"><div><p><strong>Recovery codes</strong></p><p class="small muted">${left(shown)}</p></div></li>
</ul>
</section>`;
}

/** Tells that hardly any recovery codes are left (U44). */
export function fewCodesBanner({ root }: Pick<SectionTools, "root">, { codesLeft }: ShownSecondStep): Html {
  const codes = codesLeft === 1 ? "1 recovery code" : `${codesLeft === 0 ? "no" : codesLeft} recovery codes`;
  return html`<div class="note">${WARNING}<div>You have ${codes} left. <a href="${root}/second-step">Make new ones</a>.</div></div>`;
}

export interface SecondStepModel extends Pick<SectionTools, "csrf"> {
  readonly operator: string;
  /** The path of the account page: the person came from there, and the forms post to steps below it. */
  readonly root: string;
  readonly shown: ShownSecondStep;
  /** Says why the person may set up no authenticator app; null where they may. */
  readonly notYet: string | Html | null;
  readonly note: SecondStepNote | null;
  readonly error: string | null;
}

/** Page on which people see and change what they do the second step with. */
export function ownSecondStepPage(model: SecondStepModel): string {
  const { root, shown, note, error } = model;
  const ways = shown.passkeys === null ? "" : ", or for a passkey";
  return layout(
    { title: "Second step", operator: model.operator },
    html`<div class="stack">
<h1>Second step</h1>
<p class="muted">With a second step, your password alone is not enough: sign-in also asks for digits from an app on your phone${ways}.</p>
</div>
${note !== null && html`<div class="note" role="status"><div>${NOTES[note]}</div></div>`}
${error !== null && html`<div class="note danger" role="alert">${WARNING}<div>${error}</div></div>`}
<ul role="list" class="entries">
${stateEntry(model)}
${authenticatorEntry(model)}
${passkeysEntry(root, shown)}
${codesEntry(model)}
</ul>
<p class="cancel"><a class="button quiet-button full" href="${root}">Back to your account</a></p>`,
  );
}

function stateEntry(model: SecondStepModel): Html {
  const { isOn, isDemanded, codesLeft, passkeys } = model.shown;
  const must = "Your account must have a second step.";
  const missing = hasFactor(model.shown)
    ? codesLeft === 0
      ? "Make recovery codes first."
      : null
    : `Set up an authenticator app${passkeys === null ? "" : " or add a passkey"} first.`;
  const text = isOn
    ? isDemanded
      ? `${must} It cannot be turned off.`
      : "Turning it off removes your authenticator app and recovery codes."
    : `${isDemanded ? `${must} ` : ""}${missing ?? "Turning it on signs out every other browser, and every app has to reconnect."}`;
  return html`<li class="entry"><div><p><strong>${isOn ? "The second step is on" : "The second step is off"}</strong></p>
<p class="small muted">${text}</p></div>
<div class="entry-actions">${
    isOn
      ? !isDemanded && stepForm(model, "second-step/off", "Turn off", { about: "second step" })
      : missing === null && stepForm(model, "second-step/on", "Turn on", { about: "second step" })
  }</div></li>`;
}

function authenticatorEntry(model: SecondStepModel): Html {
  const { root, shown, notYet } = model;
  const { isOn, isDemanded, hasAuthenticator, isOffDuty, passkeys } = shown;
  const isOnly = (passkeys ?? 0) === 0;
  const text = hasAuthenticator
    ? html`${isOffDuty ? "It does not count for now, after too many wrong digits. A recovery code, a passkey or a new app brings it back." : "Set up."}${isOn && isOnly && !isDemanded && " Removing it turns the second step off."}`
    : (notYet ?? "Not set up. The app shows six digits, which change every 30 seconds.");
  return html`<li class="entry"><div><p><strong>Authenticator app</strong></p>
<p class="small muted">${text}</p></div>
<div class="entry-actions">${(hasAuthenticator || notYet === null) && html`<a class="button" href="${root}/authenticator" aria-label="${hasAuthenticator ? "Replace" : "Set up"}: authenticator app">${hasAuthenticator ? "Replace" : "Set up"}</a>`}${hasAuthenticator && !(isDemanded && isOnly) && stepForm(model, "authenticator/remove", "Remove", { about: "authenticator app" })}</div></li>`;
}

function passkeysEntry(root: string, { passkeys }: ShownSecondStep): Html | false {
  if (passkeys === null) return false;
  const text = passkeys === 0 ? "None" : passkeys === 1 ? "1 passkey" : `${passkeys} passkeys`;
  return html`<li class="entry"><div><p><strong>Passkeys</strong></p>
<p class="small muted">${text}. Sign-in by passkey needs no second step.</p></div>
<div class="entry-actions"><a class="button" href="${root}/passkeys">${passkeys === 0 ? "Add a passkey" : "Manage passkeys"}</a></div></li>`;
}

function codesEntry(model: SecondStepModel): Html {
  const { shown } = model;
  const isFirst = shown.codesLeft === 0;
  return html`<li class="entry"><div><p><strong>Recovery codes</strong></p>
<p class="small muted">${left(shown)}. You sign in with one when you do not have your phone.${!isFirst && " New codes replace the old ones."}</p></div>
<div class="entry-actions">${(shown.isOn || hasFactor(shown)) && stepForm(model, "recovery-codes", isFirst ? "Make codes" : "Make new codes", { about: "recovery codes" })}</div></li>`;
}

function hasFactor({ hasAuthenticator, passkeys }: ShownSecondStep): boolean {
  return hasAuthenticator || (passkeys ?? 0) > 0;
}

function left({ codesLeft }: ShownSecondStep): string {
  return codesLeft === 0 ? "None" : `${codesLeft} left`;
}
