import { type Html, html } from "./layout/html.ts";
import { layout } from "./layout/layout.ts";
import type { Times } from "./times.ts";

interface ShownLetter {
  readonly number: number;
  /** ISO 8601. */
  readonly at: string;
  readonly to: string;
  readonly subject: string;
}

/** The mails of a server for developers. */
export function mailboxPage(model: {
  operator: string;
  /** The path of this page. */
  root: string;
  /** Newest first. */
  letters: readonly ShownLetter[];
  times: Times;
}): string {
  return layout(
    { title: "Mailbox", operator: model.operator, width: "wide" },
    html`<div class="stack">
<h1>Mailbox</h1>
<p class="muted">This server sends no mail to anybody: it keeps the last 50 mails here, until it stops. Only this computer sees them. Set SMTP_URL to send mail.</p>
</div>
${
  model.letters.length === 0
    ? html`<p>There is no mail yet.</p>`
    : html`<ul role="list" class="entries">
${model.letters.map(
  ({ number, at, to, subject }) => html`<li class="entry">
<div><p><a href="${model.root}/${number}"><bdi>${subject}</bdi></a></p><p class="small muted">To <bdi>${to}</bdi>, ${timeOf(at, model.times)}</p></div>
</li>`,
)}
</ul>`
}`,
  );
}

/** One of them, as text. Its links lead to this server alone. */
export function letterPage(model: {
  operator: string;
  /** The path of the list. */
  root: string;
  letter: ShownLetter & { readonly text: string };
  /** The origin of this server. */
  origin: string;
  times: Times;
}): string {
  const { root, letter } = model;
  return layout(
    { title: letter.subject, operator: model.operator, width: "wide" },
    html`<div class="stack">
<h1><bdi>${letter.subject}</bdi></h1>
<p class="small muted">To <bdi>${letter.to}</bdi>, ${timeOf(letter.at, model.times)}</p>
</div>
<div class="letter-text">${linked(letter.text, model.origin)}</div>
<p class="ways"><a class="button" href="${root}/${letter.number}/html">Show as HTML</a> <a class="button quiet-button" href="${root}">All mails</a></p>`,
  );
}

function timeOf(iso: string, times: Times): Html {
  return times.element(Math.floor(Date.parse(iso) / 1_000));
}

/** The text, with a link for each URL of this server. */
function linked(text: string, origin: string): Html {
  const parts = text.split(/(https?:\/\/\S+)/);
  return html`${parts.map((part) => (URL.parse(part)?.origin === origin ? html`<a href="${part}">${part}</a>` : part))}`;
}
