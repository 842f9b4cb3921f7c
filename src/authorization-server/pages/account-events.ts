import type { AuditEvent, AuditEventName } from "../../domain/audit.ts";
import { type Html, html } from "./layout/html.ts";
import type { Times } from "./times.ts";

/** A line among the recent security events. */
export interface ShownEvent {
  /** Unix time of the latest. */
  readonly atSeconds: number;
  readonly sentence: string;
  /** IP address of the latest. */
  readonly address: string | null;
  /** How many there were in a row. */
  readonly count: number;
}

type Decision = Pick<AuditEvent, "at" | "event" | "result" | "detail" | "address">;

/** Sentences by the audit's event, and by its detail where that says more; "" is any other. Kinds without one are not shown. */
const DONE: Readonly<Partial<Record<AuditEventName, Readonly<Record<string, string>>>>> = {
  "sign-in": {
    passkey: "Signed in with a passkey",
    "first step": "Password entered, before the second step",
    "both steps": "Signed in with a second step",
    "": "Signed in",
  },
  upstream: {
    "signed out there": "Signed out at a linked service",
    "": "Signed in with a linked service",
  },
  link: {
    linked: "Service linked",
    removed: "Link to a service removed",
    "removed by an administrator": "Link to a service removed by an administrator",
  },
  "sign-out": { everywhere: "Signed out everywhere", "": "Signed out" },
  "sign-up": { "": "Account created" },
  "set-up": { "": "Account created as the first administrator" },
  "step-up": { passkey: "Passkey used again", "": "Password entered again" },
  passkey: { added: "Passkey added", removed: "Passkey removed" },
  "second-step": {
    "authenticator app": "Second step with the authenticator app",
    "authenticator app, asked again": "Digits of the authenticator app entered again",
    passkey: "Second step with a passkey",
    "passkey, asked again": "Passkey used again",
    "authenticator app added": "Authenticator app added",
    "authenticator app removed": "Authenticator app removed",
    "turned on": "Second step turned on",
    "turned off": "Second step turned off",
    "turned off by an administrator": "Second step turned off by an administrator",
  },
  "recovery-code": { made: "Recovery codes made", "": "Recovery code used" },
  password: { "": "Password changed" },
  recovery: {
    "new password by a mailed link": "New password by a mailed link",
    "link given to an administrator": "Link to a new password given to an administrator",
    "": "Link to a new password sent by an administrator",
  },
  session: {
    "client ended": "Access of an app ended",
    "all ended": "All sessions ended by an administrator",
    "": "Session ended",
  },
  consent: { "": "App allowed" },
  email: {
    "asked for another address": "Change of the e-mail address asked for",
    changed: "E-mail address changed",
    "asked to prove the address": "Mail to confirm the e-mail address asked for",
    proved: "E-mail address confirmed",
    "took the former address back": "Former e-mail address taken back, and signed out everywhere",
  },
  export: { "": "Data exported" },
  deletion: { undone: "Deletion of the account undone", "": "Deletion of the account asked for" },
  scim: {
    created: "Account created by your organisation",
    disabled: "Account disabled by your organisation",
    enabled: "Account enabled by your organisation",
    deleted: "Deletion of the account asked for by your organisation",
    "": "Account changed by your organisation",
  },
  person: {
    "changed their own name": "Name changed",
    "local sign-in on": "Sign-in at this service allowed by the operator",
    "local sign-in off": "Sign-in at this service not allowed any more",
    disabled: "Account disabled",
    enabled: "Account enabled",
    "made admin": "Role changed to administrator",
    "made editor": "Role changed to editor",
    "made member": "Role changed to member",
  },
};

const REFUSED: Readonly<Partial<Record<AuditEventName, string>>> = {
  "sign-in": "Sign-in with a wrong password",
  "step-up": "Wrong password when asked again",
  "second-step": "Second step with wrong digits",
  "recovery-code": "Wrong recovery code",
  password: "Wrong password at a change of the password",
  consent: "App not allowed",
  upstream: "Sign-in with a linked service refused",
};

/** The account's decisions in plain words, the newest first; those that are alike in a row become one. */
export function shownEvents(decisions: readonly Decision[], most: number): ShownEvent[] {
  const shown: ShownEvent[] = [];
  for (const decision of decisions) {
    const sentence = sentenceOf(decision);
    if (sentence === null) continue;
    const last = shown.at(-1);
    if (last?.sentence === sentence && last.address === decision.address)
      shown[shown.length - 1] = { ...last, count: last.count + 1 };
    else if (shown.length === most) break;
    else shown.push({ atSeconds: Date.parse(decision.at) / 1_000, sentence, address: decision.address, count: 1 });
  }
  return shown;
}

function sentenceOf({ event, result, detail }: Decision): string | null {
  if (result === "ok") return DONE[event]?.[actOf(detail)] ?? DONE[event]?.[""] ?? null;
  if (event === "second-step" || event === "recovery-code")
    return result === "limited" ? "Second step stopped after too many attempts" : (REFUSED[event] ?? null);
  const refused = detail?.startsWith("passkey") ? "Passkey refused" : (REFUSED[event] ?? null);
  return refused !== null && result === "limited" ? "Sign-in stopped after too many wrong passwords" : refused;
}

/** The detail without the administrator and the service that it ends with. */
function actOf(detail: string | null): string {
  return (detail ?? "").replace(/ by [\da-f-]{36}$/, "").replace(/: [a-z\d-]+$/, "");
}

/** @param root the path of the account page */
export function eventsSection(events: readonly ShownEvent[], times: Times, root: string): Html {
  return html`<section>
<h2>Recent security events</h2>
${
  events.length === 0
    ? html`<p class="muted">None yet.</p>`
    : html`<ul role="list" class="events small">
${events.map(
  ({ atSeconds, sentence, address, count }) =>
    html`<li><span>${sentence}${count > 1 && html` <span class="tag">${count} times</span>`}</span> <span class="muted">${times.element(atSeconds)}${address !== null && html` from <bdi>${address}</bdi>`}</span></li>`,
)}
</ul>
<p class="small muted last">Something here that was not you? <a href="${root}/password">Change your password</a>. That signs out everybody else.</p>`
}
</section>`;
}
