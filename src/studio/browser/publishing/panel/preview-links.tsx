import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { postFailureWords, readFailureWords } from "../../api/failure-words.ts";
import { type LinkOfPost, PreviewLinks as LinksOfPost, RevokePreviewLink } from "../../documents/preview-links.ts";
import { Time } from "../../frame/text/time.tsx";
import type { Studio, Writing } from "../../ports.ts";
import { NewPreviewLink } from "./new-preview-link.tsx";

interface PreviewLinksProps {
  readonly studio: Studio;
  readonly writing: Writing;
}

/** Links that show the unpublished post to people who have no account: made, listed, revoked. */
export function PreviewLinks({ studio, writing }: PreviewLinksProps) {
  const [links, setLinks] = useState<readonly LinkOfPost[] | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isMaking, setMaking] = useState(false);
  const id = writing.id.value;

  const { api } = studio;
  const load = useCallback(async (): Promise<void> => {
    if (id === null) return;
    try {
      setLinks((await api.run(LinksOfPost, { id })).post?.previewLinks ?? []);
      setFailure(null);
    } catch (error) {
      setFailure(readFailureWords(error, postFailureWords));
    }
  }, [api, id]);
  const maker = useRef<HTMLButtonElement>(null);
  useEffect(() => void load(), [load]);

  async function revoke(link: LinkOfPost): Promise<void> {
    try {
      await api.run(RevokePreviewLink, { id: link.id }, { key: crypto.randomUUID() });
      studio.notify("The link is revoked. It leads nowhere now.");
      maker.current?.focus(); // the button that was pressed goes with its link
      await load();
    } catch (error) {
      setFailure(postFailureWords(error));
    }
  }

  return (
    <section aria-labelledby="panel-links">
      <h2 id="panel-links">Preview links</h2>
      {links !== null && links.length > 0 && (
        <ul class="links-list">
          {links.map((link) => (
            <li key={link.id}>
              <div id={`link-${link.id}`}>
                <p>{link.revision === null ? "Follows the text" : "Shows one version"}</p>
                <p class="muted">
                  {link.createdBy === null ? "Made" : `Made by ${link.createdBy.name}`} <Time value={link.createdAt} />.
                  Expires <Time value={link.expiresAt} />.{" "}
                  {link.lastUsedAt === null ? (
                    "Never used."
                  ) : (
                    <>
                      Last used <Time value={link.lastUsedAt} />.
                    </>
                  )}
                </p>
              </div>
              <button type="button" aria-describedby={`link-${link.id}`} onClick={() => void revoke(link)}>
                Revoke
              </button>
            </li>
          ))}
        </ul>
      )}
      {links?.length === 0 && <p class="muted">This post has no preview links.</p>}
      {failure !== null && (
        <p class="field-error" role="alert">
          {failure}
        </p>
      )}
      <button ref={maker} type="button" onClick={() => setMaking(true)}>
        New preview link
      </button>
      {isMaking && (
        <NewPreviewLink
          studio={studio}
          writing={writing}
          onClose={() => {
            setMaking(false);
            void load();
          }}
        />
      )}
    </section>
  );
}
