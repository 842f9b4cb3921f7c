import { hiddenField } from "./field.ts";
import { type Html, html } from "./html.ts";

/** Values with which a page asks the browser for a passkey. */
export interface PasskeyPrompt {
  /** `get`: to use one. `create`: to make one. */
  readonly kind: "get" | "create";
  /** The address of the script, which the page's policy must name. */
  readonly script: string;
  /** The sealed challenge, which the form sends back. */
  readonly state: string;
  /** JSON of the options of Web Authentication Level 3, section 5.1.8 or 5.1.9. */
  readonly options: string;
  /** A credential that the browser may forget. */
  readonly unknown: string | null;
}

/**
 * A button for a form that posts `state` and `answer`. It is hidden until the script finds that the browser knows passkeys, and stands with
 * a line for what went wrong.
 *
 * @param about.hasAutofill whether the browser offers passkeys at the address field too
 * @param about.accepted JSON for `signalAllAcceptedCredentials`
 */
export function passkeyButton(
  { kind, state, options, unknown }: PasskeyPrompt,
  about: {
    readonly label: string;
    readonly hasAutofill?: boolean;
    readonly accepted?: string | null;
    readonly isPrimary?: boolean;
  },
): Html {
  const { label, hasAutofill = false, accepted = null, isPrimary = false } = about;
  return html`${hiddenField("state", state)}${hiddenField("answer", "")}
<button class="full${isPrimary && " primary"}" type="button" hidden data-passkey="${kind}" data-options="${options}" data-failed="${FAILED[kind]}" data-present="${PRESENT}"${hasAutofill && html` data-autofill`}${unknown !== null && html` data-unknown="${unknown}"`}${accepted !== null && html` data-accepted="${accepted}"`}>${label}</button>
<p class="field-error" role="alert" hidden></p>`;
}

/** The script itself, once a page. */
export function passkeyScript({ script }: PasskeyPrompt): Html {
  return html`<script src="${script}" defer></script>
<noscript><p class="hint">Passkeys need JavaScript. Everything else works without it.</p></noscript>`;
}

const FAILED = {
  get: "Your device could not use a passkey. Try again, or sign in another way.",
  create: "Your device could not make a passkey. Try again, or use another device.",
} as const;

const PRESENT = "This device has a passkey for your account already.";
