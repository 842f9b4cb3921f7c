import { commandLine } from "./layout/command.ts";
import { fieldForm, hiddenField } from "./layout/field.ts";
import { html } from "./layout/html.ts";
import { ADDRESS_INPUT, nameField, newPasswordField } from "./layout/known-fields.ts";
import { layout } from "./layout/layout.ts";
import { TICK } from "./layout/marks.ts";

type FieldName = "name" | "email" | "password";

/** The first administrator. Posts `name`, `email`, `password`, `token` and `csrf` to `action`. */
export function setUpPage(model: {
  operator: string;
  action: string;
  /** From the one-time link that the terminal printed. */
  token: string;
  csrf: string;
  /** Values typed last; a password is never sent back. */
  values: { name: string; email: string };
  errors: Partial<Record<FieldName | "form", string>>;
}): string {
  const { values } = model;
  return layout(
    { title: "Set up", operator: model.operator },
    html`<div class="stack">
<h1>Become the administrator</h1>
<p class="muted">This is the first account of <bdi>${model.operator}</bdi>. It may do everything; you can add other people later.</p>
</div>
${fieldForm({
  ...model,
  hidden: hiddenField("token", model.token),
  fields: [
    nameField(values.name),
    {
      name: "email",
      label: "E-mail address",
      attributes: html`${ADDRESS_INPUT} autocomplete="username" value="${values.email}"`,
    },
    newPasswordField("Password"),
  ],
  kept: "Nothing was saved yet.",
  submit: "Create account",
})}`,
  );
}

/** Page that tells the first administrator what to do next. */
export function setUpDonePage(model: {
  operator: string;
  /** Without a slash at the end. */
  baseUrl: string;
  /** The OAuth issuer; `baseUrl` unless given. */
  issuer?: string;
  /** Whether people can write at `/studio`. */
  hasStudio: boolean;
  person: { name: string; email: string };
  /** The words before a command, such as `bin/content-api`. */
  command: string;
}): string {
  const discovery = `${model.issuer ?? model.baseUrl}/.well-known/openid-configuration`;
  return layout(
    { title: "Set up", operator: model.operator, width: "wide" },
    html`${TICK}
<div class="stack lead">
<h1>Ready, <bdi>${model.person.name}</bdi></h1>
<p class="muted">You are the administrator of <bdi>${model.operator}</bdi>, and sign in as <strong><bdi>${model.person.email}</bdi></strong>. The set-up link cannot be used again.</p>
</div>
<ol class="steps" role="list">
${
  model.hasStudio &&
  html`<li><h2>Write your first post</h2>
<p>Sign in, write and publish in the studio at <a href="${model.baseUrl}/studio">${model.baseUrl}/studio</a>.</p></li>
`
}<li><h2>Try the explorer</h2>
<p>Write queries, sign in and run them at <a href="${model.baseUrl}/graphql">${model.baseUrl}/graphql</a>.</p></li>
<li><h2>Register a client</h2>
<p>A client is a program that acts for people. In the folder of this service:</p>
${commandLine({ program: model.command, label: "Command that registers a client", rest: 'client create --name "My app" --redirect-uri http://localhost:8080/callback --public' })}</li>
<li><h2>Point your OAuth library here</h2>
<p>It finds everything else by itself from <a href="${discovery}">${discovery}</a>.</p></li>
</ol>`,
  );
}
