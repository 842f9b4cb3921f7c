import { fieldForm } from "./layout/field.ts";
import { type Html, html } from "./layout/html.ts";
import { layout } from "./layout/layout.ts";

/** The links with which people take their data with them, or leave. */
export function dataSection({ root }: { readonly root: string }): Html {
  return html`<section>
<h2>Your data</h2>
<ul role="list" class="entries">
<li class="entry"><div><p><strong>Take your data with you</strong></p><p class="small muted">A file with your profile, posts, sessions, apps, security events and mails.</p></div>
<div class="entry-actions"><a class="button" href="${root}/export">Export data</a></div></li>
<li class="entry"><div><p><strong>Delete your account</strong></p><p class="small muted">You choose what becomes of your posts.</p></div>
<div class="entry-actions"><a class="button" href="${root}/delete">Delete account</a></div></li>
</ul>
</section>`;
}

/** Posts `csrf` to `action`, which answers with the file. */
export function exportPage(model: {
  operator: string;
  action: string;
  /** The page that the person came from. */
  back: string;
  csrf: string;
}): string {
  return layout(
    { title: "Export your data", operator: model.operator },
    html`<div class="stack">
<h1>Take your data with you</h1>
<p>You get one file in the format JSON: your profile, posts and drafts, sessions, apps, security events, and the mails that we sent you. There is no password in it. Keep it where nobody else can read it.</p>
<p class="small muted">You can do this three times a day. We tell you by mail.</p>
</div>
${fieldForm({ ...model, fields: [], errors: {}, kept: "", submit: "Download the file" })}`,
  );
}
