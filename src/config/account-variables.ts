import { contact, domainName, duration, mailbox, mailDomains, oneOf, smtpUrl, text } from "./setting.ts";
import { variable } from "./variable.ts";

/** Mail, and how people get an account, keep it and leave. */
export const ACCOUNT_VARIABLES = {
  SMTP_URL: variable(
    smtpUrl,
    null,
    "Mail server: smtps://USER@HOST:465, or smtp://USER@HOST:587 with STARTTLS, which is required unless the host is this machine. Without it this server sends no mail; on localhost, mails are shown at /mailbox instead.",
  ),
  SMTP_PASSWORD: variable(text(1_000), null, "Password for SMTP_URL, if the URL does not contain it."),
  MAIL_FROM: variable(
    mailbox,
    null,
    "Sender of mails, such as Example <accounts@example.com>. Mails that cannot be delivered return to this address. Required with SMTP_URL.",
  ),
  SUPPORT_CONTACT: variable(
    contact,
    null,
    "E-mail address or https URL where people get help. Pages and mails show it.",
  ),
  SIGN_UP: variable(
    oneOf("closed", "invitation", "open"),
    "closed",
    "People who may create an account. closed: nobody; administrators add people. invitation: people whom an administrator has invited. open: anybody who can read mail at their address.",
  ),
  SIGN_UP_DOMAINS: variable(
    mailDomains,
    "",
    "Domains of e-mail addresses that may sign up, separated by commas: example.com, or .example.com for every domain below it. Empty allows any.",
  ),
  SIGN_UP_ROLE: variable(oneOf("member", "editor"), "member", "Role of people who sign up without an invitation."),
  SESSION_MAX: variable(
    duration,
    "30d",
    "Time after which a person has to sign in again, however often the session is used. Sessions that are not used end after 14 days.",
  ),
  PASSKEYS: variable(
    oneOf("on", "off"),
    null,
    "Signing in with passkeys. on is the default where browsers allow it: AUTH_URL must be https, or http://localhost, and its host a name, because passkeys do not work with IP addresses.",
  ),
  PASSKEY_ID: variable(
    domainName,
    null,
    "Domain that passkeys belong to: the host of AUTH_URL (the default), or a domain above it. Passkeys made for one domain do not work with another.",
  ),
  STEP_UP_AGE: variable(
    duration,
    "15m",
    "Age of the sign-in up to which a person may change the e-mail address, the password, passkeys, the second step or links to other services, and export or delete the account. After that, the page first asks for the password, a passkey or a sign-in at a linked service. If the second step is on, it is asked for too, except with a passkey.",
  ),
  SECOND_STEP: variable(
    oneOf("optional", "staff", "required"),
    "optional",
    "People who must have a second step at sign-in: an authenticator app or a passkey. optional: nobody; people may turn it on. staff: administrators and editors. required: everybody.",
  ),
  BREACHED_PASSWORDS: variable(
    text(4_096),
    null,
    "File of breached passwords that nobody may choose: SHA-1 hashes in hexadecimal, one per line, sorted; anything after a colon is ignored.",
  ),
  ACCOUNT_DELETION: variable(
    oneOf("self", "admin"),
    "self",
    "People who may delete an account. self: its person and administrators. admin: administrators only.",
  ),
  DELETION_DELAY: variable(
    duration,
    "7d",
    "Time between the request to delete an account and its deletion. The person can keep the account until then.",
  ),
  UPSTREAMS: variable(
    text(4_096),
    null,
    "JSON file of other services at which people sign in, such as an OpenID Connect provider or GitHub. docs/accounts.md explains its entries.",
  ),
  SCIM: variable(
    oneOf("on", "off"),
    "off",
    "SCIM 2.0 at AUTH_URL/scim/v2: the services of UPSTREAMS that have a scim_client create, change and disable their people here. docs/accounts.md explains it.",
  ),
} as const;
