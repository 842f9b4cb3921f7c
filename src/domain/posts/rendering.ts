import { beginningOf, isAscii, isWithin } from "../text.ts";

export interface RenderedMarkdown {
  /** Safe to show. */
  readonly html: string;
  readonly text: string;
}

/** One text to render, for one person. */
export interface RenderingJob {
  /** The person whose other texts wait while this one is rendered; missing for work of the server itself. */
  readonly owner?: string | null;
  /** Asked now and then: whether nobody waits for the text any more. It is not rendered then. */
  readonly isAbandoned?: () => boolean;
}

/** Throws AppError BAD_USER_INPUT for what takes too long to render, UNAVAILABLE for what would wait too long. */
export type RenderMarkdown = (markdown: string, job?: RenderingJob) => Promise<RenderedMarkdown>;

const EXCERPT_LENGTH = 200;
const SLUG_LENGTH = 80;
/** Code units up to which words are told apart by the rules of the script. */
const SEGMENTED = 20_000;

/** Everything that is derived from a post. Done once, when it is written. */
export async function renderPost(
  renderMarkdown: RenderMarkdown,
  { title, body }: { readonly title: string; readonly body: string },
): Promise<RenderedPost> {
  return { slug: slugOf(title), ...(await renderBody(renderMarkdown, body)) };
}

/** Derives everything that depends on the body alone. */
export async function renderBody(renderMarkdown: RenderMarkdown, body: string): Promise<Omit<RenderedPost, "slug">> {
  const { html, text } = await renderMarkdown(body);
  return { wordCount: countWords(text), excerpt: excerptOf(text), bodyHtml: html };
}

/**
 * The letters and digits of a title, of whatever script, in lower case with hyphens between. 80 characters at the most,
 * cut where a word ends. A title without any gets `post`.
 */
export function slugOf(title: string): string {
  const words = title
    .normalize("NFKC")
    .toLowerCase()
    .match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? ["post"];
  let slug = "";
  for (const word of words) {
    const longer = slug === "" ? beginningOf(word, SLUG_LENGTH) : `${slug}-${word}`;
    if (!isWithin(longer, SLUG_LENGTH)) break;
    slug = longer;
  }
  return slug;
}

/** White space other than one space between words. */
const LOOSE_SPACE = /[^\S ]\s*| \s+/g;

/** The beginning of a text in one line, cut where a word ends. */
export function excerptOf(text: string): string {
  const line = text.replaceAll(LOOSE_SPACE, " ").trim();
  if (isWithin(line, EXCERPT_LENGTH)) return line;
  const start = beginningOf(line, EXCERPT_LENGTH - 1);
  const end = start.lastIndexOf(" ");
  return `${end < EXCERPT_LENGTH / 2 ? start : start.slice(0, end)}…`;
}

/** Opened with the first text that needs it: that takes tens of milliseconds. */
let segmenter: Intl.Segmenter | null = null;

/**
 * Words as the rules of each script have them (Unicode Standard Annex 29), so that a sentence without spaces has words too.
 * This is slow, so in very long texts a word is the text between spaces.
 */
export function countWords(text: string): number {
  if (text.length > SEGMENTED || isAscii(text)) return text.match(/[\p{L}\p{N}]\S*/gu)?.length ?? 0;
  let words = 0;
  segmenter ??= new Intl.Segmenter("en", { granularity: "word" });
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) words++;
  return words;
}

/** Fields that are derived from title and body when they are written. */
export interface RenderedPost {
  /** Text for URLs: see `slugOf`. If another post has it already, a suffix is added. */
  readonly slug: string;
  readonly wordCount: number;
  readonly excerpt: string;
  readonly bodyHtml: string;
}
