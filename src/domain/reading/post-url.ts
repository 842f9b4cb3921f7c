/** The URL of a post on the operator's site. @param template has `{slug}` or `{id}` */
export function postUrl(template: string, { id, slug }: { readonly id: string; readonly slug: string }): string {
  return template.replaceAll("{slug}", encodeURIComponent(slug)).replaceAll("{id}", id);
}
