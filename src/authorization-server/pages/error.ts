import { commandLine } from "./layout/command.ts";
import { type Html, html } from "./layout/html.ts";
import { layout } from "./layout/layout.ts";

/** Says what happened, whether anything was lost and what to do now; `next` is the one way on, when there is one. */
export function errorPage(model: {
  operator: string;
  title: string;
  message: string;
  /** `href` is a path of ours, or http(s); the link is left out for any other. */
  next?: { label: string; href: string } | null;
  requestId?: string;
  /** Below the message. */
  details?: Html;
}): string {
  return layout(
    { title: model.title, operator: model.operator },
    html`<div class="stack">
<h1${model.title.length > 60 && html` class="long"`}>${model.title}</h1>
<p>${model.message}</p>
</div>
${model.details}
${model.next && isWebLink(model.next.href) && html`<p><a class="button primary full" href="${model.next.href}">${model.next.label}</a></p>`}
${model.requestId !== undefined && html`<p class="request-id">Request id <code>${model.requestId}</code></p>`}`,
  );
}

/** An authorization request that names a client or an address that is not registered. */
interface UnknownRequest {
  readonly operator: string;
  readonly requestId: string;
  /** The words before a command, such as `bin/content-api`. */
  readonly command: string;
  /** The value of `client_id` in the request. */
  readonly clientId: string;
  /** The value of `redirect_uri` in the request. */
  readonly redirectUri: string;
}

export function unknownClientPage(model: UnknownRequest): string {
  const { clientId, redirectUri } = model;
  return errorPage({
    ...model,
    title: "This client is not registered",
    message: "The client that sent you here is not registered, or is disabled. Nothing was shared with it.",
    details: html`<dl class="facts">${fact("Client id received", clientId)}</dl>
${operatorHelp(
  html`<p>A disabled client is in the list of clients. A new client gets its own id from this command:</p>
${commandLine({ program: model.command, label: "Command that registers a client", rest: createCommand("My app", redirectUri) })}`,
)}`,
  });
}

export function foreignRedirectPage(model: UnknownRequest & { readonly clientName: string }): string {
  const { clientId, clientName, redirectUri } = model;
  return errorPage({
    ...model,
    title: "This redirect URI is not registered",
    message:
      "The client that sent you here wants the answer at a redirect URI that it has not registered. Nothing was shared with it.",
    details: html`<dl class="facts">${fact("Client", clientName)}${fact("Client id", clientId)}${fact("Redirect URI received", redirectUri)}</dl>
<p>Redirect URIs are compared character by character. A slash at the end, another port, or http in place of https makes another one.</p>
${operatorHelp(
  html`<p>Register it only if you know that it belongs to the client. The mutation <code>updateClient</code> replaces the redirect URIs of this client. This command registers a new client with it:</p>
${commandLine({ program: model.command, label: "Command that registers the redirect URI", rest: createCommand(clientName, redirectUri) })}`,
)}`,
  });
}

function fact(label: string, text: string): Html {
  return html`<div><dt>${label}</dt><dd>${text === "" ? "none" : html`<code>${shorten(text)}</code>`}</dd></div>`;
}

function operatorHelp(content: Html): Html {
  return html`<details><summary>For the operator of this service</summary><div class="stack">${content}</div></details>`;
}

/** With an address that a stranger has sent: quoted for a shell, and left to fill in where it is no address to register. */
function createCommand(name: string, redirectUri: string): string {
  const uri = /^[\x21-\x7e]{1,2000}$/.test(redirectUri) ? redirectUri : "REDIRECT_URI";
  return `client create --name ${quote(name.replace(/[\p{C}]/gu, ""))} --redirect-uri ${quote(uri)} --public`;
}

/** For a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** As much of a text from outside as a page shows. */
function shorten(text: string): string {
  return text.length > 2_000 ? `${text.slice(0, 2_000).toWellFormed()} …` : text;
}

function isWebLink(href: string): boolean {
  return /^(?:\/(?![/\\])|https?:\/\/)/i.test(href);
}

export const OVER = {
  title: "This sign-in is over",
  message:
    "It was finished already, took too long, or belongs to another browser. Nothing was shared. Please start again.",
} as const;
