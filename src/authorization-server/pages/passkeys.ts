import { stepForm } from "./account-sections.ts";
import { hiddenField } from "./layout/field.ts";
import { type Html, html } from "./layout/html.ts";
import { layout } from "./layout/layout.ts";
import { WARNING } from "./layout/marks.ts";
import { type PasskeyPrompt, passkeyButton, passkeyScript } from "./layout/passkey-button.ts";
import type { Times } from "./times.ts";

export interface ShownPasskey {
  readonly credentialId: string;
  readonly name: string;
  /** Whether it is copied to other devices of its person. */
  readonly isBackedUp: boolean;
  readonly createdAtSeconds: number;
  /** null: never since it was added. */
  readonly usedAtSeconds: number | null;
  /** Whether it can be used here; otherwise it is for an address that this service had before. */
  readonly isUsable: boolean;
}

const NOTES = {
  added: "The passkey is added. You can sign in with it from now on.",
  renamed: "The passkey has another name.",
  removed: "The passkey is removed. Delete it on the device too, if it still offers it.",
} as const;

export type PasskeyNote = keyof typeof NOTES;

export function isPasskeyNote(name: unknown): name is PasskeyNote {
  return typeof name === "string" && Object.hasOwn(NOTES, name);
}

/** The passkeys of a person. Posts `state`, `answer` and `csrf` to `root`, or `passkey` and `name` to the steps below it. */
export function passkeysPage(model: {
  operator: string;
  /** The path of this page. */
  root: string;
  /** The page that the person came from. */
  back: string;
  csrf: string;
  passkeys: readonly ShownPasskey[];
  /** null: the person may add none yet, and `notYet` says why. */
  prompt: PasskeyPrompt | null;
  notYet: string | Html | null;
  /** JSON for `signalAllAcceptedCredentials`; null for a person without passkeys. */
  accepted: string | null;
  times: Times;
  note: PasskeyNote | null;
  error: string | null;
}): string {
  const { root, csrf, passkeys, prompt, notYet, note, error } = model;
  return layout(
    { title: "Passkeys", operator: model.operator },
    html`<div class="stack">
<h1>Passkeys</h1>
<p class="muted">With a passkey you sign in by your fingerprint, your face or the PIN of your device, without a password. Nobody can guess it, and no other site can ask for it.</p>
</div>
${note !== null && html`<div class="note" role="status"><div>${NOTES[note]}</div></div>`}
${error !== null && html`<div class="note danger" role="alert">${WARNING}<div>${error}</div></div>`}
<section>
${
  passkeys.length === 0
    ? html`<p>You have no passkey yet.</p>`
    : html`<ul role="list" class="entries">
${passkeys.map((passkey) => entry(model, passkey))}
</ul>`
}
</section>
<div>
${
  prompt === null
    ? html`<p>${notYet}</p>`
    : html`<form method="post" action="${root}">
${hiddenField("csrf", csrf)}${passkeyButton(prompt, { label: "Add a passkey", accepted: model.accepted, isPrimary: true })}
</form>
${passkeyScript(prompt)}`
}
<p class="cancel"><a class="button quiet-button full" href="${model.back}">Back to your account</a></p>
</div>`,
  );
}

function entry(model: { root: string; csrf: string; times: Times }, passkey: ShownPasskey): Html {
  const { credentialId, name, isBackedUp, createdAtSeconds, usedAtSeconds, isUsable } = passkey;
  const { root, csrf, times } = model;
  const hidden = hiddenField("passkey", credentialId);
  return html`<li class="entry">
<div><p><strong><bdi>${name}</bdi></strong>${isBackedUp && html` <span class="tag">Synced</span>`}</p>
<p class="small muted">${
    isUsable
      ? html`Added ${times.element(createdAtSeconds)}. ${usedAtSeconds === null ? "Not used yet." : html`Last used ${times.element(usedAtSeconds)}.`}`
      : "It was made for another address of this service, and cannot be used here."
  }</p>
<details><summary class="small">Rename</summary>
<form method="post" action="${root}/name">${hiddenField("csrf", csrf)}${hidden}
<div class="field"><label for="name-${credentialId}">Name</label>
<input id="name-${credentialId}" name="name" type="text" autocomplete="off" maxlength="60" required value="${name}"></div>
<div class="actions field"><button type="submit">Save the name</button></div></form>
</details></div>
<div class="entry-actions">${stepForm({ root, csrf }, "remove", "Remove", { about: name, hidden })}</div>
</li>`;
}
