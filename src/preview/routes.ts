import type { FastifyPluginAsync } from "fastify";
import { AppError } from "../domain/errors.ts";
import type { Preview } from "../domain/posts/previews.ts";
import { postUrl } from "../domain/reading/post-url.ts";
import { HEADERS, nothingPage, type PreviewSite, previewPage, unreadablePage } from "./page.ts";

export interface PreviewOptions extends PreviewSite {
  /** `POST_URL`: published posts are read there. */
  readonly postUrl: string | null;
  /** The post that the link with this token shows; null for a link that is unknown, expired or revoked. */
  readonly find: (token: string) => Promise<Preview | null>;
}

/** A token as the server makes it: 256 bits in base64url. */
const TOKEN = /^[\w-]{43}$/;

/** `GET /preview/TOKEN`. The token is the right, so no log and no other site learns of it. */
export function previewRoutes({ find, postUrl: template, ...site }: PreviewOptions): FastifyPluginAsync {
  return async (server) => {
    server.get<{ Params: { "*": string } }>("/preview/*", async ({ params: { "*": token } }, reply) => {
      reply.headers(HEADERS);
      if (!TOKEN.test(token)) return reply.code(404).send(nothingPage(site));
      try {
        const preview = await find(token);
        if (preview === null) return reply.code(404).send(nothingPage(site));
        if (!preview.isPublic || template === null) return reply.send(previewPage(site, preview));
        return reply.redirect(postUrl(template, { id: preview.postId, slug: preview.slug }), 303);
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== "BAD_USER_INPUT") throw error;
        return reply.code(422).send(unreadablePage(site));
      }
    });
  };
}
