import { Rendered, SlugOwner } from "../documents/publishing.ts";
import type { Studio, Texts, Writing } from "../ports.ts";
import { publishedSlug } from "./address.ts";
import type { Settled } from "./changes.ts";
import { type Check, checksOf } from "./checks.ts";

/** Exactly what the publish dialog shows, and its button publishes. */
export interface Look {
  readonly settled: Settled;
  readonly texts: Texts;
  readonly slug: string;
  readonly excerpt: string;
  readonly wordCount: number;
  readonly checks: readonly Check[];
  /** Another post has the slug, which this one would get from its title. The server adds letters to it. */
  readonly isSlugTaken: boolean;
}

/** Waits until the text is on the server, and looks at it as readers will get it. @throws ApiFailure */
export async function lookAtText({ api }: Pick<Studio, "api">, writing: Writing): Promise<Look> {
  const settled = await writing.settle();
  const texts = writing.texts.value;
  const [post, applied] = [writing.post.value, writing.applied.value];
  const title = texts.title.trim() === "" ? null : texts.title;
  const { renderMarkdown } = await api.run(Rendered, { markdown: texts.body, title });
  const { bodyHtml: html, wordCount, slug: derived } = renderMarkdown;
  const slug = publishedSlug(texts, post, applied?.title ?? null, derived);
  const owner = slug === post?.slug || slug === "" ? null : (await api.run(SlugOwner, { slug })).postBySlug;
  const isSlugTaken = owner !== null && owner.id !== settled.id;
  return {
    settled,
    texts,
    slug,
    excerpt: texts.excerpt ?? renderMarkdown.excerpt,
    wordCount,
    checks: [
      ...checksOf({ title: texts.title, body: texts.body, html }),
      ...(isSlugTaken && texts.slug !== null
        ? [{ isBlocking: true, text: "Another post has this address. Choose another one under Details." }]
        : []),
    ],
    isSlugTaken,
  };
}
