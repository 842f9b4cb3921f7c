import { AppError } from "../errors.ts";
import type { PostStore } from "./post.ts";
import { type RenderedPost, type RenderMarkdown, renderBody, renderPost, slugOf } from "./rendering.ts";

/** Posts that are rendered before the next look at the database; they share one commit. */
const AT_ONCE = 50;

/**
 * Renders the posts that were written before there was anything derived from them. It may be broken off, and run by several
 * processes at a time: each post is done once.
 *
 * @param isOver asked before each step
 * @returns how many were rendered
 */
export async function renderOldPosts(
  posts: PostStore,
  renderMarkdown: RenderMarkdown,
  isOver: () => boolean = () => false,
): Promise<number> {
  for (let count = 0; ; ) {
    const old = isOver() ? [] : await posts.listUnrendered(AT_ONCE);
    if (old.length === 0) return count;
    const rendered: RenderedPost[] = [];
    for (const post of old) rendered.push(await renderAnyway(renderMarkdown, post));
    await Promise.all(old.map(({ id }, i) => posts.keepRendered(id, rendered[i] as RenderedPost)));
    count += old.length;
  }
}

/** Nobody is there to make an old post simpler: what takes too long is shown as the text that it is. */
async function renderAnyway(
  renderMarkdown: RenderMarkdown,
  post: { readonly title: string; readonly body: string },
): Promise<RenderedPost> {
  try {
    return await renderPost(renderMarkdown, post);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "BAD_USER_INPUT") throw error;
    const html = `<pre>${post.body.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</pre>`;
    return { slug: slugOf(post.title), ...(await renderBody(async (text) => ({ html, text }), post.body)) };
  }
}
