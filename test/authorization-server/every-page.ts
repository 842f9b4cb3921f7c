import { accountPage, signedOutEverywherePage } from "../../src/authorization-server/pages/account.ts";
import { exportPage } from "../../src/authorization-server/pages/account-data.ts";
import { ownSecondStepPage, type SecondStepModel } from "../../src/authorization-server/pages/account-second-step.ts";
import { agentConsentPage } from "../../src/authorization-server/pages/agent-consent.ts";
import { authenticatorPage } from "../../src/authorization-server/pages/authenticator.ts";
import { badLinkPage } from "../../src/authorization-server/pages/bad-link.ts";
import { consentPage } from "../../src/authorization-server/pages/consent.ts";
import { deletionAskedPage, deletionPage, keepAccountPage } from "../../src/authorization-server/pages/deletion.ts";
import {
  deviceCodePage,
  deviceConfirmPage,
  deviceConnectedPage,
  deviceRefusedPage,
} from "../../src/authorization-server/pages/device.ts";
import {
  emailFinishPage,
  emailPage,
  emailSentPage,
  emailUndonePage,
  emailUndoPage,
} from "../../src/authorization-server/pages/email.ts";
import { errorPage, foreignRedirectPage, unknownClientPage } from "../../src/authorization-server/pages/error.ts";
import { invitationPage } from "../../src/authorization-server/pages/invitation.ts";
import { trustedHtml } from "../../src/authorization-server/pages/layout/html.ts";
import type { PasskeyPrompt } from "../../src/authorization-server/pages/layout/passkey-button.ts";
import { linksPage } from "../../src/authorization-server/pages/links.ts";
import { letterPage, mailboxPage } from "../../src/authorization-server/pages/mailbox.ts";
import { namePage } from "../../src/authorization-server/pages/name.ts";
import { passkeysPage } from "../../src/authorization-server/pages/passkeys.ts";
import { passwordPage } from "../../src/authorization-server/pages/password.ts";
import {
  recoverDonePage,
  recoverFinishPage,
  recoverPage,
  recoverSentPage,
  recoverWithoutMailPage,
} from "../../src/authorization-server/pages/recover.ts";
import { recoveryCodesPage } from "../../src/authorization-server/pages/recovery-codes.ts";
import { secondStepPage } from "../../src/authorization-server/pages/second-step.ts";
import { secondStepSetUpPage } from "../../src/authorization-server/pages/second-step-set-up.ts";
import { setUpDonePage, setUpPage } from "../../src/authorization-server/pages/set-up.ts";
import { signInPage } from "../../src/authorization-server/pages/sign-in.ts";
import { signedOutPage, signOutPage } from "../../src/authorization-server/pages/sign-out.ts";
import {
  signUpDonePage,
  signUpFinishPage,
  signUpPage,
  signUpSentPage,
} from "../../src/authorization-server/pages/sign-up.ts";
import { type StartModel, startPage } from "../../src/authorization-server/pages/start.ts";
import { noStepUpPage, stepUpPage } from "../../src/authorization-server/pages/step-up.ts";
import { openTimes } from "../../src/authorization-server/pages/times.ts";
import { leavePage, linkQuestionPage, unknownIdentityPage } from "../../src/authorization-server/pages/upstream.ts";

export const LOGOUT_FORM = trustedHtml('<form id="op.logoutForm" method="post" action="/logout/confirm"></form>');

export const SESSION = { id: "s", isCurrent: false, signedInAtSeconds: 1_000, seen: null };

const PASSKEY = { name: "Phone", isBackedUp: true, createdAtSeconds: 1_000, usedAtSeconds: 2_000, isUsable: true };

const AUTHENTICATOR = {
  qrCode: '<svg viewBox="0 0 9 9" role="img" aria-label="QR code"><path d="M1 1h7v7H1z"/></svg>',
};

const SECOND_STEP = {
  ...{ isOn: true, isDemanded: false, hasAuthenticator: true, isOffDuty: false },
  ...{ codesLeft: 10, passkeys: 2 },
};

/** The script of a page for passkeys, as `tags` gives it. */
export const PASSKEY_SCRIPT = '<script src="https://example.com/assets/passkeys-0.js" defer>';

function aPrompt(text: (field: string) => string): PasskeyPrompt {
  const [state, options, unknown] = [text("state"), text("options"), text("unknown")];
  return { kind: "get", script: "https://example.com/assets/passkeys-0.js", state, options, unknown };
}

const LINK = {
  ...{ provider: "acme", subject: "Ada-1", name: "ACME", email: "ada@example.com" },
  ...{ linkedAtSeconds: 1_000, usedAtSeconds: 2_000, isUsable: true },
};

function anUpstream(text: (field: string) => string) {
  return { id: text("id"), name: text("upstream name") };
}

/** Every page, with `text(field)` for each string of its model that a person or a client can influence. */
export const PAGES: Record<string, (text: (field: string) => string) => string> = {
  "sign-in": (text) =>
    signInPage({
      operator: text("operator"),
      action: text("action"),
      csrf: text("csrf"),
      page: text("page"),
      clientName: text("clientName"),
      email: text("email"),
      error: text("error"),
      links: { signUp: `/${text("sign-up")}`, recover: `/${text("recover")}` },
      passkey: { action: text("passkey"), prompt: aPrompt(text), error: "of the password, or of the passkey" },
      upstreams: { action: text("upstream"), list: [anUpstream(text)] },
      linking: text("linking"),
      cancel: { action: text("cancel") },
    }),
  "sign-in, another service refused": (text) =>
    signInPage({
      ...{ operator: text("operator"), action: "", csrf: "csrf", clientName: null },
      links: { signUp: null, recover: "/recover" },
      upstreams: { action: "", list: [anUpstream(text), { id: "b", name: "B" }], error: text("error") },
    }),
  "sign-in, passkey refused": (text) =>
    signInPage({
      ...{ operator: text("operator"), action: "", csrf: "csrf", clientName: null },
      links: { signUp: null, recover: "/recover" },
      passkey: { action: "", prompt: aPrompt(text), error: text("error") },
    }),
  "sign-in without passkeys": (text) =>
    signInPage({
      operator: text("operator"),
      action: "",
      csrf: "csrf",
      clientName: null,
      links: { signUp: null, recover: "/recover" },
    }),
  passkeys: (text) =>
    passkeysPage({
      operator: text("operator"),
      root: `/${text("root")}`,
      back: `/${text("back")}`,
      csrf: text("csrf"),
      passkeys: [
        { ...PASSKEY, credentialId: "1", name: text("name") },
        { ...PASSKEY, credentialId: "2", usedAtSeconds: null, isBackedUp: false },
        { ...PASSKEY, credentialId: "3", isUsable: false },
      ],
      prompt: { ...aPrompt(text), kind: "create" },
      notYet: null,
      accepted: text("accepted"),
      times: openTimes(),
      note: "added",
      error: text("error"),
    }),
  "no passkey yet": (text) =>
    passkeysPage({
      ...{
        operator: text("operator"),
        root: "/account/passkeys",
        back: "/account",
        csrf: "",
        passkeys: [],
        prompt: null,
      },
      ...{ notYet: text("not yet"), accepted: null, times: openTimes(), note: null, error: null },
    }),
  "second step": (text) => secondStepOf(text, {}),
  "second step that is demanded, app off duty": (text) =>
    secondStepOf(text, { isDemanded: true, isOffDuty: true, passkeys: 0 }),
  "second step, off": (text) => secondStepOf(text, { isOn: false, passkeys: 1 }),
  "second step, off, no passkeys here": (text) =>
    secondStepOf(text, { isOn: false, hasAuthenticator: false, codesLeft: 0, passkeys: null }, { csrf: "no form" }),
  "second step, address not confirmed": (text) =>
    secondStepOf(text, { isOn: false, hasAuthenticator: false, codesLeft: 0 }, { notYet: text("not yet"), note: null }),
  "authenticator app": (text) =>
    authenticatorPage({
      operator: text("operator"),
      action: text("action"),
      back: `/${text("back")}`,
      csrf: text("csrf"),
      authenticator: {
        ...AUTHENTICATOR,
        sealed: text("app"),
        secret: text("secret"),
        uri: `otpauth://totp/${text("uri")}`,
      },
      isReplacement: false,
      error: text("error"),
    }),
  "another authenticator app": (text) =>
    authenticatorPage({
      ...{ operator: text("operator"), action: "", back: "/account/second-step", csrf: "csrf" },
      authenticator: { ...AUTHENTICATOR, sealed: "", secret: "ABCD ".repeat(8).trim(), uri: "otpauth://totp/x" },
      ...{ isReplacement: true, error: null },
    }),
  "recovery codes": (text) => recoveryCodesOf(text, `/${text("kept")}`),
  "recovery codes with nothing to turn on": (text) => recoveryCodesOf(text, null),
  consent: (text) =>
    consentPage({
      operator: text("operator"),
      action: text("action"),
      csrf: text("csrf"),
      question: text("question"),
      client: { name: text("name"), redirectHost: text("host"), loopback: false, checked: false },
      person: { name: text("person"), email: text("email") },
      switchAction: text("switch"),
      scopes: ["openid", text("scope")],
      elsewhere: [text("elsewhere")],
      unavailableScopes: [text("unavailable")],
      offline: true,
    }),
  "consent of a person's client": (text) =>
    consentPage({
      operator: text("operator"),
      action: text("action"),
      csrf: text("csrf"),
      question: text("question"),
      client: {
        ...{ name: text("name"), redirectHost: text("host"), loopback: false, checked: false },
        owner: text("owner"),
      },
      person: { name: text("person"), email: text("email") },
      switchAction: text("switch"),
      scopes: [],
      offline: false,
    }),
  "consent of an app on this device": (text) =>
    consentPage({
      operator: text("operator"),
      action: text("action"),
      csrf: text("csrf"),
      question: text("question"),
      client: { name: text("name"), redirectHost: text("host"), loopback: true, checked: true },
      person: { name: text("person"), email: text("email") },
      switchAction: text("switch"),
      scopes: [],
      offline: false,
    }),
  "consent for another device": (text) =>
    consentPage({
      operator: text("operator"),
      action: text("action"),
      csrf: text("csrf"),
      question: text("question"),
      client: { name: text("name"), redirectHost: null, loopback: false, checked: true },
      person: { name: text("person"), email: text("email") },
      switchAction: text("switch"),
      scopes: [],
      offline: true,
    }),
  "consent for an agent": (text) =>
    agentConsentOf(text, {
      nameOwner: text("owner"),
      scopes: ["openid", text("scope")],
      elsewhere: [text("elsewhere")],
      unavailableScopes: [text("unavailable")],
    }),
  "consent for an agent that registered itself": (text) => agentConsentOf(text, { levels: ["read"], marked: "read" }),
  "consent for an agent of this device": (text) =>
    agentConsentOf(text, { isLoopbackOnly: true, isOnDevice: true, marked: "write" }),
  "consent for an agent of this device with a document": (text) =>
    agentConsentOf(text, { isLoopbackOnly: true, isOnDevice: true, nameOwner: text("owner"), offline: false }),
  "device code": (text) =>
    deviceCodePage({
      operator: text("operator"),
      action: text("action"),
      csrf: text("csrf"),
      userCode: text("code"),
      error: text("error"),
    }),
  "device confirmation": (text) =>
    deviceConfirmPage({
      operator: text("operator"),
      action: text("action"),
      csrf: text("csrf"),
      userCode: text("code"),
      clientName: text("name"),
    }),
  "device connected": (text) => deviceConnectedPage({ operator: text("operator"), clientName: text("name") }),
  "device refused": (text) => deviceRefusedPage({ operator: text("operator"), action: text("action") }),
  "sign-out": (text) => signOutPage({ operator: text("operator"), form: LOGOUT_FORM, clientName: text("client") }),
  "signed-out": (text) => signedOutPage({ operator: text("operator"), clientName: text("client"), isSignedIn: false }),
  "still signed in": (text) =>
    signedOutPage({ operator: text("operator"), clientName: text("client"), isSignedIn: true }),
  account: (text) =>
    accountPage({
      operator: text("operator"),
      root: `/${text("root")}`,
      csrf: text("csrf"),
      person: {
        ...{ name: text("name"), email: text("email") },
        ...{ emailVerified: false, hasPassword: true, passwordSinceSeconds: 7, passkeys: [text("passkey")] },
        links: [{ name: text("service"), email: text("account there") }],
      },
      mail: { canSend: true, isFailing: true },
      secondStep: { ...SECOND_STEP, codesLeft: 2 },
      sessions: [
        { ...SESSION, id: text("session"), seen: { agent: "", address: text("address"), atSeconds: 5 } },
        { ...SESSION, id: "current", isCurrent: true },
      ],
      clients: [
        {
          clientId: text("client"),
          name: text("client name"),
          scopes: ["openid", text("scope")],
          elsewhere: [text("elsewhere")],
          sinceSeconds: 1,
          agent: null,
        },
        {
          ...{ clientId: text("agent"), name: text("agent name"), sinceSeconds: 1, agent: "draft" },
          ...{ scopes: ["posts:read", "posts:draft"], elsewhere: [] },
        },
      ],
      given: [
        {
          clientId: text("given client"),
          name: text("given name"),
          scopes: ["admin"],
          elsewhere: [],
          sinceSeconds: 1,
          agent: null,
        },
      ],
      events: [
        { atSeconds: 9, sentence: "Signed in", address: text("event address"), count: 1 },
        { atSeconds: 8, sentence: "Sign-in with a wrong password", address: null, count: 12 },
      ],
      times: openTimes(),
      note: "stale",
    }),
  "deletion of the account": (text) =>
    deletionPage({
      operator: text("operator"),
      action: text("action"),
      back: `/${text("back")}`,
      csrf: text("csrf"),
      email: text("email"),
      posts: "keep",
      delay: 7 * 86_400,
      errors: { email: text("email error"), posts: text("posts error"), form: text("form error") },
    }),
  "deletion asked for": (text) =>
    deletionAskedPage({
      operator: text("operator"),
      signInHref: `/${text("href")}`,
      deletesAtSeconds: 1_000,
      times: openTimes(),
    }),
  "account to keep": (text) =>
    keepAccountPage({
      operator: text("operator"),
      action: text("action"),
      csrf: text("csrf"),
      proof: text("proof"),
      page: text("page"),
      deletesAtSeconds: 1_000,
      times: openTimes(),
      cancel: { action: text("cancel") },
    }),
  "export of the data": (text) =>
    exportPage({
      operator: text("operator"),
      action: text("action"),
      back: `/${text("back")}`,
      csrf: text("csrf"),
    }),
  "change of the address": (text) =>
    emailPage({
      operator: text("operator"),
      action: text("action"),
      back: `/${text("back")}`,
      csrf: text("csrf"),
      present: text("present"),
      email: text("email"),
      errors: { email: text("error") },
    }),
  "mail to the new address": (text) =>
    emailSentPage({
      operator: text("operator"),
      action: text("action"),
      back: `/${text("back")}`,
      csrf: text("csrf"),
      email: text("email"),
      mailboxHref: `/${text("mailbox")}`,
      errors: { code: text("error") },
    }),
  "link to the new address": (text) =>
    emailFinishPage({
      operator: text("operator"),
      action: text("action"),
      back: `/${text("back")}`,
      csrf: text("csrf"),
      ticket: text("ticket"),
      email: text("email"),
      present: text("present"),
    }),
  "way back to the old address": (text) =>
    emailUndoPage({
      operator: text("operator"),
      action: text("action"),
      csrf: text("csrf"),
      ticket: text("ticket"),
      errors: { email: text("error") },
    }),
  "old address taken back": (text) =>
    emailUndonePage({ operator: text("operator"), email: text("email"), recoverHref: `/${text("href")}` }),
  mailbox: (text) =>
    mailboxPage({
      operator: text("operator"),
      root: `/${text("root")}`,
      letters: [{ number: 3, at: "2026-11-29T14:03:00.000Z", to: text("to"), subject: text("subject") }],
      times: openTimes(),
    }),
  "letter in the mailbox": (text) =>
    letterPage({
      operator: text("operator"),
      root: `/${text("root")}`,
      letter: {
        number: 3,
        at: "2026-11-29T14:03:00.000Z",
        to: text("to"),
        subject: text("subject"),
        text: text("text"),
      },
      origin: "http://localhost:3000",
      times: openTimes(),
    }),
  "signed out everywhere": (text) =>
    signedOutEverywherePage({ operator: text("operator"), signInHref: `/${text("href")}` }),
  password: (text) =>
    passwordPage({
      operator: text("operator"),
      action: text("action"),
      back: `/${text("back")}`,
      csrf: text("csrf"),
      email: text("email"),
      hasPassword: true,
      errors: { current: text("current"), password: text("password") },
    }),
  "first password": (text) =>
    passwordPage({
      ...{ operator: text("operator"), action: "", back: "/account", csrf: "csrf", email: text("email") },
      ...{ hasPassword: false, errors: {} },
    }),
  name: (text) =>
    namePage({
      operator: text("operator"),
      action: text("action"),
      back: `/${text("back")}`,
      csrf: text("csrf"),
      name: text("name"),
      errors: { name: text("error") },
    }),
  "step-up": (text) =>
    stepUpPage({
      operator: text("operator"),
      action: text("action"),
      back: `/${text("back")}`,
      csrf: text("csrf"),
      page: text("page"),
      email: text("email"),
      hasPassword: true,
      second: "digits",
      isOld: true,
      errors: { password: text("password"), second: text("second") },
      passkey: { prompt: aPrompt(text), error: text("error") },
      upstreams: [anUpstream(text)],
      upstreamError: null,
    }),
  "sign-in, second step": (text) =>
    secondStepPage({
      operator: text("operator"),
      supportContact: text("support"),
      action: text("action"),
      csrf: text("csrf"),
      pending: text("pending"),
      page: text("page"),
      back: `/${text("back")}`,
      hasApp: true,
      hasCodes: true,
      passkey: { prompt: aPrompt(text), error: text("error") },
      errors: { digits: text("digits") },
      wishedBy: text("client"),
      cancel: { action: text("cancel") },
    }),
  "second step by passkey": (text) =>
    secondStepPage({
      ...{
        operator: text("operator"),
        wishedBy: null,
        supportContact: null,
        action: "",
        csrf: "csrf",
        pending: "",
        page: null,
      },
      ...{
        back: "/account",
        hasApp: false,
        hasCodes: true,
        passkey: { prompt: aPrompt(text), error: null },
        errors: {},
      },
    }),
  "second step, set-up": (text) =>
    secondStepSetUpPage({
      operator: text("operator"),
      action: text("action"),
      csrf: text("csrf"),
      pending: text("pending"),
      page: text("page"),
      authenticator: { ...AUTHENTICATOR, sealed: text("sealed"), secret: text("secret"), uri: text("uri") },
      passkey: { ...aPrompt(text), kind: "create" },
      error: text("error"),
      cancel: { action: text("cancel") },
    }),
  "recovery codes within a sign-in": (text) =>
    recoveryCodesPage({
      ...{ operator: text("operator"), codes: [text("code")], csrf: "csrf", hidden: { pending: text("pending") } },
      ...{ fileAction: null, keptAction: `/${text("kept")}`, next: null, isAppAdded: true },
    }),
  "step-up by passkey": (text) =>
    stepUpPage({
      ...{
        operator: text("operator"),
        action: "",
        back: "/account",
        csrf: "csrf",
        page: "email",
        email: "",
      },
      ...{
        hasPassword: false,
        second: null,
        isOld: false,
        errors: {},
        passkey: { prompt: aPrompt(text), error: null },
      },
      ...{ upstreams: [], upstreamError: null },
    }),
  "no step-up": (text) =>
    noStepUpPage({
      operator: text("operator"),
      back: `/${text("back")}`,
      lacksSecondStep: true,
      recoverHref: "/recover",
      supportContact: text("support"),
    }),
  "no step-up without a password": (text) =>
    noStepUpPage({
      operator: text("operator"),
      back: `/${text("back")}`,
      lacksSecondStep: false,
      recoverHref: `/${text("recover")}`,
      supportContact: null,
    }),
  "step-up at another service": (text) =>
    stepUpPage({
      ...{ operator: text("operator"), action: "", back: "/account", csrf: "csrf", page: "links", email: "" },
      ...{ hasPassword: false, second: "digits", isOld: true, errors: { second: text("second") }, passkey: null },
      ...{ upstreams: [anUpstream(text)], upstreamError: text("error") },
    }),
  "on to another service": (text) =>
    leavePage({ operator: text("operator"), upstreamName: text("name"), href: `https://a.example/${text("href")}` }),
  "unknown identity": (text) =>
    unknownIdentityPage({
      operator: text("operator"),
      upstreamName: text("name"),
      knownAs: text("known as"),
      action: text("action"),
      csrf: text("csrf"),
      page: text("page"),
      create: "account",
      name: text("typed"),
      errors: { name: text("error"), form: text("refused") },
      cancel: { action: text("cancel") },
    }),
  "unknown identity, to be proved by mail": (text) =>
    unknownIdentityPage({
      ...{ operator: text("operator"), upstreamName: "ACME", knownAs: null, action: "", csrf: "csrf", page: null },
      ...{ create: "mail", name: "", errors: {} },
    }),
  "unknown identity, no account to be had": (text) =>
    unknownIdentityPage({
      ...{ operator: text("operator"), upstreamName: "ACME", knownAs: null, action: "", csrf: "csrf", page: null },
      ...{ create: null, name: "", errors: { form: text("refused") } },
    }),
  "link question": (text) =>
    linkQuestionPage({
      operator: text("operator"),
      upstreamName: text("name"),
      knownAs: text("known as"),
      email: text("email"),
      action: text("action"),
      csrf: text("csrf"),
      interaction: text("interaction"),
      error: text("error"),
    }),
  links: (text) =>
    linksPage({
      operator: text("operator"),
      root: `/${text("root")}`,
      back: `/${text("back")}`,
      csrf: text("csrf"),
      links: [
        { ...LINK, provider: text("provider"), subject: text("subject"), name: text("name"), email: text("email") },
        { ...LINK, email: null, usedAtSeconds: null },
        { ...LINK, isUsable: false },
      ],
      upstreams: [anUpstream(text)],
      notYet: null,
      times: openTimes(),
      note: "linked",
      error: text("error"),
    }),
  "no link yet": (text) =>
    linksPage({
      ...{ operator: text("operator"), root: "/account/links", back: "/account", csrf: "", links: [], upstreams: [] },
      ...{ notYet: text("not yet"), times: openTimes(), note: null, error: null },
    }),
  error: (text) =>
    errorPage({
      operator: text("operator"),
      title: text("title"),
      message: text("message"),
      next: { label: text("label"), href: `/${text("href")}` },
      requestId: text("requestId"),
    }),
  "unknown client": (text) =>
    unknownClientPage({
      operator: text("operator"),
      requestId: text("requestId"),
      command: "bin/content-api",
      clientId: text("clientId"),
      redirectUri: "https://app.example.com/",
    }),
  "foreign redirect": (text) =>
    foreignRedirectPage({
      operator: text("operator"),
      requestId: text("requestId"),
      command: "bin/content-api",
      clientId: text("clientId"),
      clientName: text("clientName"),
      redirectUri: text("redirectUri"),
    }),
  "set-up": (text) =>
    setUpPage({
      operator: text("operator"),
      action: text("action"),
      token: text("token"),
      csrf: text("csrf"),
      values: { name: text("name"), email: text("email") },
      errors: { name: text("name"), email: text("email"), password: text("password"), form: text("form") },
    }),
  "set-up done": (text) =>
    setUpDonePage({
      command: "bin/content-api",
      operator: text("operator"),
      baseUrl: text("baseUrl"),
      issuer: text("issuer"),
      hasStudio: true,
      person: { name: text("name"), email: text("email") },
    }),
  "sign-up": (text) =>
    signUpPage({
      ...mailForm(text),
      byInvitation: false,
      errors: { form: text("form"), email: text("error") },
    }),
  "sign-up by invitation": (text) => signUpPage({ ...mailForm(text), byInvitation: true, errors: {} }),
  "sign-up, mail sent": (text) =>
    signUpSentPage({
      operator: text("operator"),
      action: text("action"),
      csrf: text("csrf"),
      about: text("about"),
      email: text("email"),
      byInvitation: false,
      error: text("error"),
      againHref: `/${text("again")}`,
      mailboxHref: `/${text("mailbox")}`,
    }),
  "sign-up, invitation sent": (text) =>
    signUpSentPage({
      operator: text("operator"),
      action: "",
      csrf: "",
      about: "",
      email: text("email"),
      byInvitation: true,
      againHref: `/${text("again")}`,
      mailboxHref: null,
    }),
  "sign-up, last step": (text) =>
    signUpFinishPage({
      ...linkForm(text),
      name: text("name"),
      passkey: { ...aPrompt(text), kind: "create" },
      errors: { name: text("error"), password: text("other error") },
    }),
  "sign-up, done": (text) => signUpDonePage({ operator: text("operator"), signInHref: `/${text("sign-in")}` }),
  invitation: (text) =>
    invitationPage({
      ...linkForm(text),
      inviter: text("inviter"),
      passkey: null,
      name: text("name"),
      errors: { name: text("error"), password: text("other error") },
    }),
  "invitation by the operator": (text) =>
    invitationPage({ ...linkForm(text), inviter: null, name: "", passkey: null, errors: {} }),
  "bad link, invitation expired": (text) =>
    badLinkPage({
      ...({ why: "expired", at: openTimes().element(1_000), againHref: null, signInHref: "/account" } as const),
      ...{ operator: text("operator"), isInvitation: true },
    }),
  recover: (text) => recoverPage({ ...mailForm(text), errors: { email: text("error") } }),
  "recover without mail": (text) =>
    recoverWithoutMailPage({
      operator: text("operator"),
      supportContact: `https://help.example.com/${text("contact")}`,
      signInHref: `/${text("sign-in")}`,
    }),
  "recover, mail sent": (text) =>
    recoverSentPage({
      operator: text("operator"),
      againHref: `/${text("again")}`,
      mailboxHref: `/${text("mailbox")}`,
    }),
  "recover, last step": (text) => recoverFinishPage({ ...linkForm(text), errors: { password: text("error") } }),
  "recover, done": (text) => recoverDonePage({ operator: text("operator"), signInHref: `/${text("sign-in")}` }),
  ...Object.fromEntries(
    (["unknown", "withdrawn", "changed", "expired", "used", "other"] as const).map((why) => [
      `bad link, ${why}`,
      (text: (field: string) => string) =>
        badLinkPage({
          ...{ why, at: openTimes().element(1_000), operator: text("operator") },
          ...(["changed", "expired"].includes(why) ? { againHref: `/${text("again")}` } : { againHref: null }),
          isInvitation: why === "withdrawn",
          ...(["used", "other"].includes(why) ? { signInHref: `/${text("sign-in")}` } : { signInHref: "/account" }),
        }),
    ]),
  ),
  start: (text) => start(text, { state: "needs-set-up", demo: true }),
  "start for a stranger": (text) => start(text, {}),
  "start for an administrator": (text) => start(text, { person: { name: text("name"), isAdministrator: true } }),
};

function secondStepOf(
  text: (field: string) => string,
  shown: Partial<SecondStepModel["shown"]>,
  more: Partial<SecondStepModel> = {},
): string {
  return ownSecondStepPage({
    ...{ operator: text("operator"), root: `/${text("root")}`, csrf: more.csrf ?? text("csrf") },
    ...{ shown: { ...SECOND_STEP, ...shown }, notYet: null, note: "on", error: text("error") },
    ...more,
  });
}

function recoveryCodesOf(text: (field: string) => string, keptAction: string | null): string {
  return recoveryCodesPage({
    operator: text("operator"),
    csrf: text("csrf"),
    codes: [text("code"), ...Array.from({ length: 9 }, () => "BCDFG-HJKLM-NPQRS")],
    hidden: { codes: text("sealed codes") },
    fileAction: `/${text("file")}`,
    keptAction,
    next: `/${text("next")}`,
    isAppAdded: keptAction !== null,
  });
}

function mailForm(text: (field: string) => string) {
  return {
    operator: text("operator"),
    action: text("action"),
    csrf: text("csrf"),
    interaction: text("interaction"),
    email: text("email"),
    signInHref: `/${text("sign-in")}`,
  };
}

function linkForm(text: (field: string) => string) {
  return {
    operator: text("operator"),
    action: text("action"),
    csrf: text("csrf"),
    ticket: text("ticket"),
    email: text("email"),
    goodUntil: openTimes().element(1_000),
  };
}

function start(text: (field: string) => string, more: Partial<StartModel>): string {
  return startPage({
    command: "bin/content-api",
    operator: text("operator"),
    baseUrl: `http://localhost/${text("baseUrl")}`,
    issuer: `http://localhost/${text("issuer")}`,
    hasStudio: true,
    hasDocs: true,
    hasAgents: true,
    state: "ready",
    demo: false,
    isOpen: true,
    person: null,
    ...more,
  });
}

function agentConsentOf(
  text: (field: string) => string,
  { isOnDevice = false, ...more }: Partial<Parameters<typeof agentConsentPage>[0]> & { isOnDevice?: boolean },
) {
  return agentConsentPage({
    operator: text("operator"),
    action: text("action"),
    csrf: text("csrf"),
    question: text("question"),
    client: { name: text("name"), redirectHost: text("host"), loopback: isOnDevice, checked: false },
    person: { name: text("person"), email: text("email") },
    switchAction: text("switch"),
    ...{ levels: ["read", "draft", "write"], marked: "draft", scopes: [] },
    ...{ nameOwner: null, isLoopbackOnly: false, offline: true },
    ...more,
  });
}
