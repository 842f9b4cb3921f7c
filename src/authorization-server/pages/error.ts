import { html } from "./layout/html.ts";
import { layout } from "./layout/layout.ts";

/** Says what happened, whether anything was lost and what to do now; `next` is the one way on, when there is one. */
export function errorPage(model: {
  operator: string;
  title: string;
  message: string;
  /** `href` is a path of ours, or http(s); the link is left out for any other. */
  next?: { label: string; href: string } | null;
  requestId?: string;
}): string {
  return layout(
    { title: model.title, operator: model.operator },
    html`<div class="stack">
<h1${model.title.length > 60 && html` class="long"`}>${model.title}</h1>
<p>${model.message}</p>
</div>
${model.next && isWebLink(model.next.href) && html`<p><a class="button primary full" href="${model.next.href}">${model.next.label}</a></p>`}
${model.requestId !== undefined && html`<p class="request-id">Request id <code>${model.requestId}</code></p>`}`,
  );
}

function isWebLink(href: string): boolean {
  return /^(?:\/(?![/\\])|https?:\/\/)/i.test(href);
}

export const OVER = {
  title: "This sign-in is over",
  message:
    "It was finished already, took too long, or belongs to another browser. Nothing was shared. Please start again.",
} as const;
