import { factsOf, present } from "../../documents/post-answers.ts";
import { FindOrigin, FindWriting, SaveWriting, SetWritingAside, StartDraft } from "../../documents/saving.ts";
import type { Api, Texts } from "../../ports.ts";
import type { Server, Snapshot } from "./server.ts";

/** The title of a post whose text has none yet: the server wants one. The working copy may be without (S32). */
const UNTITLED = "Untitled";

/** The public API, as saving uses it. */
export function graphqlServer(api: Api): Server {
  return {
    async find(id) {
      const { post } = await api.run(FindWriting, { id });
      if (post === null) return null;
      const applied = { title: post.title, body: post.body, slug: null, excerpt: null };
      const copy = post.workingCopy;
      const isFresh = copy === null || copy.baseVersion === post.version;
      const origin = isFresh ? applied : await findOrigin(api, id, post.version, copy.baseVersion, applied);
      return {
        facts: factsOf(post),
        applied,
        excerpt: post.excerpt,
        copy: copy && {
          texts: { title: copy.title, body: copy.body, slug: copy.slug, excerpt: copy.excerpt },
          version: copy.version,
          baseVersion: copy.baseVersion,
          by: copy.updatedBy?.name ?? null,
        },
        origin,
        canUpdate: post.viewerCanUpdate,
      };
    },
    async create({ title, body }, key) {
      const variables = { title: /\S/u.test(title) ? title : UNTITLED, body };
      const { createPost } = await api.run(StartDraft, variables, { key });
      const post = present(createPost);
      return {
        facts: factsOf(post),
        applied: { ...variables, slug: null, excerpt: null },
        excerpt: post.excerpt,
      };
    },
    async save({ id, parts, workingVersion, baseVersion, keepalive = false }) {
      const variables = { id, input: parts, workingVersion, baseVersion };
      const { saveWorkingCopy } = await api.run(SaveWriting, variables, { keepalive });
      return { facts: factsOf(present(saveWorkingCopy?.post)), copy: present(saveWorkingCopy?.workingCopy) };
    },
    async setAside(id, workingVersion) {
      const { discardWorkingCopy } = await api.run(SetWritingAside, { id, workingVersion });
      return factsOf(present(discardWorkingCopy?.post));
    },
  };
}

/** @returns the text of the post from which its copy was written on; null where that cannot be told */
async function findOrigin(
  api: Api,
  id: string,
  version: number,
  baseVersion: number,
  applied: Texts,
): Promise<Snapshot["origin"]> {
  const { post } = await api.run(FindOrigin, { id });
  // Texts of copies that were taken away never were texts of the post.
  const texts = (post?.revisions.nodes ?? []).filter(
    (revision) => revision.kind !== "MERGED" && revision.title !== null,
  );
  if (post === null || post.version !== version) return null;
  if (!texts.some((revision) => revision.version > baseVersion)) return applied;
  const origin = texts.find((revision) => revision.version <= baseVersion);
  return origin === undefined
    ? null
    : { title: origin.title ?? "", body: origin.body ?? "", slug: null, excerpt: null };
}
